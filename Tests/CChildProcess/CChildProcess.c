#define _GNU_SOURCE
#include "CChildProcess.h"
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>

int child_spawn(
    pid_t *child, const char *path, char *const arguments[], char *const environment[],
    const char *folder, char *const files[3]
) {
    // What outlives a program becomes this process's child, which can wait for its end.
    prctl(PR_SET_CHILD_SUBREAPER, 1);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    int creating = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, 0, files[0], O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, files[1], creating, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, files[2], creating, 0600);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    posix_spawn_file_actions_addchdir_np(&actions, folder);

    posix_spawnattr_t attributes;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);

    int result = posix_spawn(child, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return result;
}
