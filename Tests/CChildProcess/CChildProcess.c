#define _GNU_SOURCE
#include "CChildProcess.h"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>

int child_spawn(
    pid_t *child, const char *path, char *const arguments[], char *const environment[],
    const char *folder, char *const files[3]
) {
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

// Whether a process is of a group and has not ended: what has ended may be listed until somebody asks
// how, but holds nothing any more.
static bool is_running_in(pid_t group, const char *process) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%.16s/stat", process);
    FILE *file = fopen(path, "re");
    if (file == NULL) return false;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    // The name before these may have any character.
    const char *end = strrchr(text, ')');
    char state;
    int parent, own;
    if (end == NULL || sscanf(end + 1, " %c %d %d", &state, &parent, &own) != 3) return false;
    return own == group && state != 'Z' && state != 'X';
}

bool child_group_runs(pid_t group) {
    DIR *processes = opendir("/proc");
    if (processes == NULL) return false;
    bool runs = false;
    struct dirent *entry;
    while (!runs && (entry = readdir(processes)) != NULL)
        runs = entry->d_name[0] >= '1' && entry->d_name[0] <= '9'
            && is_running_in(group, entry->d_name);
    closedir(processes);
    return runs;
}
