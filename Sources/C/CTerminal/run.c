#define _GNU_SOURCE
#include "CTerminal.h"
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

/* Not in a group of its own: a background group may not read the terminal, and waiting for it
   would never end. While it runs, ctrl-c and ctrl-\ are for it alone, and ctrl-z stops both. */
int cterminal_run(char *const *arguments) {
    if (!arguments[0]) return -EINVAL;
    posix_spawnattr_t attributes;
    sigset_t all;
    sigset_t none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    cterminal_signal_ignore(SIGINT);
    cterminal_signal_ignore(SIGQUIT);
    cterminal_signal_default(SIGTSTP);
    pid_t child;
    int result = -posix_spawnp(&child, arguments[0], NULL, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    if (result == 0) {
        int status = 0;
        while (waitpid(child, &status, 0) < 0) {
            if (errno != EINTR) {
                result = -errno;
                break;
            }
        }
        if (result == 0) {
            result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
    }
    cterminal_signal_catch(SIGINT);
    cterminal_signal_catch(SIGQUIT);
    cterminal_signal_catch(SIGTSTP);
    return result;
}
