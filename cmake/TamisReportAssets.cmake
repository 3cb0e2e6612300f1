# The style and the script of reports become constants; their hashes go into the page's security
# policy, so that a browser runs nothing else.
set(assets ${PROJECT_SOURCE_DIR}/src/report/assets)
foreach(asset style:report.css script:report.js)
  string(REPLACE ":" ";" asset ${asset})
  list(GET asset 0 name)
  list(GET asset 1 file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${assets}/${file})
  file(READ ${assets}/${file} ${name})
  string(SHA256 ${name}_hash "${${name}}")
endforeach()
configure_file(${assets}/assets.hpp.in ${PROJECT_BINARY_DIR}/generated/report_assets.hpp @ONLY)
target_include_directories(tamis_report PRIVATE ${PROJECT_BINARY_DIR}/generated)
