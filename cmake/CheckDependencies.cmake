# Looks for everything that cmake/Dependencies.cmake will use, so that one message names all that is
# missing, with Debian's packages of tools/packages.txt, instead of one thing after the other.
set(missing "")

# tamis_look_for_package(DEBIAN_PACKAGE NAME...)
macro(tamis_look_for_package debian)
  find_package(${ARGN} QUIET)
  if(NOT ${ARGV1}_FOUND)
    list(APPEND missing ${debian})
  endif()
endmacro()

# tamis_look_for_module(DEBIAN_PACKAGE MODULE): what pkg-config knows
macro(tamis_look_for_module debian module)
  if(PkgConfig_FOUND)
    pkg_check_modules(look_${module} QUIET ${module})
  endif()
  if(NOT look_${module}_FOUND)
    list(APPEND missing ${debian})
  endif()
endmacro()

# tamis_look_for_header(DEBIAN_PACKAGE HEADER FOLDER...)
macro(tamis_look_for_header debian header)
  find_path(look_${header} ${header} PATH_SUFFIXES ${ARGN} NO_CACHE)
  if(NOT look_${header})
    list(APPEND missing ${debian})
  endif()
endmacro()

tamis_look_for_package(pkg-config PkgConfig)
tamis_look_for_package(libfmt-dev fmt)
tamis_look_for_package(nlohmann-json3-dev nlohmann_json)
tamis_look_for_package(libtbb-dev TBB)
tamis_look_for_package(zlib1g-dev ZLIB)
tamis_look_for_package(libbz2-dev BZip2)
tamis_look_for_package(liblzma-dev LibLZMA)
tamis_look_for_package(libexpat1-dev EXPAT)
tamis_look_for_package(libboost-dev Boost)
tamis_look_for_package(libeigen3-dev Eigen3)
tamis_look_for_package(libspectra-dev Spectra NAMES Spectra spectra)
tamis_look_for_module(libhdf5-dev hdf5)
tamis_look_for_module(libopenblas-pthread-dev openblas)
tamis_look_for_module(libzstd-dev libzstd)
tamis_look_for_module(libzip-dev libzip)
tamis_look_for_header(liblinear-dev linear.h liblinear linear)
tamis_look_for_header(libsvm-dev svm.h libsvm svm)
if(TAMIS_DEVELOPER)
  tamis_look_for_package(libgtest-dev GTest)
endif()

if(missing)
  list(JOIN missing " " missing)
  message(
    FATAL_ERROR
      "tamis needs libraries that are not here. Debian and Ubuntu call them:\n  ${missing}\n"
      "`tools/setup build` installs them there; elsewhere, install what your system calls them.")
endif()
