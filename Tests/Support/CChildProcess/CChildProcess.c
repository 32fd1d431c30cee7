#define _GNU_SOURCE
#include "CChildProcess.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

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

// A process of the group that has not ended; 0 if there is none.
static pid_t running_in(pid_t group) {
    DIR *processes = opendir("/proc");
    if (processes == NULL) return 0;
    pid_t found = 0;
    struct dirent *entry;
    while (found == 0 && (entry = readdir(processes)) != NULL)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9'
            && is_running_in(group, entry->d_name))
            found = (pid_t)atoi(entry->d_name);
    closedir(processes);
    return found;
}

// Becomes readable when the process ends; -1 if it is gone.
static int end_of(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

void child_await_group(pid_t group) {
    pid_t process;
    while ((process = running_in(group)) != 0) {
        int end = end_of(process);
        if (end < 0) continue;
        struct pollfd waiting = {.fd = end, .events = POLLIN};
        while (poll(&waiting, 1, -1) < 0 && errno == EINTR) {}
        close(end);
    }
}

int folder_watch(const char *folder) {
    int watch = inotify_init1(IN_CLOEXEC);
    if (watch < 0) return -1;
    uint32_t changes = IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;
    if (inotify_add_watch(watch, folder, changes) >= 0) return watch;
    close(watch);
    return -1;
}

// How many records are in some bytes of inotify.
static int records_in(const char *bytes, ssize_t length) {
    int count = 0;
    for (ssize_t place = 0; place < length; count++) {
        struct inotify_event event;
        memcpy(&event, bytes + place, sizeof event);
        place += (ssize_t)(sizeof event + event.len);
    }
    return count;
}

int folder_await(int watch, pid_t process, int count) {
    int end = end_of(process);
    int seen = 0;
    while (seen < count && end >= 0) {
        struct pollfd waiting[2] = {
            {.fd = watch, .events = POLLIN}, {.fd = end, .events = POLLIN}};
        // The limit only says that the test hangs.
        int ready = poll(waiting, 2, 120000);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) {
            seen = -1;
            break;
        }
        if (waiting[0].revents != 0) {
            // One or two records at a time, so that few are taken that come after the last.
            char bytes[sizeof(struct inotify_event) + NAME_MAX + 1];
            seen += records_in(bytes, read(watch, bytes, sizeof bytes));
        } else {
            break;
        }
    }
    if (end >= 0) close(end);
    return seen;
}
