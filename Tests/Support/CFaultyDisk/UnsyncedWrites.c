#include "UnsyncedWrites.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// What a write has replaced; what was behind the end of the file are zeroes.
typedef struct unsynced_write {
    struct unsynced_write *former;
    sqlite3_int64 offset;
    int size;
    char *path;
    char data[];
} unsynced_write;

static unsynced_write *last;
bool unsynced_writes_are_kept;

void unsynced_keep(const char *path, sqlite3_file *file, int size, sqlite3_int64 offset)
{
    if (!unsynced_writes_are_kept || path == NULL || size <= 0) return;
    unsynced_write *write = calloc(1, sizeof *write + (size_t)size);
    if (write == NULL) abort();
    // A short read fills up with zeroes.
    file->pMethods->xRead(file, write->data, size, offset);
    write->former = last;
    write->offset = offset;
    write->size = size;
    write->path = strdup(path);
    last = write;
}

static void drop(unsynced_write **place)
{
    unsynced_write *write = *place;
    *place = write->former;
    free(write->path);
    free(write);
}

void unsynced_forget(const char *path)
{
    for (unsynced_write **place = &last; path != NULL && *place != NULL;) {
        if (strcmp((*place)->path, path) == 0) {
            drop(place);
        } else {
            place = &(*place)->former;
        }
    }
}

// Whether a file has a log that was changed after it. File systems keep the order of such changes, but
// what is taken back here changes the file once more.
static bool has_newer_log(const char *path, char *log, size_t size)
{
    struct stat one, other;
    snprintf(log, size, "%s-wal", path);
    if (stat(path, &one) != 0 || stat(log, &other) != 0) return false;
    if (one.st_ctim.tv_sec != other.st_ctim.tv_sec) return one.st_ctim.tv_sec < other.st_ctim.tv_sec;
    return one.st_ctim.tv_nsec <= other.st_ctim.tv_nsec;
}

// Gives a file back what a write has replaced.
static bool take_back(const unsynced_write *write)
{
    char log[4096];
    bool is_newer = has_newer_log(write->path, log, sizeof log);
    int file = open(write->path, O_WRONLY);
    if (file < 0) return false;
    bool is_lost = pwrite(file, write->data, (size_t)write->size, write->offset) == write->size;
    close(file);
    if (is_newer) utimensat(AT_FDCWD, log, NULL, 0);
    return is_lost;
}

long faulty_disk_lose_power(const char *folder, uint64_t choices)
{
    long lost = 0;
    for (unsynced_write **place = &last; *place != NULL;) {
        unsynced_write *write = *place;
        if (strncmp(write->path, folder, strlen(folder)) != 0) {
            place = &write->former;
            continue;
        }
        choices = choices * 6364136223846793005u + 1442695040888963407u;
        if (choices >> 63) lost += take_back(write);
        drop(place);
    }
    return lost;
}
