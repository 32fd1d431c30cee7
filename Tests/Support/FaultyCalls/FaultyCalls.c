// A library for LD_PRELOAD that lets a chosen system call of a program fail: one that concerns a file
// in a chosen folder, or one that gives SQLite memory. It also moves the program's clock.
//
//   FAULTY_FOLDER   files below this path are concerned
//   FAULTY_MODE     what happens, see `modes`
//   FAULTY_NUMBER   the number of the call, from 1
//   FAULTY_REPORT   a file that is mapped: how many calls there were, and which was chosen
//
// The tests compile it with the compiler at hand. Calls are counted over all threads, and over the
// processes that inherit the environment.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum {
    NOTHING,
    ERROR,      // the chosen call fails with EIO
    FULL,       // the disk is full from the chosen call on; calls that need room are counted
    BUSY,       // the chosen lock is refused; locks are counted
    HELD,       // all locks are refused from the chosen one on; nobody sleeps meanwhile
    SHORT,      // the chosen write takes half of the bytes; writes are counted
    SIGNALLED,  // the chosen call is interrupted by a signal (EINTR); calls that can be are counted
    KILL,       // the process is killed instead of the chosen call
    MEMORY,     // SQLite gets no memory for the chosen request; requests are counted
    NO_MEMORY,  // SQLite gets no memory from the chosen request on
};

static const char *const modes[] = {
    "nothing", "error", "full", "busy", "held", "short", "signalled", "kill", "memory", "no-memory",
};

typedef struct {
    _Atomic int64_t count;       // calls of the counted kind
    _Atomic int64_t failed;      // how many failed
    _Atomic int64_t clock;       // seconds to add to the time of day
    char name[64];               // the chosen call
} report;

static report own_report, *shared = &own_report;
static char folder[PATH_MAX];
static size_t folder_length;
static int mode;
static int64_t number;
static _Atomic bool concerned[4096];

// What a call is, for the modes that count only some.
enum { READS = 1, NEEDS_ROOM = 2, LOCKS = 4, WRITES = 8, CAN_WAIT = 16 };

#define NEXT(name) \
    static __typeof__(&name) next; \
    if (next == NULL) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static void read_environment(void)
{
    const char *place = getenv("FAULTY_FOLDER"), *wanted = getenv("FAULTY_MODE");
    const char *chosen = getenv("FAULTY_NUMBER"), *file = getenv("FAULTY_REPORT");
    for (size_t i = 0; wanted != NULL && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(modes[i], wanted) == 0) mode = (int)i;
    number = chosen == NULL ? 0 : atoll(chosen);
    if (file != NULL) {
        int descriptor = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC, 0);
        void *map = descriptor < 0
            ? MAP_FAILED
            : (void *)syscall(
                SYS_mmap, NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        if (map != MAP_FAILED) shared = map;
        if (descriptor >= 0) syscall(SYS_close, descriptor);
    }
    if (place != NULL) {
        strncpy(folder, place, sizeof folder - 1);
        folder_length = strlen(folder);
    }
}

// Whether a path is below the folder; a relative one is, if the working folder is.
static bool is_concerned(const char *path)
{
    if (folder_length == 0 || path == NULL) return false;
    if (path[0] != '/') {
        char here[PATH_MAX];
        if (syscall(SYS_getcwd, here, sizeof here) < 0) return false;
        return strncmp(here, folder, folder_length) == 0;
    }
    return strncmp(path, folder, folder_length) == 0
        && (path[folder_length] == '/' || path[folder_length] == 0);
}

static bool has(int descriptor)
{
    return descriptor >= 0 && descriptor < 4096 && concerned[descriptor];
}

static int noted(int descriptor, bool is_below)
{
    if (descriptor >= 0 && descriptor < 4096) concerned[descriptor] = is_below;
    return descriptor;
}

// Counts a request; whether it is one that is to fail.
static bool is_chosen(const char *name, bool goes_on)
{
    int64_t count = atomic_fetch_add(&shared->count, 1) + 1;
    if (number <= 0 || count < number || (count > number && !goes_on)) return false;
    if (atomic_fetch_add(&shared->failed, 1) == 0)
        snprintf(shared->name, sizeof shared->name, "%s", name);
    return true;
}

// The error with which a call ends instead of being made; 0 if it is to be made.
static int fate(const char *name, int kind)
{
    switch (mode) {
    case ERROR: return is_chosen(name, false) ? EIO : 0;
    case FULL: return kind & NEEDS_ROOM && is_chosen(name, true) ? ENOSPC : 0;
    case BUSY: return kind & LOCKS && is_chosen(name, false) ? EAGAIN : 0;
    case HELD: return kind & LOCKS && is_chosen(name, true) ? EAGAIN : 0;
    case SIGNALLED: return kind & CAN_WAIT && is_chosen(name, false) ? EINTR : 0;
    case KILL:
        if (is_chosen(name, false)) syscall(SYS_kill, getpid(), SIGKILL);
        return 0;
    default: return 0;
    }
}

#define FAIL(condition, kind) \
    do { \
        int failure = (condition) ? fate(__func__, (kind)) : 0; \
        if (failure != 0) { \
            errno = failure; \
            return -1; \
        } \
    } while (0)

// How much of a write is made.
static size_t taken(int descriptor, const char *name, size_t size)
{
    return mode == SHORT && has(descriptor) && size > 1 && is_chosen(name, false) ? size / 2 : size;
}

// MARK: Opening and closing

#define OPENING(flags) ((flags) & O_CREAT ? CAN_WAIT | NEEDS_ROOM : CAN_WAIT)

static mode_t mode_of(int flags, va_list rest)
{
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

// The permissions of a new file, which only some flags are followed by.
#define PERMISSIONS \
    va_list rest; \
    va_start(rest, flags); \
    mode_t permissions = mode_of(flags, rest); \
    va_end(rest)

#define OPEN(function) \
    int function(const char *path, int flags, ...) \
    { \
        NEXT(function); \
        PERMISSIONS; \
        bool is_below = is_concerned(path); \
        FAIL(is_below, OPENING(flags)); \
        return noted(next(path, flags, permissions), is_below); \
    }

#define OPENAT(function) \
    int function(int place, const char *path, int flags, ...) \
    { \
        NEXT(function); \
        PERMISSIONS; \
        bool is_below = path[0] != '/' && place != AT_FDCWD ? has(place) : is_concerned(path); \
        FAIL(is_below, OPENING(flags)); \
        return noted(next(place, path, flags, permissions), is_below); \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int close(int descriptor)
{
    NEXT(close);
    bool is_below = has(descriptor);
    noted(descriptor, false);
    int result = next(descriptor);
    FAIL(is_below, 0);
    return result;
}

// MARK: Bytes

#define READING(function, parameters, arguments) \
    ssize_t function parameters \
    { \
        NEXT(function); \
        FAIL(has(descriptor), READS | CAN_WAIT); \
        return next arguments; \
    }

READING(read, (int descriptor, void *bytes, size_t size), (descriptor, bytes, size))
READING(
    pread, (int descriptor, void *bytes, size_t size, off_t offset),
    (descriptor, bytes, size, offset))
READING(
    pread64, (int descriptor, void *bytes, size_t size, off64_t offset),
    (descriptor, bytes, size, offset))

#define WRITING(function, parameters, arguments) \
    ssize_t function parameters \
    { \
        NEXT(function); \
        FAIL(has(descriptor), NEEDS_ROOM | WRITES | CAN_WAIT); \
        size = taken(descriptor, __func__, size); \
        return next arguments; \
    }

WRITING(write, (int descriptor, const void *bytes, size_t size), (descriptor, bytes, size))
WRITING(
    pwrite, (int descriptor, const void *bytes, size_t size, off_t offset),
    (descriptor, bytes, size, offset))
WRITING(
    pwrite64, (int descriptor, const void *bytes, size_t size, off64_t offset),
    (descriptor, bytes, size, offset))

ssize_t writev(int descriptor, const struct iovec *parts, int count)
{
    NEXT(writev);
    FAIL(has(descriptor), NEEDS_ROOM | WRITES | CAN_WAIT);
    return next(descriptor, parts, count);
}

ssize_t copy_file_range(int from, off64_t *start, int to, off64_t *place, size_t size, unsigned flags)
{
    NEXT(copy_file_range);
    FAIL(has(from) || has(to), NEEDS_ROOM | CAN_WAIT);
    return next(from, start, to, place, size, flags);
}

ssize_t sendfile(int to, int from, off_t *start, size_t size)
{
    static ssize_t (*next)(int, int, off_t *, size_t);
    if (next == NULL)
        next = (ssize_t(*)(int, int, off_t *, size_t))dlsym(RTLD_NEXT, "sendfile");
    FAIL(has(from) || has(to), NEEDS_ROOM | CAN_WAIT);
    return next(to, from, start, size);
}

// MARK: One descriptor

#define ON_FILE(function, kind, parameters, arguments) \
    int function parameters \
    { \
        NEXT(function); \
        FAIL(has(descriptor), kind); \
        return next arguments; \
    }

ON_FILE(fsync, NEEDS_ROOM, (int descriptor), (descriptor))
ON_FILE(fdatasync, NEEDS_ROOM, (int descriptor), (descriptor))
ON_FILE(fstat, READS, (int descriptor, struct stat *out), (descriptor, out))
ON_FILE(fstat64, READS, (int descriptor, struct stat64 *out), (descriptor, out))
ON_FILE(fchmod, 0, (int descriptor, mode_t permissions), (descriptor, permissions))
ON_FILE(fchown, 0, (int descriptor, uid_t user, gid_t group), (descriptor, user, group))
ON_FILE(ftruncate, NEEDS_ROOM | CAN_WAIT, (int descriptor, off_t size), (descriptor, size))
ON_FILE(ftruncate64, NEEDS_ROOM | CAN_WAIT, (int descriptor, off64_t size), (descriptor, size))
ON_FILE(futimens, 0, (int descriptor, const struct timespec *times), (descriptor, times))
ON_FILE(flock, operation & LOCK_NB ? LOCKS : CAN_WAIT, (int descriptor, int operation),
    (descriptor, operation))
ON_FILE(fallocate, NEEDS_ROOM, (int descriptor, int how, off_t offset, off_t size),
    (descriptor, how, offset, size))

static int control_kind(int command, void *argument)
{
    bool sets = command == F_SETLK || command == F_OFD_SETLK || command == F_SETLKW
        || command == F_OFD_SETLKW;
    if (!sets) return 0;
    return ((struct flock *)argument)->l_type != F_UNLCK ? LOCKS | CAN_WAIT : 0;
}

#define CONTROL(function) \
    int function(int descriptor, int command, ...) \
    { \
        NEXT(function); \
        va_list rest; \
        va_start(rest, command); \
        void *argument = va_arg(rest, void *); \
        va_end(rest); \
        FAIL( \
            has(descriptor) && command != F_GETFD && command != F_SETFD, \
            control_kind(command, argument)); \
        int result = next(descriptor, command, argument); \
        if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) noted(result, has(descriptor)); \
        return result; \
    }

CONTROL(fcntl)
CONTROL(fcntl64)

#define MAP(function, number_type) \
    void *function(void *at, size_t size, int access, int flags, int descriptor, number_type offset) \
    { \
        NEXT(function); \
        int failure = has(descriptor) ? fate(__func__, 0) : 0; \
        if (failure == 0) return next(at, size, access, flags, descriptor, offset); \
        errno = ENOMEM; \
        return MAP_FAILED; \
    }

MAP(mmap, off_t)
MAP(mmap64, off64_t)

// MARK: Names

#define ON_NAME(function, kind, parameters, arguments) \
    int function parameters \
    { \
        NEXT(function); \
        FAIL(is_concerned(path), kind); \
        return next arguments; \
    }

ON_NAME(stat, READS, (const char *path, struct stat *out), (path, out))
ON_NAME(stat64, READS, (const char *path, struct stat64 *out), (path, out))
ON_NAME(lstat, READS, (const char *path, struct stat *out), (path, out))
ON_NAME(lstat64, READS, (const char *path, struct stat64 *out), (path, out))
ON_NAME(access, READS, (const char *path, int how), (path, how))
ON_NAME(chmod, 0, (const char *path, mode_t permissions), (path, permissions))
ON_NAME(unlink, 0, (const char *path), (path))
ON_NAME(rmdir, 0, (const char *path), (path))
ON_NAME(mkdir, NEEDS_ROOM, (const char *path, mode_t permissions), (path, permissions))
ON_NAME(truncate, NEEDS_ROOM, (const char *path, off_t size), (path, size))
ON_NAME(rename, NEEDS_ROOM, (const char *path, const char *to), (path, to))
ON_NAME(link, NEEDS_ROOM, (const char *path, const char *to), (path, to))

int fstatat(int place, const char *path, struct stat *out, int flags)
{
    NEXT(fstatat);
    FAIL(path[0] != '/' && place != AT_FDCWD ? has(place) : is_concerned(path), READS);
    return next(place, path, out, flags);
}

int utimensat(int place, const char *path, const struct timespec *times, int flags)
{
    NEXT(utimensat);
    FAIL(is_concerned(path), 0);
    return next(place, path, times, flags);
}

int unlinkat(int place, const char *path, int flags)
{
    NEXT(unlinkat);
    FAIL(path[0] != '/' && place != AT_FDCWD ? has(place) : is_concerned(path), 0);
    return next(place, path, flags);
}

ssize_t readlink(const char *path, char *out, size_t size)
{
    NEXT(readlink);
    FAIL(is_concerned(path), READS);
    return next(path, out, size);
}

long syscall(long call, ...)
{
    static long (*next)(long, ...);
    if (next == NULL) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    va_list rest;
    va_start(rest, call);
    long words[6];
    for (int i = 0; i < 6; i++) words[i] = va_arg(rest, long);
    va_end(rest);
    if (call == SYS_renameat2) FAIL(is_concerned((const char *)words[1]), NEEDS_ROOM);
    return next(call, words[0], words[1], words[2], words[3], words[4], words[5]);
}

// MARK: Waiting

int nanosleep(const struct timespec *time, struct timespec *rest)
{
    NEXT(nanosleep);
    return mode == HELD ? 0 : next(time, rest);
}

int usleep(useconds_t time)
{
    NEXT(usleep);
    return mode == HELD ? 0 : next(time);
}

// MARK: The clock

int clock_gettime(clockid_t clock, struct timespec *time)
{
    NEXT(clock_gettime);
    int result = next(clock, time);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
        time->tv_sec += atomic_load(&shared->clock);
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    NEXT(gettimeofday);
    int result = next(time, zone);
    if (time != NULL) time->tv_sec += atomic_load(&shared->clock);
    return result;
}

time_t time(time_t *out)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out != NULL) *out = now.tv_sec;
    return now.tv_sec;
}

// MARK: SQLite's memory

static sqlite3_mem_methods memory;

static bool is_denied(const char *name)
{
    return mode == MEMORY ? is_chosen(name, false) : is_chosen(name, true);
}

static void *allocate(int size) { return is_denied("malloc") ? NULL : memory.xMalloc(size); }

static void *resize(void *block, int size)
{
    return is_denied("realloc") ? NULL : memory.xRealloc(block, size);
}

__attribute__((constructor)) static void begin(void)
{
    read_environment();
    if (mode != MEMORY && mode != NO_MEMORY) return;
    // Not linked with SQLite, so that a shell can start the program.
    int (*configure)(int, ...) = (int (*)(int, ...))dlsym(RTLD_DEFAULT, "sqlite3_config");
    if (configure == NULL) return;
    if (configure(SQLITE_CONFIG_GETMALLOC, &memory) != SQLITE_OK) abort();
    sqlite3_mem_methods denying = memory;
    denying.xMalloc = allocate;
    denying.xRealloc = resize;
    configure(SQLITE_CONFIG_MALLOC, &denying);
}
