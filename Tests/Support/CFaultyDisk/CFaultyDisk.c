#include "CFaultyDisk.h"
#include "UnsyncedWrites.h"

#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

static sqlite3_vfs *real_vfs;
static sqlite3_vfs faulty_vfs;
static int mode;
static long chosen, count;
static _Thread_local bool has_claimed;

// What to do with an operation that changes no file: SQLITE_OK to carry it out.
static int other_operation(int error)
{
    return mode == FAULTY_ANY && ++count == chosen ? error : SQLITE_OK;
}

// What to do with a request for a lock.
static int next_lock(int error)
{
    if (mode == FAULTY_BUSY && ++count == chosen) return SQLITE_BUSY;
    if (mode == FAULTY_HELD && ++count >= chosen && chosen > 0) return SQLITE_BUSY;
    return other_operation(error);
}

// What to do with the next operation that changes a file.
static int next_operation(int error)
{
    if (mode >= FAULTY_ANY) return other_operation(error);
    count++;
    if (mode == FAULTY_FULL && count >= chosen) return SQLITE_FULL;
    if (mode == FAULTY_ERROR && count == chosen) return error;
    if (mode == FAULTY_KILL && count == chosen) kill(getpid(), SIGKILL);
    return SQLITE_OK;
}

typedef struct {
    sqlite3_file base;
    sqlite3_file *real;
    const char *path;
} faulty_file;

#define REAL(file) (((faulty_file *)(file))->real)
#define PATH(file) (((faulty_file *)(file))->path)

static int f_close(sqlite3_file *file) { return REAL(file)->pMethods->xClose(REAL(file)); }

static int f_read(sqlite3_file *file, void *data, int size, sqlite3_int64 offset)
{
    int code = other_operation(SQLITE_IOERR_READ);
    return code != SQLITE_OK ? code : REAL(file)->pMethods->xRead(REAL(file), data, size, offset);
}

static int f_write(sqlite3_file *file, const void *data, int size, sqlite3_int64 offset)
{
    int code = next_operation(SQLITE_IOERR_WRITE);
    if (code != SQLITE_OK) return code;
    unsynced_keep(PATH(file), REAL(file), size, offset);
    if (mode == FAULTY_TORN && count == chosen) {
        REAL(file)->pMethods->xWrite(REAL(file), data, size / 2, offset);
        kill(getpid(), SIGKILL);
    }
    return REAL(file)->pMethods->xWrite(REAL(file), data, size, offset);
}

static int f_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    int code = next_operation(SQLITE_IOERR_TRUNCATE);
    if (code != SQLITE_OK) return code;
    sqlite3_int64 present = 0;
    REAL(file)->pMethods->xFileSize(REAL(file), &present);
    unsynced_keep(PATH(file), REAL(file), (int)(present - size), size);
    return REAL(file)->pMethods->xTruncate(REAL(file), size);
}

static int f_sync(sqlite3_file *file, int flags)
{
    int code = next_operation(SQLITE_IOERR_FSYNC);
    if (code == SQLITE_OK) code = REAL(file)->pMethods->xSync(REAL(file), flags);
    if (code == SQLITE_OK) unsynced_forget(PATH(file));
    return code;
}

static int f_size(sqlite3_file *file, sqlite3_int64 *size)
{
    int code = other_operation(SQLITE_IOERR_FSTAT);
    return code != SQLITE_OK ? code : REAL(file)->pMethods->xFileSize(REAL(file), size);
}

static int f_lock(sqlite3_file *file, int level)
{
    int code = next_lock(SQLITE_IOERR_LOCK);
    return code != SQLITE_OK ? code : REAL(file)->pMethods->xLock(REAL(file), level);
}

static int f_unlock(sqlite3_file *file, int level)
{
    return REAL(file)->pMethods->xUnlock(REAL(file), level);
}

static int f_reserved(sqlite3_file *file, int *out)
{
    int code = other_operation(SQLITE_IOERR_CHECKRESERVEDLOCK);
    return code != SQLITE_OK ? code : REAL(file)->pMethods->xCheckReservedLock(REAL(file), out);
}

static int f_control(sqlite3_file *file, int op, void *arg)
{
    // A step of a commit; the others are questions, or tell what has happened.
    int code = op == SQLITE_FCNTL_SYNC ? other_operation(SQLITE_IOERR) : SQLITE_OK;
    return code != SQLITE_OK ? code : REAL(file)->pMethods->xFileControl(REAL(file), op, arg);
}

static int f_sector(sqlite3_file *file) { return REAL(file)->pMethods->xSectorSize(REAL(file)); }

static int f_device(sqlite3_file *file)
{
    return REAL(file)->pMethods->xDeviceCharacteristics(REAL(file));
}

static int f_map(sqlite3_file *file, int page, int size, int extend, void volatile **out)
{
    int code = other_operation(SQLITE_IOERR_SHMMAP);
    if (code != SQLITE_OK) *out = NULL;
    return code != SQLITE_OK ? code : REAL(file)->pMethods->xShmMap(REAL(file), page, size, extend, out);
}

static int f_shm_lock(sqlite3_file *file, int offset, int n, int flags)
{
    int code = flags & SQLITE_SHM_LOCK ? next_lock(SQLITE_IOERR_SHMLOCK) : SQLITE_OK;
    return code != SQLITE_OK ? code : REAL(file)->pMethods->xShmLock(REAL(file), offset, n, flags);
}

static void f_barrier(sqlite3_file *file) { REAL(file)->pMethods->xShmBarrier(REAL(file)); }

static int f_unmap(sqlite3_file *file, int remove)
{
    return REAL(file)->pMethods->xShmUnmap(REAL(file), remove);
}

static const sqlite3_io_methods methods = {
    2,       f_close,  f_read,     f_write,   f_truncate, f_sync,   f_size, f_lock, f_unlock,
    f_reserved, f_control, f_sector, f_device, f_map,     f_shm_lock, f_barrier, f_unmap,
};

static int v_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    (void)vfs;
    faulty_file *faulty = (faulty_file *)file;
    faulty->real = (sqlite3_file *)(faulty + 1);
    faulty->base.pMethods = NULL;
    faulty->path = name;
    int refusal = other_operation(SQLITE_CANTOPEN);
    if (refusal != SQLITE_OK) return refusal;
    int code = real_vfs->xOpen(real_vfs, name, faulty->real, flags, out);
    if (faulty->real->pMethods != NULL) faulty->base.pMethods = &methods;
    return code;
}

static int v_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs;
    int code = next_operation(SQLITE_IOERR_DELETE);
    if (code == SQLITE_OK) unsynced_forget(name);
    return code != SQLITE_OK ? code : real_vfs->xDelete(real_vfs, name, sync);
}

static int v_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
    (void)vfs;
    int code = other_operation(SQLITE_IOERR_ACCESS);
    return code != SQLITE_OK ? code : real_vfs->xAccess(real_vfs, name, flags, out);
}

static int v_sleep(sqlite3_vfs *vfs, int time)
{
    (void)vfs;
    return mode == FAULTY_HELD ? time : real_vfs->xSleep(real_vfs, time);
}

static sqlite3_mem_methods memory;

static bool is_denied(void)
{
    if (!has_claimed || mode < FAULTY_MEMORY) return false;
    count++;
    return mode == FAULTY_MEMORY ? count == chosen : chosen > 0 && count >= chosen;
}

static void *allocate(int size) { return is_denied() ? NULL : memory.xMalloc(size); }

static void *resize(void *block, int size)
{
    return is_denied() ? NULL : memory.xRealloc(block, size);
}

// Before anything can use SQLite: later it cannot be configured.
__attribute__((constructor)) static void take_memory(void)
{
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory) != SQLITE_OK) return;
    sqlite3_mem_methods denying = memory;
    denying.xMalloc = allocate;
    denying.xRealloc = resize;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &denying);
}

int faulty_disk_register(void)
{
    if (real_vfs != NULL) return SQLITE_OK;
    real_vfs = sqlite3_vfs_find(NULL);
    if (real_vfs == NULL) return SQLITE_ERROR;
    memcpy(&faulty_vfs, real_vfs, sizeof faulty_vfs);
    faulty_vfs.pNext = NULL;
    faulty_vfs.zName = "faulty";
    faulty_vfs.szOsFile = (int)sizeof(faulty_file) + real_vfs->szOsFile;
    faulty_vfs.xOpen = v_open;
    faulty_vfs.xDelete = v_delete;
    faulty_vfs.xAccess = v_access;
    faulty_vfs.xSleep = v_sleep;
    return sqlite3_vfs_register(&faulty_vfs, 0);
}

int faulty_disk_make_default(void)
{
    int code = faulty_disk_claim();
    unsynced_writes_are_kept = true;
    return code == SQLITE_OK ? sqlite3_vfs_register(&faulty_vfs, 1) : code;
}

static pthread_mutex_t claim = PTHREAD_MUTEX_INITIALIZER;

int faulty_disk_claim(void)
{
    pthread_mutex_lock(&claim);
    has_claimed = true;
    return faulty_disk_register();
}

void faulty_disk_release(void)
{
    faulty_disk_set(FAULTY_NEVER, 0);
    has_claimed = false;
    pthread_mutex_unlock(&claim);
}

void faulty_disk_set(int new_mode, long new_count)
{
    mode = new_mode;
    chosen = new_count;
    count = 0;
}

long faulty_disk_count(void) { return count; }
