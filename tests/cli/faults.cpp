// A library to be loaded before the program (LD_PRELOAD) that makes one call fail, as a disk or a
// memory does that gives out:
//   TAMIS_FAULT_KIND    open, read, write, close, rename, ftruncate, flock, fstat or allocate
//   TAMIS_FAULT_CALL    the how manieth call of that kind fails, from 1
//   TAMIS_FAULT_ERROR   by which errno; "short": half of what is to be written is; "kill": that,
//                       and the process is killed
//   TAMIS_FAULT_FOLDER  only calls that concern files in it count
//   TAMIS_FAULT_SIZE    only allocations of at least so many bytes count, and only within main()
//   TAMIS_FAULT_MARK    a file that is made when the call fails
// Functions have their C names by asm, so that headers which declare those say nothing about them.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

std::string_view setting(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

long number(const char* name) { return std::strtol(setting(name).data(), nullptr, 10); }

/// What the environment asks for. Never allocates, as it is read within malloc().
struct Plan {
  std::string_view kind = setting("TAMIS_FAULT_KIND");
  long call = number("TAMIS_FAULT_CALL");
  std::string_view error_text = setting("TAMIS_FAULT_ERROR");
  int error = static_cast<int>(number("TAMIS_FAULT_ERROR"));
  std::string_view folder = setting("TAMIS_FAULT_FOLDER");
  std::size_t size = static_cast<std::size_t>(number("TAMIS_FAULT_SIZE"));
};

const Plan& plan() {
  static const Plan only;
  return only;
}

std::atomic<bool> is_in_main = false;
std::atomic<long> calls = 0;

/// Counts a call of the kind that is asked for; whether it is the one that fails.
bool is_the_one() {
  if (++calls != plan().call) return false;
  if (const char* const mark = std::getenv("TAMIS_FAULT_MARK"))
    syscall(SYS_close, syscall(SYS_open, mark, O_CREAT | O_WRONLY, 0666));
  errno = plan().error;
  return true;
}

bool concerns_job(std::string_view path) { return path.starts_with(plan().folder); }

bool concerns_job(const char* path) {
  if (*path == '/') return concerns_job(std::string_view(path));
  std::array<char, PATH_MAX> folder{};
  return getcwd(folder.data(), folder.size()) != nullptr &&
         concerns_job(std::string_view(folder.data()));
}

bool concerns_job(int descriptor) {
  std::array<char, 64> link{};
  std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", descriptor);
  std::array<char, PATH_MAX> path{};
  const ssize_t length = readlink(link.data(), path.data(), path.size());
  return length > 0 &&
         concerns_job(std::string_view(path.data(), static_cast<std::size_t>(length)));
}

template <class File>
bool fails(std::string_view kind, File file) {
  return kind == plan().kind && is_in_main && concerns_job(file) && is_the_one();
}

bool allocation_fails(std::size_t size) {
  return is_in_main && plan().kind == "allocate" && size >= plan().size && is_the_one();
}

/// The C library's own function.
template <class Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

mode_t mode_argument(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
}

int opened(int folder, const char* path, int flags, va_list arguments) {
  if (fails("open", path)) return -1;
  return static_cast<int>(
      syscall(SYS_openat, folder, path, flags, mode_argument(flags, arguments)));
}

ssize_t written(int descriptor, const void* bytes, std::size_t count) {
  return syscall(SYS_write, descriptor, bytes, count);
}

using Main = int(int, char**, char**);
Main* real_main = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  is_in_main = true;
  const int code = real_main(argc, argv, environment);
  is_in_main = false;
  return code;
}

}  // namespace

extern "C" {

int start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(),
               void (*rtld_fini)(), void* stack) asm("__libc_start_main");
int start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(),
               void (*rtld_fini)(), void* stack) {
  real_main = main;
  return original<decltype(start_main)>("__libc_start_main")(counted_main, argc, argv, init, fini,
                                                             rtld_fini, stack);
}

int faulty_open(const char* path, int flags, ...) asm("open");
int faulty_open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const int descriptor = opened(AT_FDCWD, path, flags, arguments);
  va_end(arguments);
  return descriptor;
}

int faulty_openat(int folder, const char* path, int flags, ...) asm("openat");
int faulty_openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const int descriptor = opened(folder, path, flags, arguments);
  va_end(arguments);
  return descriptor;
}

FILE* faulty_fopen(const char* path, const char* mode) asm("fopen64");
FILE* faulty_fopen(const char* path, const char* mode) {
  return fails("open", path) ? nullptr : original<decltype(faulty_fopen)>("fopen64")(path, mode);
}

char* faulty_mkdtemp(char* path) asm("mkdtemp");
char* faulty_mkdtemp(char* path) {
  return fails("open", static_cast<const char*>(path))
             ? nullptr
             : original<decltype(faulty_mkdtemp)>("mkdtemp")(path);
}

ssize_t faulty_read(int descriptor, void* bytes, std::size_t count) asm("read");
ssize_t faulty_read(int descriptor, void* bytes, std::size_t count) {
  return fails("read", descriptor) ? -1 : syscall(SYS_read, descriptor, bytes, count);
}

ssize_t faulty_pread(int descriptor, void* bytes, std::size_t count, off_t at) asm("pread");
ssize_t faulty_pread(int descriptor, void* bytes, std::size_t count, off_t at) {
  return fails("read", descriptor) ? -1 : syscall(SYS_pread64, descriptor, bytes, count, at);
}

ssize_t faulty_write(int descriptor, const void* bytes, std::size_t count) asm("write");
ssize_t faulty_write(int descriptor, const void* bytes, std::size_t count) {
  if (!fails("write", descriptor)) return written(descriptor, bytes, count);
  if (plan().error != 0) return -1;
  const ssize_t done = written(descriptor, bytes, (count + 1) / 2);
  if (plan().error_text == "kill") raise(SIGKILL);
  return done;
}

int faulty_close(int descriptor) asm("close");
int faulty_close(int descriptor) {
  const bool has_failed = fails("close", descriptor);
  const auto code = static_cast<int>(syscall(SYS_close, descriptor));
  if (has_failed) errno = plan().error;
  return has_failed ? -1 : code;
}

int faulty_rename(const char* from, const char* to) asm("rename");
int faulty_rename(const char* from, const char* to) {
  if (!fails("rename", to)) return static_cast<int>(syscall(SYS_rename, from, to));
  if (plan().error_text == "kill") raise(SIGKILL);
  return -1;
}

int faulty_ftruncate(int descriptor, off_t size) asm("ftruncate");
int faulty_ftruncate(int descriptor, off_t size) {
  return fails("ftruncate", descriptor)
             ? -1
             : static_cast<int>(syscall(SYS_ftruncate, descriptor, size));
}

int faulty_flock(int descriptor, int operation) asm("flock");
int faulty_flock(int descriptor, int operation) {
  return fails("flock", descriptor) ? -1
                                    : static_cast<int>(syscall(SYS_flock, descriptor, operation));
}

int faulty_fstat(int descriptor, struct stat* status) asm("fstat");
int faulty_fstat(int descriptor, struct stat* status) {
  return fails("fstat", descriptor) ? -1
                                    : original<decltype(faulty_fstat)>("fstat")(descriptor, status);
}

// What the C library calls its own functions, beside malloc() and the like.
void* real_malloc(std::size_t size) asm("__libc_malloc");
void* real_calloc(std::size_t count, std::size_t size) asm("__libc_calloc");
void* real_realloc(void* block, std::size_t size) asm("__libc_realloc");
void* real_memalign(std::size_t alignment, std::size_t size) asm("__libc_memalign");

void* faulty_malloc(std::size_t size) asm("malloc");
void* faulty_malloc(std::size_t size) {
  return allocation_fails(size) ? nullptr : real_malloc(size);
}

void* faulty_calloc(std::size_t count, std::size_t size) asm("calloc");
void* faulty_calloc(std::size_t count, std::size_t size) {
  return allocation_fails(count * size) ? nullptr : real_calloc(count, size);
}

void* faulty_realloc(void* block, std::size_t size) asm("realloc");
void* faulty_realloc(void* block, std::size_t size) {
  return allocation_fails(size) ? nullptr : real_realloc(block, size);
}

void* faulty_aligned_alloc(std::size_t alignment, std::size_t size) asm("aligned_alloc");
void* faulty_aligned_alloc(std::size_t alignment, std::size_t size) {
  return allocation_fails(size) ? nullptr : real_memalign(alignment, size);
}

int faulty_posix_memalign(void** block, std::size_t alignment,
                          std::size_t size) asm("posix_memalign");
int faulty_posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  *block = allocation_fails(size) ? nullptr : real_memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
}
