#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int cfiles_place(const char *made, const char *path)
{
    // RENAME_NOREPLACE is 1; where the file system does not know it, a link does the same.
    if (syscall(SYS_renameat2, AT_FDCWD, made, AT_FDCWD, path, 1u) == 0) return 0;
    if (errno == EEXIST) return EEXIST;
    if (link(made, path) == 0) {
        unlink(made);
        return 0;
    }
    if (errno == EEXIST) return EEXIST;
    if (access(path, F_OK) == 0) return EEXIST;
    return rename(made, path) == 0 ? 0 : errno;
}

int cfiles_exchange(const char *first, const char *second)
{
    // RENAME_EXCHANGE is 2.
    if (syscall(SYS_renameat2, AT_FDCWD, first, AT_FDCWD, second, 2u) == 0) return 0;
    return errno == ENOSYS || errno == ENOTSUP ? EINVAL : errno;
}

int cfiles_guard(int file)
{
    // The signal of a lease would end the program; by default this one does nothing.
    if (fcntl(file, F_SETSIG, SIGURG) != 0) return errno;
    return fcntl(file, F_SETLEASE, F_RDLCK) == 0 ? 0 : errno;
}

int cfiles_is_guarded(int file)
{
    return fcntl(file, F_GETLEASE) == F_RDLCK;
}
