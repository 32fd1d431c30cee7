#ifndef CREFERENCE_H
#define CREFERENCE_H
#include <sqlite3.h>
#include <stdint.h>
#include <sys/types.h>

/* Raw statements against the same table; the reference that ratios refer to. */
typedef struct {
    const char *title, *notes;
    int64_t priority, order, list;
    double due;
} reference_row;

/* Inserts rows in one transaction; returns 0 or an SQLite code. */
int reference_insert(sqlite3 *db, const reference_row *rows, int count);
/* Steps a statement to its end and closes it; returns how many rows there were, or -1. */
int64_t reference_count(sqlite3 *db, const char *sql);

/* A program on a pseudo terminal. */
typedef struct reference_pty reference_pty;
reference_pty *reference_pty_open(const char *path, char *const argv[], char *const envp[],
                                  int rows, int columns);
void reference_pty_send(reference_pty *pty, const char *bytes, int count);
/* Reads until nothing came for quiet_ms; returns the bytes read, and in *last the time of the
   last byte in seconds of the monotonic clock. At most timeout_ms for the first byte. */
long reference_pty_settle(reference_pty *pty, int timeout_ms, int quiet_ms, double *last);
/* Reads to the end of the next frame, which the program marks (synchronized output, mode 2026);
   returns 0, or -1 after timeout_ms; *at is the time of its last byte. */
int reference_pty_frame(reference_pty *pty, int timeout_ms, double *at);
/* Reads for duration_ms; returns whether the process still runs then. */
int reference_pty_lives(reference_pty *pty, int duration_ms);
int reference_pty_pid(reference_pty *pty);
void reference_pty_close(reference_pty *pty);
double reference_now(void);
/* Runs a program to its end with output to /dev/null; returns its exit code, -1 on failure, and in
   *peak_kb the most memory it held. */
int reference_run(const char *path, char *const argv[], char *const envp[],
                  const char *stdin_path, long *peak_kb);
/* The bytes that this process holds from malloc. */
long reference_heap_bytes(void);
/* Appends and syncs 4 KB count times; returns seconds for one. */
double reference_sync(const char *path, int count);
#endif
