# Toolchain for 64-bit ARM, from another machine: Clang, with the libraries of Debian that
# tools/aarch64 unpacks into TAMIS_SYSROOT. What is built runs under QEMU, the tests too.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(TAMIS_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-root CACHE PATH "Libraries for 64-bit ARM")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TAMIS_SYSROOT)
cmake_path(ABSOLUTE_PATH TAMIS_SYSROOT NORMALIZE OUTPUT_VARIABLE CMAKE_SYSROOT)

set(CMAKE_CXX_COMPILER clang++-14)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(libraries ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu)
set(CMAKE_EXE_LINKER_FLAGS_INIT
    "-fuse-ld=lld -Wl,-rpath-link,${libraries}:${libraries}/openblas-pthread")
set(CMAKE_MODULE_LINKER_FLAGS_INIT -fuse-ld=lld)

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR}
    "${libraries}/pkgconfig:${libraries}/openblas-pthread/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig")
# A processor without SVE, whose OpenBLAS kernels QEMU may not know.
set(CMAKE_CROSSCOMPILING_EMULATOR
    qemu-aarch64-static;-cpu;cortex-a72;-L;${CMAKE_SYSROOT};-E;LD_LIBRARY_PATH=${libraries}/openblas-pthread)
