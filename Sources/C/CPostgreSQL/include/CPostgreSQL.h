#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The functions of libpq that the store calls. The library is loaded when a store is opened for the
// first time: programs that open none need not have it.

// A connection of libpq, the result of a statement, and what cancels one from another thread.
typedef struct pg_conn cpg_connection;
typedef struct pg_result cpg_result;
typedef struct pg_cancel cpg_cancel;

// Loads the library. Returns NULL, or why it cannot be loaded.
const char *cpg_load(void);
// The version of the library, such as 150004.
int cpg_library_version(void);

// Opens a connection with lists of keywords and values that end with NULL. NULL without memory.
cpg_connection *cpg_connect(const char *const *keywords, const char *const *values);
void cpg_finish(cpg_connection *connection);
bool cpg_is_alive(cpg_connection *connection);
int cpg_socket(cpg_connection *connection);
int cpg_server_version(cpg_connection *connection);
const char *cpg_error(cpg_connection *connection);
const char *cpg_parameter(cpg_connection *connection, const char *name);

// Runs statements outside a pipeline; the result is the last one's.
cpg_result *cpg_execute(cpg_connection *connection, const char *sql);

// A pipeline: statements are sent without waiting for the results of those before.
bool cpg_begin_pipeline(cpg_connection *connection);
bool cpg_end_pipeline(cpg_connection *connection);
bool cpg_sync(cpg_connection *connection);
bool cpg_prepare(
    cpg_connection *connection, const char *name, const char *sql, int count,
    const uint32_t *types);
// The values are `count` places in `bytes`, in binary form; a negative length means NULL.
bool cpg_run(
    cpg_connection *connection, const char *name, int count, const uint8_t *bytes,
    const size_t *offsets, const int32_t *lengths);
cpg_result *cpg_next(cpg_connection *connection);
// Whether the next result would have to be waited for.
bool cpg_is_busy(cpg_connection *connection);

// COPY FROM STDIN, outside a pipeline.
bool cpg_copy(cpg_connection *connection, const uint8_t *bytes, size_t length);
bool cpg_end_copy(cpg_connection *connection);

// Results.
enum { CPG_OK, CPG_ROWS, CPG_COPY_IN, CPG_SYNC, CPG_ABORTED, CPG_FAILED };
int cpg_status(const cpg_result *result);
// A part of an error: 'C' its code, 'M' the message, 'n' the constraint, 'W' the context.
const char *cpg_error_part(const cpg_result *result, char part);
int cpg_rows(const cpg_result *result);
int cpg_affected(cpg_result *result);
void cpg_clear(cpg_result *result);
bool cpg_is_null(const cpg_result *result, int row, int column);
const uint8_t *cpg_value(const cpg_result *result, int row, int column);
size_t cpg_length(const cpg_result *result, int row, int column);
// A whole number of 1, 2, 4 or 8 bytes; 0 for NULL.
int64_t cpg_integer(const cpg_result *result, int row, int column);
// A floating point number; a whole one is converted.
double cpg_real(const cpg_result *result, int row, int column);

// Waits until the server sends something or the time has passed, and reads it. Returns -1 when the
// connection is lost, else whether there was a notification.
int cpg_wait(cpg_connection *connection, int milliseconds, int stop);

cpg_cancel *cpg_make_cancel(cpg_connection *connection);
void cpg_free_cancel(cpg_cancel *cancel);
// Asks the server to stop the running statement; from any thread.
void cpg_send_cancel(cpg_cancel *cancel);

// PostgreSQL's text cannot hold U+0000. The characters 0 to 3 are stored as 01 and two bytes that are
// 02 or 03. So texts keep their order, no two become the same, and what begins within an escape is no
// part of a text.
size_t cpg_escaped_length(const uint8_t *text, size_t length);
void cpg_escape(const uint8_t *text, size_t length, uint8_t *target);
size_t cpg_unescaped_length(const uint8_t *text, size_t length);
void cpg_unescape(const uint8_t *text, size_t length, uint8_t *target);

// The kind of a column of a cached row; the numbers are those of RowLayout.Kind.
enum { CPG_INTEGER = 0, CPG_REAL = 1, CPG_TEXT = 2, CPG_BYTES = 3, CPG_REFERENCE = 4 };

// The source of a column of a cached row, as csqlite_column has it.
typedef struct {
    uint8_t kind;
    int16_t column;
    int16_t entity_column;
    uint64_t base;
} cpg_column;

// Writes a row into `blob` in the format of RowCache, as csqlite_append_row does.
size_t cpg_append_row(
    const cpg_result *result, int row, const cpg_column *columns, size_t count, uint32_t version,
    const uint64_t *bases, size_t base_count, uint64_t key_mask, uint8_t *blob, size_t capacity);

#endif
