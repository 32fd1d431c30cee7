#define _GNU_SOURCE
#include "CTerminal.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

static int notices[2] = {-1, -1};
static struct termios saved_modes;
static volatile sig_atomic_t have_modes;
static char restoring[1024];
static volatile sig_atomic_t restoring_length;
static volatile sig_atomic_t armed;
static int real_errors = -1;
static int held_errors = -1;
static volatile sig_atomic_t holding;

static const int caught[] = {
    SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT, SIGQUIT,
    /* Those that nobody sends on purpose end the program like SIGTERM. */
    SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR, SIGSTKFLT, SIGXCPU, SIGXFSZ,
};
static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS};
enum { CAUGHT = sizeof caught / sizeof *caught, FATAL = sizeof fatal / sizeof *fatal };
static struct sigaction caught_before[CAUGHT];
static struct sigaction fatal_before[FATAL];
static struct sigaction pipe_before;
static char fatal_stack[64 * 1024];

static void ignore_result(ssize_t result) { (void)result; }

/* Everything in a handler is async-signal-safe: write, tcsetattr, dup2, sigaction. */

static void notice(int signal) {
    int error = errno;
    unsigned char byte = (unsigned char)signal;
    ignore_result(write(notices[1], &byte, 1));
    errno = error;
}

static void put_back(void) {
    if (armed) {
        armed = 0;
        ignore_result(write(STDOUT_FILENO, restoring, (size_t)restoring_length));
        cterminal_restore_modes();
    }
    cterminal_release_errors();
}

static void die(int signal) {
    put_back();
    for (int place = 0; place < FATAL; place++) {
        if (fatal[place] == signal) sigaction(signal, &fatal_before[place], NULL);
    }
    raise(signal);
}

static void set_handler(
    int signal, void (*handler)(int), int flags, struct sigaction *_Nullable before
) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigfillset(&action.sa_mask);
    sigaction(signal, &action, before);
}

int cterminal_signals_install(void) {
    static bool exit_registered;
    if (notices[0] < 0 && pipe2(notices, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    for (int place = 0; place < CAUGHT; place++) {
        set_handler(caught[place], notice, SA_RESTART, &caught_before[place]);
    }
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++) cterminal_signal_catch(signal);
    /* A stack of their own, so that a stack overflow is handled too. */
    stack_t stack = {.ss_sp = fatal_stack, .ss_size = sizeof fatal_stack};
    sigaltstack(&stack, NULL);
    for (int place = 0; place < FATAL; place++) {
        set_handler(fatal[place], die, SA_ONSTACK, &fatal_before[place]);
    }
    set_handler(SIGPIPE, SIG_IGN, 0, &pipe_before);
    if (!exit_registered) {
        exit_registered = true;
        atexit(put_back);
    }
    return notices[0];
}

void cterminal_signals_remove(void) {
    for (int place = 0; place < CAUGHT; place++) {
        sigaction(caught[place], &caught_before[place], NULL);
    }
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++) cterminal_signal_default(signal);
    for (int place = 0; place < FATAL; place++) {
        sigaction(fatal[place], &fatal_before[place], NULL);
    }
    sigaction(SIGPIPE, &pipe_before, NULL);
}

void cterminal_signal_default(int signal) { set_handler(signal, SIG_DFL, 0, NULL); }
void cterminal_signal_ignore(int signal) { set_handler(signal, SIG_IGN, 0, NULL); }
void cterminal_signal_catch(int signal) { set_handler(signal, notice, SA_RESTART, NULL); }

bool cterminal_save_modes(void) {
    have_modes = tcgetattr(STDIN_FILENO, &saved_modes) == 0;
    return have_modes;
}

void cterminal_restore_modes(void) {
    if (have_modes) tcsetattr(STDIN_FILENO, TCSANOW, &saved_modes);
}

void cterminal_arm(const char *bytes, size_t count) {
    armed = 0;
    if (count > sizeof restoring) count = sizeof restoring;
    memcpy(restoring, bytes, count);
    restoring_length = (sig_atomic_t)count;
    armed = 1;
}

void cterminal_disarm(void) { armed = 0; }

void cterminal_hold_errors(void) {
    if (holding || !isatty(STDERR_FILENO)) return;
    if (held_errors < 0) held_errors = memfd_create("errors", MFD_CLOEXEC);
    if (real_errors < 0) real_errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
    if (held_errors < 0 || real_errors < 0) return;
    holding = dup2(held_errors, STDERR_FILENO) >= 0;
}

void cterminal_release_errors(void) {
    if (!holding) return;
    holding = 0;
    dup2(real_errors, STDERR_FILENO);
    char bytes[4096];
    off_t place = 0;
    ssize_t count;
    while ((count = pread(held_errors, bytes, sizeof bytes, place)) > 0) {
        place += count;
        ignore_result(write(STDERR_FILENO, bytes, (size_t)count));
    }
    ignore_result(ftruncate(held_errors, 0));
    lseek(held_errors, 0, SEEK_SET);
}
