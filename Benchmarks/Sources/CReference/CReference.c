#define _GNU_SOURCE
#include "CReference.h"
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double reference_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int reference_insert(sqlite3 *db, const reference_row *rows, int count) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code) return code;
    code = sqlite3_prepare_v2(db, "INSERT INTO ZITEM(Z_PK,Z_ENT,Z_OPT,ZPRIORITY,ZDISPLAYORDER,"
        "ZLIST,ZDUE,ZTITLE,ZNOTES) VALUES(?,1,1,?,?,?,?,?,?)", -1, &statement, NULL);
    if (code) return code;
    for (int i = 0; i < count; i++) {
        const reference_row *row = rows + i;
        sqlite3_bind_int64(statement, 1, i + 1);
        sqlite3_bind_int64(statement, 2, row->priority);
        sqlite3_bind_int64(statement, 3, row->order);
        sqlite3_bind_int64(statement, 4, row->list);
        sqlite3_bind_double(statement, 5, row->due);
        sqlite3_bind_text(statement, 6, row->title, -1, SQLITE_STATIC);
        sqlite3_bind_text(statement, 7, row->notes, -1, SQLITE_STATIC);
        if (sqlite3_step(statement) != SQLITE_DONE) return sqlite3_errcode(db);
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    return sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
}

int64_t reference_count(sqlite3 *db, const char *sql) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL)) return -1;
    int64_t count = 0;
    while (sqlite3_step(statement) == SQLITE_ROW) count++;
    sqlite3_finalize(statement);
    return count;
}

struct reference_pty {
    int file;
    pid_t pid;
    int matched; /* how much of the mark at a frame's end was read */
    int frames;  /* ended frames that nobody asked for yet */
    int ended;   /* the process was waited for */
};

reference_pty *reference_pty_open(const char *path, char *const argv[], char *const envp[],
                                  int rows, int columns) {
    reference_pty *pty = calloc(1, sizeof *pty);
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    pty->pid = forkpty(&pty->file, NULL, NULL, &size);
    if (pty->pid < 0) { free(pty); return NULL; }
    if (pty->pid == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execve(path, argv, envp);
        _exit(127);
    }
    return pty;
}

void reference_pty_send(reference_pty *pty, const char *bytes, int count) {
    while (count > 0) {
        ssize_t n = write(pty->file, bytes, (size_t)count);
        if (n < 0 && errno != EINTR) return;
        if (n > 0) { bytes += n; count -= (int)n; }
    }
}

static void count_frames(reference_pty *pty, const char *bytes, ssize_t count) {
    static const char mark[] = "\033[?2026l";
    for (ssize_t i = 0; i < count; i++) {
        if (bytes[i] == mark[pty->matched]) {
            if (mark[++pty->matched] == 0) { pty->frames++; pty->matched = 0; }
        } else {
            pty->matched = bytes[i] == mark[0];
        }
    }
}

int reference_pty_frame(reference_pty *pty, int timeout_ms, double *at) {
    char buffer[65536];
    while (pty->frames == 0) {
        struct pollfd p = {pty->file, POLLIN, 0};
        if (poll(&p, 1, timeout_ms) <= 0) return -1;
        ssize_t count = read(pty->file, buffer, sizeof buffer);
        if (count <= 0) return -1;
        *at = reference_now();
        count_frames(pty, buffer, count);
    }
    pty->frames--;
    return 0;
}

long reference_pty_settle(reference_pty *pty, int timeout_ms, int quiet_ms, double *last) {
    char buffer[65536];
    long total = 0;
    for (;;) {
        struct pollfd p = {pty->file, POLLIN, 0};
        int n = poll(&p, 1, total ? quiet_ms : timeout_ms);
        if (n <= 0) {
            pty->frames = 0;
            return total;
        }
        ssize_t count = read(pty->file, buffer, sizeof buffer);
        if (count <= 0) return total;
        if (last) *last = reference_now();
        total += count;
    }
}

int reference_pty_pid(reference_pty *pty) { return pty->pid; }

int reference_pty_lives(reference_pty *pty, int duration_ms) {
    char buffer[65536];
    double end = reference_now() + duration_ms / 1e3;
    for (double left; !pty->ended && (left = end - reference_now()) > 0;) {
        struct pollfd p = {pty->file, POLLIN, 0};
        int n = poll(&p, 1, (int)(left * 1e3) + 1);
        /* A terminal whose last process has ended gives an error. */
        if (n > 0 && read(pty->file, buffer, sizeof buffer) <= 0) {
            waitpid(pty->pid, NULL, 0);
            pty->ended = 1;
        }
    }
    if (!pty->ended && waitpid(pty->pid, NULL, WNOHANG) != 0) pty->ended = 1;
    return !pty->ended;
}

void reference_pty_close(reference_pty *pty) {
    if (pty->ended) { close(pty->file); free(pty); return; }
    kill(pty->pid, SIGTERM);
    for (int i = 0; i < 200; i++) {
        if (waitpid(pty->pid, NULL, WNOHANG) != 0) break;
        if (i == 150) kill(pty->pid, SIGKILL);
        char buffer[4096];
        struct pollfd p = {pty->file, POLLIN, 0};
        if (poll(&p, 1, 10) > 0 && read(pty->file, buffer, sizeof buffer) <= 0) break;
    }
    close(pty->file);
    waitpid(pty->pid, NULL, WNOHANG);
    free(pty);
}

int reference_run(const char *path, char *const argv[], char *const envp[],
                  const char *stdin_path, long *peak_kb) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, stdin_path ? stdin_path : "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    pid_t pid;
    int code = posix_spawnp(&pid, path, &actions, NULL, argv, envp);
    posix_spawn_file_actions_destroy(&actions);
    if (code) return -1;
    int status;
    struct rusage usage;
    while (wait4(pid, &status, 0, &usage) < 0) if (errno != EINTR) return -1;
    if (peak_kb) *peak_kb = usage.ru_maxrss;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

long reference_heap_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}

double reference_sync(const char *path, int count) {
    int file = open(path, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    char page[4096] = {0};
    double start = reference_now();
    for (int i = 0; i < count; i++) {
        if (pwrite(file, page, sizeof page, (off_t)i * 4096) < 0) break;
        fdatasync(file);
    }
    double seconds = (reference_now() - start) / count;
    close(file);
    unlink(path);
    return seconds;
}
