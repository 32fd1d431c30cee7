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

/* Whether a process of a group has not ended yet. */
bool child_group_runs(pid_t group);
#endif
