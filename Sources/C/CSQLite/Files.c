#define _GNU_SOURCE
#include "CSQLite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int csqlite_fold_on_close(sqlite3 *connection, bool folds)
{
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, folds ? 0 : 1, NULL);
}

int csqlite_forbid_views(sqlite3 *connection)
{
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
}

// The file of a connection. It must not be opened a second time: closing that descriptor would drop
// the locks that this process holds on it.
static sqlite3_file *file_of(sqlite3 *connection)
{
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    return code == SQLITE_OK && file != NULL && file->pMethods != NULL ? file : NULL;
}

int csqlite_read_start(const char *path, void *bytes, int count)
{
    struct stat status;
    // Opening a pipe would wait for its writer.
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return SQLITE_CANTOPEN;
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    if (vfs == NULL) return SQLITE_CANTOPEN;
    sqlite3_file *file = sqlite3_malloc(vfs->szOsFile);
    // The parameters of a name end with an empty one; this name has none.
    char *name = sqlite3_malloc(vfs->mxPathname + 4);
    int code = file == NULL || name == NULL ? SQLITE_NOMEM : SQLITE_OK;
    if (code == SQLITE_OK) {
        memset(file, 0, (size_t)vfs->szOsFile);
        memset(name, 0, (size_t)vfs->mxPathname + 4);
        code = vfs->xFullPathname(vfs, path, vfs->mxPathname, name);
        if (code == SQLITE_OK_SYMLINK) code = SQLITE_OK;
    }
    if (code == SQLITE_OK) {
        code = vfs->xOpen(vfs, name, file, SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_READONLY, NULL);
        if (code == SQLITE_OK) code = file->pMethods->xRead(file, bytes, count, 0);
        if (file->pMethods != NULL) file->pMethods->xClose(file);
    }
    sqlite3_free(name);
    sqlite3_free(file);
    return code;
}

int csqlite_read_file(sqlite3 *connection, int64_t offset, void *bytes, int count)
{
    sqlite3_file *file = file_of(connection);
    return file == NULL ? SQLITE_CANTOPEN : file->pMethods->xRead(file, bytes, count, offset);
}

int csqlite_lock_file(sqlite3 *connection)
{
    sqlite3_file *file = file_of(connection);
    if (file == NULL) return SQLITE_CANTOPEN;
    int code = file->pMethods->xLock(file, SQLITE_LOCK_SHARED);
    if (code != SQLITE_OK) return code;
    code = file->pMethods->xLock(file, SQLITE_LOCK_EXCLUSIVE);
    if (code != SQLITE_OK) file->pMethods->xUnlock(file, SQLITE_LOCK_NONE);
    return code;
}

void csqlite_unlock_file(sqlite3 *connection)
{
    sqlite3_file *file = file_of(connection);
    if (file != NULL) file->pMethods->xUnlock(file, SQLITE_LOCK_NONE);
}

int csqlite_hold_file(sqlite3 *connection)
{
    sqlite3_file *file = file_of(connection);
    if (file == NULL) return SQLITE_CANTOPEN;
    int code = file->pMethods->xLock(file, SQLITE_LOCK_EXCLUSIVE);
    if (code != SQLITE_OK) file->pMethods->xUnlock(file, SQLITE_LOCK_SHARED);
    return code;
}

void csqlite_release_file(sqlite3 *connection)
{
    sqlite3_file *file = file_of(connection);
    if (file != NULL) file->pMethods->xUnlock(file, SQLITE_LOCK_SHARED);
}

static int note_length(void *length, sqlite3 *connection, const char *name, int frames)
{
    (void)connection;
    (void)name;
    *(int32_t *)length = frames;
    return SQLITE_OK;
}

void csqlite_watch_log(sqlite3 *connection, int32_t *frames)
{
    sqlite3_wal_autocheckpoint(connection, 0);
    sqlite3_wal_hook(connection, note_length, frames);
}
