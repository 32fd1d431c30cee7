#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The parts of a SQLite store that run once for each row or value.

// The kind of a column of a cached row; the numbers are those of RowLayout.Kind.
enum {
    CSQLITE_INTEGER = 0,
    CSQLITE_REAL = 1,
    CSQLITE_TEXT = 2,
    CSQLITE_BYTES = 3,
    CSQLITE_REFERENCE = 4,
};

// The source of a column of a cached row.
typedef struct {
    uint8_t kind;
    // The column of the statement; -1 reads as NULL.
    int16_t column;
    // For a reference: the column with the number of the concrete entity, or -1.
    int16_t entity_column;
    // For a reference: the bits of an object ID for the declared entity, key 0.
    uint64_t base;
} csqlite_column;

// For a reference: the bits of an object ID, key 0, by the number of the entity in the file.
typedef struct {
    const uint64_t *bases;
    size_t count;
} csqlite_entities;

// Steps a statement and writes the object ID of each row into `ids` until there are `capacity` of
// them or no more rows. The key is in column 0; the number of the entity in column 1, or `number` if
// that is not 0. Rows of no known entity are left out. Returns what the last step returned:
// SQLITE_ROW means that there may be more.
static inline int csqlite_read_ids(
    sqlite3_stmt *statement, csqlite_entities entities, int64_t number, uint64_t key_mask,
    uint64_t *ids, size_t capacity, size_t *count)
{
    *count = 0;
    while (*count < capacity) {
        int code = sqlite3_step(statement);
        if (code != SQLITE_ROW) return code;
        int64_t key = sqlite3_column_int64(statement, 0);
        int64_t entity = number ? number : sqlite3_column_int64(statement, 1);
        if (entity <= 0 || (size_t)entity >= entities.count || entities.bases[entity] == 0
            || key <= 0 || (uint64_t)key > key_mask)
            continue;
        ids[(*count)++] = entities.bases[entity] | (uint64_t)key;
    }
    return SQLITE_ROW;
}

// Writes the statement's current row into `blob` in the format of RowCache, except for the size in
// its first four bytes. Returns the size; if that is more than `capacity` the row was not written
// completely and has to be written again where there is room.
static inline size_t csqlite_append_row(
    sqlite3_stmt *statement, const csqlite_column *columns, size_t count, uint32_t version,
    csqlite_entities entities, uint64_t key_mask, uint8_t *blob, size_t capacity)
{
    size_t words = count == 0 ? 1 : (count + 63) / 64;
    size_t header = 8 + 8 * words;
    size_t end = header + 8 * count;
    if (end > capacity) return end;
    memset(blob + 8, 0, 8 * words);
    memcpy(blob + 4, &version, 4);
    for (size_t i = 0; i < count; i++) {
        const csqlite_column *from = columns + i;
        uint64_t word = 0;
        bool is_null = from->column < 0;
        // The connection has no mutex, so that a value may be read itself; each call for a column
        // takes several times as long.
        sqlite3_value *value = is_null ? NULL : sqlite3_column_value(statement, from->column);
        is_null = is_null || sqlite3_value_type(value) == SQLITE_NULL;
        if (!is_null) switch (from->kind) {
        case CSQLITE_INTEGER: word = (uint64_t)sqlite3_value_int64(value); break;
        case CSQLITE_REAL: {
            double number = sqlite3_value_double(value);
            memcpy(&word, &number, 8);
            break;
        }
        case CSQLITE_REFERENCE: {
            int64_t key = sqlite3_value_int64(value);
            is_null = key <= 0 || (uint64_t)key > key_mask;
            if (is_null) break;
            uint64_t base = from->base;
            if (from->entity_column >= 0) {
                int64_t entity = sqlite3_column_int64(statement, from->entity_column);
                if (entity > 0 && (size_t)entity < entities.count && entities.bases[entity] != 0)
                    base = entities.bases[entity];
            }
            word = base | (uint64_t)key;
            break;
        }
        default: {
            const void *bytes = from->kind == CSQLITE_TEXT
                ? (const void *)sqlite3_value_text(value)
                : sqlite3_value_blob(value);
            size_t length = (size_t)sqlite3_value_bytes(value);
            if (length > 0 && end + length <= capacity) memcpy(blob + end, bytes, length);
            word = (uint64_t)length << 32 | (uint32_t)end;
            end += length;
            break;
        }
        }
        if (is_null) {
            word = 0;
            uint64_t mask;
            memcpy(&mask, blob + 8 + 8 * (i >> 6), 8);
            mask |= 1ull << (i & 63);
            memcpy(blob + 8 + 8 * (i >> 6), &mask, 8);
        }
        memcpy(blob + header + 8 * i, &word, 8);
    }
    return end;
}

// Binds bytes that must not move until the statement is reset.
static inline int csqlite_bind_static_text(
    sqlite3_stmt *statement, int index, const void *bytes, size_t length)
{
    return sqlite3_bind_text64(
        statement, index, bytes == NULL ? "" : (const char *)bytes, length, SQLITE_STATIC,
        SQLITE_UTF8);
}

static inline int csqlite_bind_copied_text(
    sqlite3_stmt *statement, int index, const void *bytes, size_t length)
{
    return sqlite3_bind_text64(
        statement, index, bytes == NULL ? "" : (const char *)bytes, length, SQLITE_TRANSIENT,
        SQLITE_UTF8);
}

static inline int csqlite_bind_copied_blob(
    sqlite3_stmt *statement, int index, const void *bytes, size_t length)
{
    return sqlite3_bind_blob64(
        statement, index, bytes == NULL ? "" : bytes, length, SQLITE_TRANSIENT);
}

static inline void csqlite_result_copied_text(
    sqlite3_context *context, const void *bytes, size_t length)
{
    sqlite3_result_text64(
        context, bytes == NULL ? "" : (const char *)bytes, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline void csqlite_result_copied_blob(
    sqlite3_context *context, const void *bytes, size_t length)
{
    sqlite3_result_blob64(context, bytes == NULL ? "" : bytes, length, SQLITE_TRANSIENT);
}

// Whether SQLite moves the write-ahead log into the file, and removes it, when the last connection
// closes.
int csqlite_fold_on_close(sqlite3 *connection, bool folds);

// Forbids the views that a file brings along: a store has none, and one without an end would be read in
// place of a table. Returns an SQLite result code.
int csqlite_forbid_views(sqlite3 *connection);

// Reads bytes of the database file as they are, past the write-ahead log and all locks. Returns an
// SQLite result code; what is behind the file's end is filled with zeros and SQLITE_IOERR_SHORT_READ.
int csqlite_read_file(sqlite3 *connection, int64_t offset, void *bytes, int count);

// Reads the start of a file, which need not be a database. The file may be open in this process: any
// other way to open and close it would drop the locks of the connection. Returns an SQLite result
// code, SQLITE_IOERR_SHORT_READ (and zeros) for a shorter file.
int csqlite_read_start(const char *path, void *bytes, int count);

// Takes the lock that only a connection can have which is alone on its file; does not wait. For a
// connection that has not run a statement yet. Returns SQLITE_OK or SQLITE_BUSY.
int csqlite_lock_file(sqlite3 *connection);
void csqlite_unlock_file(sqlite3 *connection);

// Takes the same lock for a connection that has read from its file, in the log's mode, in which it
// keeps a shared lock as long as it is open. Returns SQLITE_OK or SQLITE_BUSY; does not wait. Others
// can then neither read nor open the file, before csqlite_release_file gives the lock back.
int csqlite_hold_file(sqlite3 *connection);
void csqlite_release_file(sqlite3 *connection);

// Reports the length of the write-ahead log, in frames, after each commit of the connection, and ends
// SQLite's own checkpoints.
void csqlite_watch_log(sqlite3 *connection, int32_t *frames);

// The checksums of the pages of an open file. A file has them if its pages keep room for them, as
// those of new stores do.
enum {
    CSQLITE_UNKNOWN = 0,
    CSQLITE_CHECKED = 1,
    CSQLITE_UNCHECKED = 2,
    // The result code of a save that would write, or free, a page that differs from its checksum.
    CSQLITE_REFUSED_PAGE = SQLITE_IOERR | (32 << 8),
    // How many numbers of pages are kept.
    CSQLITE_NOTED_PAGES = 64,
};

typedef struct {
    uint64_t count;
    uint32_t numbers[CSQLITE_NOTED_PAGES];
} csqlite_page_list;

typedef struct {
    int state;
    // Pages that were read with the right value of a flipped bit.
    csqlite_page_list corrected;
    // Pages that differ from their checksum in one bit: flipped, or changed by a program that keeps
    // no checksums.
    csqlite_page_list one_bit;
    // Other pages without their checksum: written by such a program, or damaged.
    csqlite_page_list unknown;
} csqlite_pages;

// The name of a file system for sqlite3_open_v2 that keeps and checks checksums, above the one with
// a name (NULL: the usual one); NULL if there is no such file system.
const char *csqlite_checked_files(const char *below);

// Whether a connection of this process has a file open, or it is the index of such a connection's
// log. When any descriptor of it is closed, the system drops the process's locks on it.
bool csqlite_is_open(const char *path);

// What the connections of this process to the same file have met so far.
csqlite_pages csqlite_checked_pages(sqlite3 *connection);

// Makes the pages of a file checked that has no page yet.
int csqlite_check_new_pages(sqlite3 *connection);

// Corrects a page of a checked file, 4096 bytes, if it differs from its checksum in one bit; returns
// whether it did.
bool csqlite_correct_page(void *page, uint32_t number);

// Checks every page of the file as it is on the disk, without the log. Others may write meanwhile.
// With CSQLITE_CORRECT flipped bits are corrected in the file, with CSQLITE_ADOPT all other pages get
// their checksum too; only a connection that is alone on the file (csqlite_lock_file) may do that. Returns an SQLite result code,
// SQLITE_INTERRUPT if `progress` returned false.
enum { CSQLITE_LOOK = 0, CSQLITE_CORRECT = 1, CSQLITE_ADOPT = 2 };

int csqlite_scan_pages(
    sqlite3 *connection, int work, csqlite_pages *result,
    bool (*progress)(void *context, uint64_t done, uint64_t total), void *context);

// The trigrams of texts as the search index has them.
typedef struct csqlite_trigrams csqlite_trigrams;

// NULL without memory, or without FTS5.
csqlite_trigrams *csqlite_trigrams_make(sqlite3 *connection);
void csqlite_trigrams_free(csqlite_trigrams *trigrams);

// The sum of the hashes of a text's trigrams, each once.
int csqlite_trigrams_sum(
    csqlite_trigrams *trigrams, const void *text, size_t length, uint64_t *sum);

// Adds the hash of the term in column 0 to the sum of the row in column 1, for at most `rows` rows of
// a statement. It stops at a row whose key has no sum, with its key and the hash of its term; `outside`
// is 0 otherwise. Returns what the last step returned.
int csqlite_sum_terms(
    sqlite3_stmt *statement, uint64_t *sums, size_t count, size_t rows, int64_t *outside,
    uint64_t *hash);

// Registers the string operators of predicates and the collations of sort descriptors.
//
// Functions: OG_EQUAL, OG_PREFIX, OG_SUFFIX, OG_CONTAINS, OG_LIKE (text, needle, options) give 0 or
// 1, never NULL; the needle is not folded yet. OG_ORDER(a, b, comparison) gives a number less than,
// equal to or greater than 0, or NULL if one is NULL. OG_FOLD(text, options).
// OG_HAS(word, text, …) says whether a text contains the word, folded without case and diacritics.
// OG_LENGTH(text) counts UTF-16 units.
// Collations: OGCaseInsensitive, OGLocalized, OGLocalizedCaseInsensitive, OGLocalizedStandard.
int csqlite_register_text(sqlite3 *connection);

#endif
