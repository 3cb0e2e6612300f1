# find_package(tamis) from the install tree gives tamis::tamis and one target per module.
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY TAMIS_MODULES)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tamis)
install(TARGETS ${modules} tamis_all EXPORT tamisTargets)
install(TARGETS tamis)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tamis DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT tamisTargets NAMESPACE tamis:: DESTINATION ${config_dir})
configure_package_config_file(cmake/tamisConfig.cmake.in ${PROJECT_BINARY_DIR}/tamisConfig.cmake
                              INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tamisConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tamisConfig.cmake ${PROJECT_BINARY_DIR}/tamisConfigVersion.cmake
              cmake/Dependencies.cmake DESTINATION ${config_dir})
