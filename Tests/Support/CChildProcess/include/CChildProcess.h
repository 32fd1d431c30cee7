/* Starting a program that inherits nothing. */
#ifndef CCHILDPROCESS_H
#define CCHILDPROCESS_H
#include <stdbool.h>
#include <sys/types.h>

/* Starts a program as the leader of a process group of its own, with three files, no other open
   file, and every signal as at first. `files` are the paths of input, output and errors; the last
   two are created or emptied. Returns 0 or an error number. */
int child_spawn(
    pid_t *child, const char *path, char *const arguments[], char *const environment[],
    const char *folder, char *const files[3]);

/* Waits until every process of a group has ended, its leader included. */
void child_await_group(pid_t group);

/* A file descriptor that tells what changes in a folder from now on; -1 if it cannot be watched. */
int folder_watch(const char *folder);

/* Waits until a folder has changed a number of times, or a process has ended. Returns how many
   changes were seen; -1 if neither happened for two minutes. */
int folder_await(int watch, pid_t process, int count);
#endif
