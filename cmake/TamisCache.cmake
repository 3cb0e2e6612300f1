# If CMAKE_CXX_COMPILER_LAUNCHER is ccache, it is called with what it must know to find objects again from
# any folder that holds the same sources, whoever starts the build.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "(^|/)ccache$")
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1 ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
