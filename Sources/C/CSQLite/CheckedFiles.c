#define _GNU_SOURCE
#include "CSQLite.h"
#include "PageCheck.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

// A file system for SQLite above another one: it writes the checksum of a page into the bytes that a
// store's pages keep free for it, and compares it when a page is read. Only the database file has
// checksums: the log has its own, and its pages get theirs when they are moved into the file.
//
// A page without its checksum is passed on as it is, and counted. Another program may have written
// it, which is allowed: it leaves the checksum of the former page there. So even a page that differs
// in one bit only may be right; `sqlite3` changes a flag so. The bit is corrected for a connection
// that trusts the checksums more: one that repairs, or one without which the file cannot be read.
//
// SQLite gets zeros for the checksum of a right page. So a page of our log that another program moves
// into the file has no checksum there, instead of that of the page before. For another page it gets a
// mark, which it carries along into its log and into copies, whichever process writes them. A marked
// page never gets a checksum of what it holds: one that differs in one bit keeps its checksum in a
// copy, one that differs in more its mark. One that differs from its checksum is not written to the
// log at all, nor freed, used for something else or cut off: SQLite could have moved what it holds to
// another page, which would get a checksum, and a bit could not be corrected any more. Only a page
// without any checksum, which another program has moved from our log, is written, with its mark.

// A set of numbers of pages.
typedef struct {
    uint8_t *bits;
    uint32_t capacity, largest;
    // Looked at without the lock: nearly always there are none.
    atomic_uint count;
    // There was no memory: every number counts as one of the set.
    bool is_all;
} page_set;

// What all connections of the process have met in a file: lists are read through snapshots too.
typedef struct met_pages {
    struct met_pages *next;
    char *name;
    int users;
    csqlite_pages pages;
    // Those that differ from their checksum.
    page_set different;
} met_pages;

typedef struct {
    sqlite3_file base;
    sqlite3_file *real;
    int state;
    met_pages *met;
    bool trusts;
    // Of a log: where the last header of a frame was written, its page, and the size of the file if
    // it ends a transaction.
    sqlite3_int64 frame;
    uint32_t frame_page, frame_size;
} checked_file;

typedef struct {
    sqlite3_vfs base;
    sqlite3_vfs *real;
    char name[64];
} checked_vfs;

#define REAL(file) (((checked_file *)(file))->real)

// The size of the header of a page in a log.
enum { FRAME = 24 };

static const uint8_t signature[16] = "SQLite format 3";

static pthread_mutex_t meeting = PTHREAD_MUTEX_INITIALIZER;
static met_pages *all_met;

static met_pages *join(const char *name)
{
    pthread_mutex_lock(&meeting);
    met_pages *met = all_met;
    while (met != NULL && strcmp(met->name, name) != 0) met = met->next;
    if (met == NULL && (met = calloc(1, sizeof *met)) != NULL) {
        met->name = strdup(name);
        if (met->name == NULL) {
            free(met);
            met = NULL;
        } else {
            met->next = all_met;
            all_met = met;
        }
    }
    if (met != NULL) met->users++;
    pthread_mutex_unlock(&meeting);
    return met;
}

static void leave(met_pages *met)
{
    if (met == NULL) return;
    pthread_mutex_lock(&meeting);
    if (--met->users == 0) {
        met_pages **link = &all_met;
        while (*link != met) link = &(*link)->next;
        *link = met->next;
        free(met->different.bits);
        free(met->name);
        free(met);
    }
    pthread_mutex_unlock(&meeting);
}

static void add(csqlite_page_list *list, uint32_t number)
{
    for (size_t i = 0; i < CSQLITE_NOTED_PAGES && i < list->count; i++)
        if (list->numbers[i] == number) return;
    if (list->count < CSQLITE_NOTED_PAGES) list->numbers[list->count] = number;
    list->count++;
}

static bool has(const page_set *set, uint32_t number)
{
    return set->is_all || (number < set->capacity && (set->bits[number / 8] >> number % 8 & 1) != 0);
}

static void put(page_set *set, uint32_t number)
{
    if (has(set, number)) return;
    if (number >= set->capacity) {
        uint32_t capacity = (number | 8191) + 1;
        uint8_t *bits = realloc(set->bits, capacity / 8);
        if (bits != NULL) {
            memset(bits + set->capacity / 8, 0, (capacity - set->capacity) / 8);
            set->bits = bits;
            set->capacity = capacity;
        } else {
            set->is_all = true;
        }
    }
    if (!set->is_all) set->bits[number / 8] |= (uint8_t)(1 << number % 8);
    if (number > set->largest) set->largest = number;
    set->count++;
}

static void take(page_set *set, uint32_t number)
{
    if (set->is_all || !has(set, number)) return;
    set->bits[number / 8] &= (uint8_t)~(1 << number % 8);
    set->count--;
}

// Takes a page that is right, where it is read from, out of those that differ.
static void note_right(met_pages *met, uint32_t number)
{
    if (met->different.count == 0) return;
    pthread_mutex_lock(&meeting);
    take(&met->different, number);
    pthread_mutex_unlock(&meeting);
}

// Compares a page with its checksum, notes what is wrong, and corrects it for a connection that
// trusts the checksum.
//
// `doubt` is the bit in which the page still differs, PAGECHECK_NO_BIT if it differs in more.
static pagecheck_result settle(
    csqlite_pages *pages, uint8_t *page, uint32_t number, bool trusts, uint32_t *doubt)
{
    uint32_t bit = PAGECHECK_NO_BIT;
    pagecheck_result result = pagecheck_compare(page, number, &bit);
    *doubt = result == PAGECHECK_ONE_BIT ? bit : PAGECHECK_NO_BIT;
    if (result == PAGECHECK_RIGHT) return result;
    pthread_mutex_lock(&meeting);
    if (result == PAGECHECK_UNKNOWN) add(&pages->unknown, number);
    if (result == PAGECHECK_SUM_WRONG) add(&pages->corrected, number);
    if (result == PAGECHECK_ONE_BIT) add(trusts ? &pages->corrected : &pages->one_bit, number);
    pthread_mutex_unlock(&meeting);
    if (result == PAGECHECK_ONE_BIT && trusts) pagecheck_flip(page, bit);
    return result;
}

static bool seems_checked(const uint8_t *page)
{
    return memcmp(page, signature, sizeof signature) == 0 && page[20] == PAGECHECK_ROOM
        && (page[16] << 8 | page[17]) == PAGECHECK_PAGE;
}

// Corrects the first page, whatever the connection: nobody changes a single bit of it, because each
// write of it counts two counters up. It also says whether the other pages have checksums.
//
// A page that belongs to a file without checksums counts as right.
static pagecheck_result settle_first(checked_file *file, uint8_t *page)
{
    uint32_t bit = 0;
    pagecheck_result result = pagecheck_compare(page, 1, &bit);
    if (result == PAGECHECK_ONE_BIT) pagecheck_flip(page, bit);
    if (memcmp(page, signature, sizeof signature) == 0)
        file->state = seems_checked(page) ? CSQLITE_CHECKED : CSQLITE_UNCHECKED;
    if (file->state != CSQLITE_CHECKED) return PAGECHECK_RIGHT;
    return result == PAGECHECK_ONE_BIT ? PAGECHECK_SUM_WRONG : result;
}

// Reads the first page before anything is known of the file, or for its beginning.
static int read_first(checked_file *file, uint8_t *page)
{
    int code = file->real->pMethods->xRead(file->real, page, PAGECHECK_PAGE, 0);
    if (code == SQLITE_OK) settle_first(file, page);
    return code;
}

static int c_close(sqlite3_file *file)
{
    int code = REAL(file)->pMethods->xClose(REAL(file));
    leave(((checked_file *)file)->met);
    file->pMethods = NULL;
    return code;
}

static int c_read(sqlite3_file *base, void *data, int size, sqlite3_int64 offset)
{
    checked_file *file = (checked_file *)base;
    if (offset == 0 && size < PAGECHECK_PAGE) {
        // The header. It is read without a lock, so what is wrong is not counted.
        uint8_t page[PAGECHECK_PAGE];
        if (read_first(file, page) == SQLITE_OK) {
            memcpy(data, page, (size_t)size);
            return SQLITE_OK;
        }
    }
    int code = file->real->pMethods->xRead(file->real, data, size, offset);
    if (code != SQLITE_OK || size != PAGECHECK_PAGE || offset % PAGECHECK_PAGE != 0) return code;
    uint8_t *page = data;
    pagecheck_result result = PAGECHECK_RIGHT;
    uint32_t bit = PAGECHECK_NO_BIT;
    if (offset == 0) {
        result = settle_first(file, page);
        if (result != PAGECHECK_RIGHT) {
            csqlite_pages *pages = &file->met->pages;
            pthread_mutex_lock(&meeting);
            add(result == PAGECHECK_UNKNOWN ? &pages->unknown : &pages->corrected, 1);
            pthread_mutex_unlock(&meeting);
        }
    } else if (file->state == CSQLITE_UNKNOWN) {
        uint8_t first[PAGECHECK_PAGE];
        read_first(file, first);
    }
    if (file->state != CSQLITE_CHECKED) return SQLITE_OK;
    uint32_t number = (uint32_t)(offset / PAGECHECK_PAGE) + 1;
    if (offset > 0) result = settle(&file->met->pages, page, number, file->trusts, &bit);
    if (result != PAGECHECK_UNKNOWN && (result != PAGECHECK_ONE_BIT || file->trusts)) {
        pagecheck_clear(page);
        note_right(file->met, number);
        return SQLITE_OK;
    }
    // The first page changes with every program's writes; there is nothing to move on it but names.
    if (offset == 0 || (result == PAGECHECK_UNKNOWN && pagecheck_has_no_sum(page)))
        bit = PAGECHECK_NO_SUM;
    pagecheck_mark(page, bit);
    if (bit != PAGECHECK_NO_SUM) {
        pthread_mutex_lock(&meeting);
        put(&file->met->different, number);
        pthread_mutex_unlock(&meeting);
    }
    return SQLITE_OK;
}

// Gives a page the checksum with which it was read, from which it differs in one bit.
//
// Only a copy can have it, whose file has no such page yet: elsewhere the page may be another one by
// now.
static int seal_as_read(checked_file *file, uint8_t *page, uint32_t number, uint32_t bit)
{
    sqlite3_int64 size = 0;
    int code = file->real->pMethods->xFileSize(file->real, &size);
    if (code != SQLITE_OK) return code;
    if (size >= (sqlite3_int64)number * PAGECHECK_PAGE || bit >= 8 * PAGECHECK_PAGE)
        return SQLITE_IOERR_DATA;
    pagecheck_flip(page, bit);
    pagecheck_seal(page, number);
    pagecheck_flip(page, bit);
    return SQLITE_OK;
}

static int c_write(sqlite3_file *base, const void *data, int size, sqlite3_int64 offset)
{
    checked_file *file = (checked_file *)base;
    bool is_page = size == PAGECHECK_PAGE && offset % PAGECHECK_PAGE == 0;
    if (offset == 0 && is_page)
        file->state = seems_checked(data) ? CSQLITE_CHECKED : CSQLITE_UNCHECKED;
    if (!is_page || file->state != CSQLITE_CHECKED)
        return file->real->pMethods->xWrite(file->real, data, size, offset);
    // SQLite goes on using its page while it is written.
    uint8_t page[PAGECHECK_PAGE];
    memcpy(page, data, PAGECHECK_PAGE);
    uint32_t number = (uint32_t)(offset / PAGECHECK_PAGE) + 1;
    uint32_t bit = PAGECHECK_NO_BIT;
    if (!pagecheck_is_marked(page, &bit)) {
        pagecheck_seal(page, number);
    } else if (bit == PAGECHECK_NO_SUM) {
        pagecheck_clear(page);
    } else if (bit != PAGECHECK_NO_BIT) {
        int code = seal_as_read(file, page, number, bit);
        if (code != SQLITE_OK) return code;
    }
    return file->real->pMethods->xWrite(file->real, page, size, offset);
}

// Whether a page for the log differs from its checksum, or takes the place of one that does, which is
// freed, used for something else or cut off.
static bool is_refused(checked_file *log, const uint8_t *page, bool is_new)
{
    uint32_t bit = PAGECHECK_NO_BIT;
    if (pagecheck_is_marked(page, &bit)) return bit != PAGECHECK_NO_SUM;
    page_set *set = &log->met->different;
    if (set->count == 0) return false;
    pthread_mutex_lock(&meeting);
    bool result = is_new && has(set, log->frame_page);
    uint32_t freed = pagecheck_freed(page);
    for (uint32_t i = 0; i < freed && !result; i++)
        result = has(set, pagecheck_number(page + 8 + 4 * i));
    if (is_new && log->frame_size > 0)
        for (uint32_t number = log->frame_size; number < set->largest && !result; number++)
            result = has(set, number + 1);
    pthread_mutex_unlock(&meeting);
    return result;
}

static int c_write_log(sqlite3_file *file, const void *data, int size, sqlite3_int64 offset)
{
    checked_file *log = (checked_file *)file;
    if (size == FRAME) {
        log->frame = offset;
        log->frame_page = pagecheck_number(data);
        log->frame_size = pagecheck_number((const uint8_t *)data + 4);
    }
    // A page that is already in the log, from this transaction, is written again without a header.
    bool is_new = log->frame > 0 && offset == log->frame + FRAME;
    if (size == PAGECHECK_PAGE && is_refused(log, data, is_new)) return CSQLITE_REFUSED_PAGE;
    return log->real->pMethods->xWrite(log->real, data, size, offset);
}

// A page that the log has does not differ any more.
static int c_read_log(sqlite3_file *file, void *data, int size, sqlite3_int64 offset)
{
    checked_file *log = (checked_file *)file;
    int code = log->real->pMethods->xRead(log->real, data, size, offset);
    if (code != SQLITE_OK || size != PAGECHECK_PAGE || log->met->different.count == 0) return code;
    uint8_t number[4];
    uint32_t bit;
    if (offset >= FRAME && !pagecheck_is_marked(data, &bit)
        && log->real->pMethods->xRead(log->real, number, sizeof number, offset - FRAME) == SQLITE_OK)
        note_right(log->met, pagecheck_number(number));
    return code;
}

// Calls that the file below answers.
#define PASS(name, method, parameters, ...)                                                        \
    static int name parameters { return REAL(file)->pMethods->method(REAL(file), ##__VA_ARGS__); }

PASS(c_truncate, xTruncate, (sqlite3_file *file, sqlite3_int64 size), size)
PASS(c_sync, xSync, (sqlite3_file *file, int flags), flags)
PASS(c_size, xFileSize, (sqlite3_file *file, sqlite3_int64 *size), size)
PASS(c_lock, xLock, (sqlite3_file *file, int level), level)
PASS(c_unlock, xUnlock, (sqlite3_file *file, int level), level)
PASS(c_reserved, xCheckReservedLock, (sqlite3_file *file, int *out), out)
PASS(c_control, xFileControl, (sqlite3_file *file, int operation, void *argument), operation, argument)
PASS(c_sector, xSectorSize, (sqlite3_file *file))
PASS(c_device, xDeviceCharacteristics, (sqlite3_file *file))
PASS(c_map, xShmMap, (sqlite3_file *file, int page, int size, int extends, void volatile **out), page, size, extends, out)
PASS(c_shm_lock, xShmLock, (sqlite3_file *file, int offset, int count, int flags), offset, count, flags)
PASS(c_unmap, xShmUnmap, (sqlite3_file *file, int removes), removes)

static void c_barrier(sqlite3_file *file) { REAL(file)->pMethods->xShmBarrier(REAL(file)); }

// Version 2: without memory mapping, which would pass pages by the checks.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = c_close,
    .xRead = c_read,
    .xWrite = c_write,
    .xTruncate = c_truncate,
    .xSync = c_sync,
    .xFileSize = c_size,
    .xLock = c_lock,
    .xUnlock = c_unlock,
    .xCheckReservedLock = c_reserved,
    .xFileControl = c_control,
    .xSectorSize = c_sector,
    .xDeviceCharacteristics = c_device,
    .xShmMap = c_map,
    .xShmLock = c_shm_lock,
    .xShmBarrier = c_barrier,
    .xShmUnmap = c_unmap,
};

static const sqlite3_io_methods log_methods = {
    .iVersion = 1,
    .xClose = c_close,
    .xRead = c_read_log,
    .xWrite = c_write_log,
    .xTruncate = c_truncate,
    .xSync = c_sync,
    .xFileSize = c_size,
    .xLock = c_lock,
    .xUnlock = c_unlock,
    .xCheckReservedLock = c_reserved,
    .xFileControl = c_control,
    .xSectorSize = c_sector,
    .xDeviceCharacteristics = c_device,
};

// MARK: The file system

static sqlite3_vfs *real_of(sqlite3_vfs *vfs) { return ((checked_vfs *)vfs)->real; }

static int v_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *out)
{
    sqlite3_vfs *real = real_of(vfs);
    // Journals and temporary files are those of the file system below.
    if ((flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)) == 0)
        return real->xOpen(real, name, base, flags, out);
    checked_file *file = (checked_file *)base;
    memset(file, 0, sizeof *file);
    file->real = (sqlite3_file *)(file + 1);
    bool is_log = (flags & SQLITE_OPEN_WAL) != 0;
    if (!is_log) file->trusts = sqlite3_uri_boolean(name, "og_trusts_checksums", 0);
    file->met = join(name == NULL ? "" : is_log ? sqlite3_filename_database(name) : name);
    if (file->met == NULL) return SQLITE_NOMEM;
    int code = real->xOpen(real, name, file->real, flags, out);
    // Without methods SQLite does not close the file.
    if (file->real->pMethods != NULL)
        file->base.pMethods = is_log ? &log_methods : &methods;
    else
        leave(file->met);
    return code;
}

static int v_delete(sqlite3_vfs *vfs, const char *name, int syncs)
{
    return real_of(vfs)->xDelete(real_of(vfs), name, syncs);
}

static int v_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
    return real_of(vfs)->xAccess(real_of(vfs), name, flags, out);
}

static int v_path(sqlite3_vfs *vfs, const char *name, int size, char *out)
{
    return real_of(vfs)->xFullPathname(real_of(vfs), name, size, out);
}

static void *v_dl_open(sqlite3_vfs *vfs, const char *name)
{
    return real_of(vfs)->xDlOpen(real_of(vfs), name);
}

static void v_dl_error(sqlite3_vfs *vfs, int size, char *out)
{
    real_of(vfs)->xDlError(real_of(vfs), size, out);
}

static void (*v_dl_symbol(sqlite3_vfs *vfs, void *library, const char *name))(void)
{
    return real_of(vfs)->xDlSym(real_of(vfs), library, name);
}

static void v_dl_close(sqlite3_vfs *vfs, void *library)
{
    real_of(vfs)->xDlClose(real_of(vfs), library);
}

static int v_random(sqlite3_vfs *vfs, int size, char *out)
{
    return real_of(vfs)->xRandomness(real_of(vfs), size, out);
}

static int v_sleep(sqlite3_vfs *vfs, int microseconds)
{
    return real_of(vfs)->xSleep(real_of(vfs), microseconds);
}

static int v_time(sqlite3_vfs *vfs, double *out)
{
    return real_of(vfs)->xCurrentTime(real_of(vfs), out);
}

static int v_error(sqlite3_vfs *vfs, int size, char *out)
{
    return real_of(vfs)->xGetLastError(real_of(vfs), size, out);
}

static int v_time64(sqlite3_vfs *vfs, sqlite3_int64 *out)
{
    return real_of(vfs)->xCurrentTimeInt64(real_of(vfs), out);
}

static pthread_mutex_t registering = PTHREAD_MUTEX_INITIALIZER;

static const char *make(sqlite3_vfs *real, const char *name)
{
    checked_vfs *vfs = calloc(1, sizeof *vfs);
    if (vfs == NULL) return NULL;
    snprintf(vfs->name, sizeof vfs->name, "%s", name);
    vfs->real = real;
    vfs->base = (sqlite3_vfs){
        .iVersion = real->iVersion < 2 ? 1 : 2,
        .szOsFile = (int)sizeof(checked_file) + real->szOsFile,
        .mxPathname = real->mxPathname,
        .zName = vfs->name,
        .xOpen = v_open,
        .xDelete = v_delete,
        .xAccess = v_access,
        .xFullPathname = v_path,
        .xDlOpen = v_dl_open,
        .xDlError = v_dl_error,
        .xDlSym = v_dl_symbol,
        .xDlClose = v_dl_close,
        .xRandomness = v_random,
        .xSleep = v_sleep,
        .xCurrentTime = v_time,
        .xGetLastError = v_error,
        .xCurrentTimeInt64 = v_time64,
    };
    if (sqlite3_vfs_register(&vfs->base, 0) == SQLITE_OK) return vfs->name;
    free(vfs);
    return NULL;
}

const char *csqlite_checked_files(const char *below)
{
    if (sqlite3_initialize() != SQLITE_OK) return NULL;
    sqlite3_vfs *real = sqlite3_vfs_find(below);
    if (real == NULL) return NULL;
    char name[64];
    snprintf(name, sizeof name, "og-checked-%s", real->zName);
    pthread_mutex_lock(&registering);
    sqlite3_vfs *known = sqlite3_vfs_find(name);
    const char *found = known == NULL ? make(real, name) : known->zName;
    pthread_mutex_unlock(&registering);
    return found;
}

// MARK: For connections

static bool is_same_file(const struct stat *one, const char *path)
{
    struct stat other;
    return stat(path, &other) == 0 && one->st_ino == other.st_ino && one->st_dev == other.st_dev;
}

bool csqlite_is_open(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) return false;
    pthread_mutex_lock(&meeting);
    bool result = false;
    for (met_pages *met = all_met; met != NULL && !result; met = met->next) {
        char *index = sqlite3_mprintf("%s-shm", met->name);
        result = is_same_file(&status, met->name) || (index != NULL && is_same_file(&status, index));
        sqlite3_free(index);
    }
    pthread_mutex_unlock(&meeting);
    return result;
}

static checked_file *file_of(sqlite3 *connection)
{
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    bool is_ours = code == SQLITE_OK && file != NULL && file->pMethods == &methods;
    return is_ours ? (checked_file *)file : NULL;
}

csqlite_pages csqlite_checked_pages(sqlite3 *connection)
{
    checked_file *file = file_of(connection);
    csqlite_pages none = {0};
    if (file == NULL) return none;
    if (file->state == CSQLITE_UNKNOWN) {
        uint8_t page[PAGECHECK_PAGE];
        read_first(file, page);
    }
    pthread_mutex_lock(&meeting);
    csqlite_pages pages = file->met->pages;
    pthread_mutex_unlock(&meeting);
    pages.state = file->state;
    return pages;
}

bool csqlite_correct_page(void *page, uint32_t number)
{
    uint32_t bit = 0;
    if (pagecheck_compare(page, number, &bit) != PAGECHECK_ONE_BIT) return false;
    pagecheck_flip(page, bit);
    return true;
}

int csqlite_check_new_pages(sqlite3 *connection)
{
    checked_file *file = file_of(connection);
    if (file == NULL) return SQLITE_OK;
    int room = PAGECHECK_ROOM;
    int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &room);
    sqlite3_int64 size = 0;
    // Pages that are there already have data where the checksum would be.
    if (code == SQLITE_OK) code = file->real->pMethods->xFileSize(file->real, &size);
    if (code == SQLITE_OK && size == 0) file->state = CSQLITE_CHECKED;
    return code;
}

// Reads a page until it is right, or the same twice: others may be writing it.
static int read_page(sqlite3_file *real, uint8_t *page, uint32_t number)
{
    sqlite3_int64 offset = (sqlite3_int64)(number - 1) * PAGECHECK_PAGE;
    uint8_t before[PAGECHECK_PAGE];
    int code = SQLITE_OK;
    for (int attempt = 0; attempt < 16; attempt++) {
        code = real->pMethods->xRead(real, page, PAGECHECK_PAGE, offset);
        if (code != SQLITE_OK || pagecheck_is_right(page, number)) break;
        if (attempt > 0 && memcmp(page, before, sizeof before) == 0) break;
        memcpy(before, page, sizeof before);
    }
    return code;
}

int csqlite_scan_pages(
    sqlite3 *connection, int work, csqlite_pages *result,
    bool (*progress)(void *context, uint64_t done, uint64_t total), void *context)
{
    checked_file *file = file_of(connection);
    *result = csqlite_checked_pages(connection);
    if (file == NULL || result->state != CSQLITE_CHECKED) return SQLITE_OK;
    *result = (csqlite_pages){.state = CSQLITE_CHECKED};
    sqlite3_file *real = file->real;
    sqlite3_int64 size = 0;
    int code = real->pMethods->xFileSize(real, &size);
    uint64_t total = (uint64_t)size / PAGECHECK_PAGE;
    for (uint64_t index = 0; code == SQLITE_OK && index < total; index++) {
        if (index % 256 == 0 && progress != NULL && !progress(context, index, total))
            return SQLITE_INTERRUPT;
        sqlite3_int64 offset = (sqlite3_int64)index * PAGECHECK_PAGE;
        // SQLite never uses the page with its locks.
        if (offset <= 0x40000000 && offset + PAGECHECK_PAGE > 0x40000000) continue;
        uint32_t number = (uint32_t)index + 1;
        uint8_t page[PAGECHECK_PAGE];
        code = read_page(real, page, number);
        if (code != SQLITE_OK) break;
        uint32_t bit;
        pagecheck_result found = settle(result, page, number, work != CSQLITE_LOOK, &bit);
        if (found == PAGECHECK_RIGHT || work == CSQLITE_LOOK) continue;
        if (found == PAGECHECK_UNKNOWN && work != CSQLITE_ADOPT) continue;
        pagecheck_seal(page, number);
        code = real->pMethods->xWrite(real, page, PAGECHECK_PAGE, offset);
    }
    if (code == SQLITE_OK && work != CSQLITE_LOOK) {
        code = real->pMethods->xSync(real, SQLITE_SYNC_FULL);
        csqlite_pages none = {.state = CSQLITE_CHECKED};
        pthread_mutex_lock(&meeting);
        if (code == SQLITE_OK) {
            file->met->pages = none;
            page_set *set = &file->met->different;
            if (set->bits != NULL) memset(set->bits, 0, set->capacity / 8);
            set->largest = 0;
            set->count = 0;
            set->is_all = false;
        }
        pthread_mutex_unlock(&meeting);
    }
    return code;
}
