/* One call to the system fails: the calls that can fail in the chosen way are numbered, and the one
   with the chosen number does not reach the system. Loaded with LD_PRELOAD by
   `tests.failing_calls.shim`, so that calls of SQLite and other libraries fail as those of Python.

   Only the files below one folder are touched, and sockets of the network. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* What a call may do, and so how it can fail. */
enum { ROOM = 1, IO = 2, PATH = 4, DESCRIPTOR = 8, NETWORK = 16, PARTIAL = 32, ANY = 64 };
/* Faults that are no numbers of errors. */
enum { SHORT = -1, DEATH = -2 };

static char folder[4096], report[4096];
static atomic_long count;
static long chosen = -1;
static int fault, suited;

/* From now on the call of that number fails; with 0 no call fails, and the calls are only counted.
   The call that fails is written to the file `told`. */
void failing_calls_arm(long number, int how, const char *below, const char *told)
{
    snprintf(folder, sizeof folder, "%s", below);
    snprintf(report, sizeof report, "%s", told);
    suited = how == ENOSPC ? ROOM
           : how == EIO ? IO
           : how == EMFILE ? DESCRIPTOR
           : how == EACCES ? PATH
           : how == ENETDOWN ? NETWORK
           : how == SHORT ? PARTIAL
           : ANY;
    fault = how;
    atomic_store(&count, 0);
    chosen = number;
}

long failing_calls_count(void)
{
    return atomic_load(&count);
}

static void tell(long number, const char *name, const char *about)
{
    char line[4600];
    int length = snprintf(line, sizeof line, "%ld %s %s\n", number, name, about);
    long file = syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file >= 0) {
        syscall(SYS_write, file, line, (size_t)length);
        syscall(SYS_close, file);
    }
}

static int here(const char *path)
{
    return path && strncmp(path, folder, strlen(folder)) == 0;
}

/* Whether this call fails, and if so how: 0, a number of an error, or SHORT. */
static int fails(int kind, const char *name, const char *about)
{
    if (chosen < 0 || !((kind | ANY) & suited))
        return 0;
    long number = atomic_fetch_add(&count, 1) + 1;
    if (number != chosen)
        return 0;
    tell(number, name, about);
    if (fault == DEATH)
        syscall(SYS_kill, getpid(), SIGKILL);
    return fault;
}

static int path_fails(int kind, const char *name, const char *path)
{
    return here(path) ? fails(kind | PATH, name, path) : 0;
}

static int file_fails(int kind, const char *name, int descriptor)
{
    char link[64], path[4096];
    struct stat status;
    if (chosen < 0 || syscall(SYS_fstat, descriptor, &status) || S_ISFIFO(status.st_mode)
        || S_ISCHR(status.st_mode) || S_ISSOCK(status.st_mode))
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (length <= 0)
        return 0;
    path[length] = 0;
    return here(path) ? fails(kind, name, path) : 0;
}

static int socket_fails(int kind, const char *name, int descriptor)
{
    int domain = 0, error = errno;
    socklen_t size = sizeof domain;
    if (chosen < 0 || getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size)) {
        errno = error;
        return 0;
    }
    return domain == AF_INET || domain == AF_INET6 ? fails(kind | NETWORK, name, "") : 0;
}

#define GIVE_UP(how, value) do { errno = (how); return (value); } while (0)

/* -- files */

static mode_t mode_of(int flags, va_list more)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode_t mode = mode_of(flags, more);                                                        \
        va_end(more);                                                                              \
        int how = path_fails(IO | DESCRIPTOR | (flags & O_CREAT ? ROOM : 0), #name, path);         \
        if (how)                                                                                   \
            GIVE_UP(how, -1);                                                                      \
        return REAL(name)(path, flags, mode);                                                      \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                               \
    int name(int where, const char *path, int flags, ...)                                          \
    {                                                                                              \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode_t mode = mode_of(flags, more);                                                        \
        va_end(more);                                                                              \
        int how = path_fails(IO | DESCRIPTOR | (flags & O_CREAT ? ROOM : 0), #name, path);         \
        if (how)                                                                                   \
            GIVE_UP(how, -1);                                                                      \
        return REAL(name)(where, path, flags, mode);                                               \
    }
OPENAT(openat)
OPENAT(openat64)

#define MOVE_BYTES(name, result, kind, declared, given)                                            \
    result name declared                                                                           \
    {                                                                                              \
        int how = file_fails(kind, #name, descriptor);                                             \
        if (how > 0)                                                                               \
            GIVE_UP(how, -1);                                                                      \
        if (how == SHORT && size > 1)                                                              \
            size /= 2;                                                                             \
        return REAL(name) given;                                                                   \
    }
MOVE_BYTES(read, ssize_t, IO | PARTIAL, (int descriptor, void *data, size_t size),
           (descriptor, data, size))
MOVE_BYTES(pread, ssize_t, IO | PARTIAL, (int descriptor, void *data, size_t size, off_t at),
           (descriptor, data, size, at))
MOVE_BYTES(pread64, ssize_t, IO | PARTIAL, (int descriptor, void *data, size_t size, off64_t at),
           (descriptor, data, size, at))
MOVE_BYTES(write, ssize_t, ROOM | IO | PARTIAL, (int descriptor, const void *data, size_t size),
           (descriptor, data, size))
MOVE_BYTES(pwrite, ssize_t, ROOM | IO | PARTIAL,
           (int descriptor, const void *data, size_t size, off_t at), (descriptor, data, size, at))
MOVE_BYTES(pwrite64, ssize_t, ROOM | IO | PARTIAL,
           (int descriptor, const void *data, size_t size, off64_t at),
           (descriptor, data, size, at))

#define ON_FILE(name, kind, declared, given)                                                       \
    int name declared                                                                              \
    {                                                                                              \
        int how = file_fails(kind, #name, descriptor);                                             \
        if (how > 0)                                                                               \
            GIVE_UP(how, -1);                                                                      \
        return REAL(name) given;                                                                   \
    }
ON_FILE(fsync, ROOM | IO, (int descriptor), (descriptor))
ON_FILE(fdatasync, ROOM | IO, (int descriptor), (descriptor))
ON_FILE(ftruncate, IO, (int descriptor, off_t size), (descriptor, size))
ON_FILE(ftruncate64, IO, (int descriptor, off64_t size), (descriptor, size))
ON_FILE(flock, IO, (int descriptor, int operation), (descriptor, operation))
ON_FILE(fstat, IO, (int descriptor, struct stat *status), (descriptor, status))
ON_FILE(fstat64, IO, (int descriptor, struct stat64 *status), (descriptor, status))

#define ON_PATH(name, kind, declared, given)                                                       \
    int name declared                                                                              \
    {                                                                                              \
        int how = path_fails(kind, #name, path);                                                   \
        if (how > 0)                                                                               \
            GIVE_UP(how, -1);                                                                      \
        return REAL(name) given;                                                                   \
    }
ON_PATH(unlink, IO, (const char *path), (path))
ON_PATH(unlinkat, IO, (int where, const char *path, int flags), (where, path, flags))
ON_PATH(rename, ROOM | IO, (const char *path, const char *to), (path, to))
ON_PATH(mkdir, ROOM | IO, (const char *path, mode_t mode), (path, mode))
ON_PATH(rmdir, IO, (const char *path), (path))
ON_PATH(stat, IO, (const char *path, struct stat *status), (path, status))
ON_PATH(stat64, IO, (const char *path, struct stat64 *status), (path, status))
ON_PATH(lstat, IO, (const char *path, struct stat *status), (path, status))
ON_PATH(lstat64, IO, (const char *path, struct stat64 *status), (path, status))

DIR *opendir(const char *path)
{
    int how = path_fails(IO | DESCRIPTOR, "opendir", path);
    if (how > 0)
        GIVE_UP(how, NULL);
    return REAL(opendir)(path);
}

/* SQLite's shared memory is the only file of ours that is mapped. */
#define MAP(name, offset)                                                                          \
    void *name(void *at, size_t size, int protection, int flags, int descriptor, offset from)      \
    {                                                                                              \
        int how = flags & MAP_SHARED ? file_fails(ROOM | IO, #name, descriptor) : 0;               \
        if (how > 0)                                                                               \
            GIVE_UP(how, MAP_FAILED);                                                              \
        return REAL(name)(at, size, protection, flags, descriptor, from);                          \
    }
MAP(mmap, off_t)
MAP(mmap64, off64_t)

/* -- the network */

int socket(int domain, int type, int protocol)
{
    if (domain == AF_INET || domain == AF_INET6) {
        int how = fails(NETWORK | DESCRIPTOR, "socket", "");
        if (how > 0)
            GIVE_UP(how, -1);
    }
    return REAL(socket)(domain, type, protocol);
}

#define ON_SOCKET(name, result, kind, declared, given)                                             \
    result name declared                                                                           \
    {                                                                                              \
        int how = socket_fails(kind, #name, descriptor);                                           \
        if (how > 0)                                                                               \
            GIVE_UP(how, -1);                                                                      \
        return REAL(name) given;                                                                   \
    }
ON_SOCKET(bind, int, PATH, (int descriptor, const struct sockaddr *address, socklen_t length),
          (descriptor, address, length))
ON_SOCKET(listen, int, 0, (int descriptor, int waiting), (descriptor, waiting))
ON_SOCKET(accept, int, DESCRIPTOR,
          (int descriptor, struct sockaddr *address, socklen_t *length),
          (descriptor, address, length))
ON_SOCKET(accept4, int, DESCRIPTOR,
          (int descriptor, struct sockaddr *address, socklen_t *length, int flags),
          (descriptor, address, length, flags))
ON_SOCKET(connect, int, PATH, (int descriptor, const struct sockaddr *address, socklen_t length),
          (descriptor, address, length))
ON_SOCKET(setsockopt, int, 0,
          (int descriptor, int level, int name, const void *value, socklen_t length),
          (descriptor, level, name, value, length))
ON_SOCKET(recvmsg, ssize_t, 0, (int descriptor, struct msghdr *message, int flags),
          (descriptor, message, flags))
ON_SOCKET(sendmsg, ssize_t, 0, (int descriptor, const struct msghdr *message, int flags),
          (descriptor, message, flags))

#define MOVE_PACKETS(name, declared, given)                                                        \
    ssize_t name declared                                                                          \
    {                                                                                              \
        int how = socket_fails(PARTIAL, #name, descriptor);                                        \
        if (how > 0)                                                                               \
            GIVE_UP(how, -1);                                                                      \
        if (how == SHORT && size > 1)                                                              \
            size /= 2;                                                                             \
        return REAL(name) given;                                                                   \
    }
MOVE_PACKETS(recv, (int descriptor, void *data, size_t size, int flags),
             (descriptor, data, size, flags))
MOVE_PACKETS(send, (int descriptor, const void *data, size_t size, int flags),
             (descriptor, data, size, flags))
MOVE_PACKETS(recvfrom,
             (int descriptor, void *data, size_t size, int flags, struct sockaddr *address,
              socklen_t *length),
             (descriptor, data, size, flags, address, length))
MOVE_PACKETS(sendto,
             (int descriptor, const void *data, size_t size, int flags,
              const struct sockaddr *address, socklen_t length),
             (descriptor, data, size, flags, address, length))

int getifaddrs(struct ifaddrs **found)
{
    int how = fails(NETWORK | DESCRIPTOR, "getifaddrs", "");
    if (how > 0)
        GIVE_UP(how, -1);
    return REAL(getifaddrs)(found);
}

/* -- threads: if there are too many of them, the error is EAGAIN and not EMFILE */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument)
{
    if (fails(DESCRIPTOR, "pthread_create", "") > 0)
        return EAGAIN;
    return REAL(pthread_create)(thread, attributes, run, argument);
}
