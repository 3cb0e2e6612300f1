# Arrow's libraries, if they are here: TAMIS_ARROW says so, and TAMIS::ARROW is to be linked. They read
# Parquet and Arrow IPC files, by a library of its own that the program loads when it meets one.
# Those that pyarrow carries are for the tests: of .venv, or where TAMIS_PYARROW says.
set(TAMIS_PYARROW "" CACHE PATH "Folder of pyarrow, whose libraries to use where Arrow is not installed")
option(TAMIS_ARROW "Read Parquet and Arrow IPC files, if Arrow's libraries are found" ON)
set(TAMIS_ARROW_MODULE_DIR ${PROJECT_BINARY_DIR}/plugins)
if(SKBUILD OR TAMIS_SANITIZE MATCHES thread)
  set(TAMIS_ARROW OFF) # Python has pyarrow
endif()
if(NOT TAMIS_ARROW)
  return()
endif()

# tamis_link_pyarrow(): the same targets as Arrow's own packages make
function(tamis_link_pyarrow)
  set(folder ${TAMIS_PYARROW})
  if(NOT folder AND TAMIS_DEVELOPER)
    file(GLOB folder ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/pyarrow)
  endif()
  if(NOT folder)
    return()
  endif()
  list(GET folder 0 folder)
  foreach(library arrow parquet)
    file(GLOB found ${folder}/lib${library}.so*)
    if(NOT found)
      return()
    endif()
    list(GET found 0 file)
    string(TOUPPER ${library} name)
    add_library(TAMIS::PY${name} SHARED IMPORTED GLOBAL)
    set_target_properties(TAMIS::PY${name} PROPERTIES IMPORTED_LOCATION ${file}
                                                      INTERFACE_INCLUDE_DIRECTORIES ${folder}/include)
  endforeach()
  add_library(TAMIS::ARROW INTERFACE IMPORTED GLOBAL)
  target_link_libraries(TAMIS::ARROW INTERFACE TAMIS::PYARROW TAMIS::PYPARQUET)
endfunction()

find_package(Arrow CONFIG QUIET)
find_package(Parquet CONFIG QUIET)
if(Arrow_FOUND AND Parquet_FOUND)
  set(TAMIS_ARROW_IS_INSTALLED ON)
  add_library(TAMIS::ARROW INTERFACE IMPORTED GLOBAL)
  target_link_libraries(TAMIS::ARROW INTERFACE Arrow::arrow_shared Parquet::parquet_shared)
else()
  tamis_link_pyarrow()
endif()
if(NOT TARGET TAMIS::ARROW)
  set(TAMIS_ARROW OFF)
  return()
endif()

# Whether this compiler and those libraries understand each other: the library of ours links.
try_compile(
  TAMIS_ARROW_LINKS ${PROJECT_BINARY_DIR}/arrow_trial
  SOURCES ${PROJECT_SOURCE_DIR}/plugins/arrow/arrow_files.cpp ${PROJECT_SOURCE_DIR}/plugins/arrow/trial.cpp
  CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}/src
  LINK_LIBRARIES TAMIS::ARROW
  CXX_STANDARD 20
  OUTPUT_VARIABLE reason)
if(NOT TAMIS_ARROW_LINKS)
  message(STATUS "Parquet and Arrow IPC files are left to Python: Arrow's libraries do not link")
  set(TAMIS_ARROW OFF)
  return()
endif()
# Where the program and its tests look for it, before and after they are installed.
list(APPEND CMAKE_BUILD_RPATH ${TAMIS_ARROW_MODULE_DIR})
