# What most files include, read once. Files whose options differ leave it out.
set(TAMIS_PRECOMPILED_HEADERS
    <algorithm> <array> <cmath> <functional> <map> <memory> <mutex> <numeric> <optional> <span>
    <string> <string_view> <tuple> <utility> <variant> <vector> <fmt/format.h>
    <tamis/core/method.hpp> <tamis/core/table.hpp>)

# For ccache (CCACHE_PCH_EXTSUM): two builds that precompile the same may share objects, though no
# two precompiled headers are equal to the byte. What is precompiled is named here, and those headers
# that may change are hashed.
function(tamis_precompiled_sum target)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/tamis/core/*.hpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
  set(sum "${CMAKE_CXX_COMPILER_VERSION} ${TAMIS_PRECOMPILED_HEADERS}")
  foreach(header ${headers})
    file(SHA256 ${header} hash)
    string(APPEND sum " ${hash}")
  endforeach()
  file(WRITE ${PROJECT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.gch.sum "${sum}")
endfunction()

# tamis_target(TARGET): what every target of the project shares. Code that computes is optimised as
# the build type says; the rest, which speaks, in half the time (TAMIS_SPEAKS). Either kind has its
# own precompiled header.
function(tamis_target target)
  if(TAMIS_SPEAKS)
    set(like tamis_registry)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  else()
    set(like tamis_core)
  endif()
  if(target STREQUAL like)
    target_precompile_headers(${target} PRIVATE ${TAMIS_PRECOMPILED_HEADERS})
    tamis_precompiled_sum(${target})
  else()
    target_precompile_headers(${target} REUSE_FROM ${like})
  endif()
  target_compile_features(${target} PUBLIC cxx_std_20)
  # TBB only because the precompiled header must see the same definitions everywhere.
  target_link_libraries(${target} PRIVATE fmt::fmt TBB::tbb)
  # No contraction into fused operations: the same sums on every machine.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  # Position independent everywhere, so that one precompiled header serves all.
  target_compile_options(${target} PRIVATE -fPIC)
  if(TAMIS_DEVELOPER)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                             -Wno-sign-conversion -Werror)
  endif()
  if(TAMIS_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=${TAMIS_SANITIZE} -fno-omit-frame-pointer
                                            -fno-sanitize-recover=all)
    target_compile_definitions(${target} PUBLIC TAMIS_SANITIZED)
    target_link_options(${target} PUBLIC -fsanitize=${TAMIS_SANITIZE})
  endif()
endfunction()

# tamis_module(NAME [READS] [DEPENDS modules...] [USES libraries...]): the sources in src/NAME become
# tamis::NAME. DEPENDS must agree with tools/layers.txt; USES are needed to build and link, not to
# include us. READS: it reads what strangers wrote, so libFuzzer sees which way inputs take through it.
function(tamis_module name)
  cmake_parse_arguments(module READS "" "DEPENDS;USES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(tamis_${name} STATIC ${sources})
  add_library(tamis::${name} ALIAS tamis_${name})
  set_target_properties(tamis_${name} PROPERTIES EXPORT_NAME ${name} LINKER_LANGUAGE CXX)
  tamis_target(tamis_${name})
  if(TAMIS_UNITY)
    tamis_unity(tamis_${name} ${sources})
  endif()
  target_include_directories(
    tamis_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                         $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                         $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(module_READS AND TAMIS_CAN_FUZZ)
    target_compile_options(tamis_${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  list(TRANSFORM module_DEPENDS PREPEND tamis::)
  target_link_libraries(tamis_${name} PUBLIC ${module_DEPENDS} PRIVATE ${module_USES})
  set_property(GLOBAL APPEND PROPERTY TAMIS_MODULES tamis_${name})
endfunction()
