#include "CPostgreSQL.h"
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

// What libpq declares, as far as it is used here: https://www.postgresql.org/docs/15/libpq.html
typedef struct {
    char *name;
    int process;
    char *extra;
    void *next;
} notification;

typedef void notice_processor(void *, const char *);

#define FUNCTIONS(X) \
    X(int, PQlibVersion, (void)) \
    X(cpg_connection *, PQconnectdbParams, (const char *const *, const char *const *, int)) \
    X(void, PQfinish, (cpg_connection *)) \
    X(int, PQstatus, (const cpg_connection *)) \
    X(int, PQsocket, (const cpg_connection *)) \
    X(int, PQserverVersion, (const cpg_connection *)) \
    X(char *, PQerrorMessage, (const cpg_connection *)) \
    X(const char *, PQparameterStatus, (const cpg_connection *, const char *)) \
    X(cpg_result *, PQexec, (cpg_connection *, const char *)) \
    X(int, PQenterPipelineMode, (cpg_connection *)) \
    X(int, PQexitPipelineMode, (cpg_connection *)) \
    X(int, PQpipelineSync, (cpg_connection *)) \
    X(int, PQsendPrepare, (cpg_connection *, const char *, const char *, int, const uint32_t *)) \
    X(int, PQsendQueryPrepared, (cpg_connection *, const char *, int, const char *const *, \
        const int *, const int *, int)) \
    X(cpg_result *, PQgetResult, (cpg_connection *)) \
    X(int, PQisBusy, (cpg_connection *)) \
    X(int, PQputCopyData, (cpg_connection *, const char *, int)) \
    X(int, PQputCopyEnd, (cpg_connection *, const char *)) \
    X(int, PQresultStatus, (const cpg_result *)) \
    X(char *, PQresultErrorField, (const cpg_result *, int)) \
    X(int, PQntuples, (const cpg_result *)) \
    X(char *, PQcmdTuples, (cpg_result *)) \
    X(void, PQclear, (cpg_result *)) \
    X(int, PQgetisnull, (const cpg_result *, int, int)) \
    X(char *, PQgetvalue, (const cpg_result *, int, int)) \
    X(int, PQgetlength, (const cpg_result *, int, int)) \
    X(int, PQconsumeInput, (cpg_connection *)) \
    X(notification *, PQnotifies, (cpg_connection *)) \
    X(void, PQfreemem, (void *)) \
    X(notice_processor *, PQsetNoticeProcessor, (cpg_connection *, notice_processor *, void *)) \
    X(cpg_cancel *, PQgetCancel, (cpg_connection *)) \
    X(void, PQfreeCancel, (cpg_cancel *)) \
    X(int, PQcancel, (cpg_cancel *, char *, int))

static struct {
#define MEMBER(type, name, arguments) type (*name) arguments;
    FUNCTIONS(MEMBER)
} pq;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char reason[512];

static void load(void) {
    // Without a dynamic loader, what libpq needs of libc would be there a second time.
    if (getauxval(AT_BASE) == 0) {
        strncpy(reason, "a program that is linked statically cannot load libpq.so.5", sizeof reason - 1);
        return;
    }
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *error = dlerror();
        strncpy(reason, error == NULL ? "libpq.so.5 is missing" : error, sizeof reason - 1);
        return;
    }
#define FIND(type, name, arguments) \
    *(void **)&pq.name = dlsym(library, #name); \
    if (pq.name == NULL) { \
        strncpy(reason, "libpq.so.5 is too old: it has no " #name, sizeof reason - 1); \
        return; \
    }
    FUNCTIONS(FIND)
}

// Whether the library could be loaded is known once for the whole process.
const char *cpg_load(void) {
    pthread_once(&once, load);
    return reason[0] == 0 ? NULL : reason;
}

int cpg_library_version(void) { return pq.PQlibVersion(); }

static void ignore(void *context, const char *message) {
    (void)context;
    (void)message;
}

// What a server says without being asked, such as why it ends an idle connection, would go to
// standard error, and so onto the screen; the next statement fails with it.
cpg_connection *cpg_connect(const char *const *keywords, const char *const *values) {
    cpg_connection *connection = pq.PQconnectdbParams(keywords, values, 0);
    if (connection != NULL) pq.PQsetNoticeProcessor(connection, ignore, NULL);
    return connection;
}

void cpg_finish(cpg_connection *connection) { pq.PQfinish(connection); }
bool cpg_is_alive(cpg_connection *connection) { return pq.PQstatus(connection) == 0; }
int cpg_socket(cpg_connection *connection) { return pq.PQsocket(connection); }
int cpg_server_version(cpg_connection *connection) { return pq.PQserverVersion(connection); }
const char *cpg_error(cpg_connection *connection) { return pq.PQerrorMessage(connection); }

const char *cpg_parameter(cpg_connection *connection, const char *name) {
    return pq.PQparameterStatus(connection, name);
}

cpg_result *cpg_execute(cpg_connection *connection, const char *sql) {
    return pq.PQexec(connection, sql);
}

bool cpg_begin_pipeline(cpg_connection *connection) { return pq.PQenterPipelineMode(connection); }
bool cpg_end_pipeline(cpg_connection *connection) { return pq.PQexitPipelineMode(connection); }
bool cpg_sync(cpg_connection *connection) { return pq.PQpipelineSync(connection); }

bool cpg_prepare(
    cpg_connection *connection, const char *name, const char *sql, int count, const uint32_t *types
) {
    return pq.PQsendPrepare(connection, name, sql, count, types);
}

bool cpg_run(
    cpg_connection *connection, const char *name, int count, const uint8_t *bytes,
    const size_t *offsets, const int32_t *lengths
) {
    enum { FEW = 128 };
    const char *few_values[FEW];
    int few_formats[FEW];
    const char **values = few_values;
    int *formats = few_formats;
    if (count > FEW) {
        values = malloc(sizeof *values * (size_t)count);
        formats = malloc(sizeof *formats * (size_t)count);
    }
    bool sent = false;
    if (values != NULL && formats != NULL) {
        for (int i = 0; i < count; i++) {
            values[i] = lengths[i] < 0 ? NULL : (const char *)bytes + offsets[i];
            formats[i] = 1;
        }
        sent = pq.PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1);
    }
    if (values != few_values) free(values);
    if (formats != few_formats) free(formats);
    return sent;
}

cpg_result *cpg_next(cpg_connection *connection) { return pq.PQgetResult(connection); }

bool cpg_is_busy(cpg_connection *connection) { return pq.PQisBusy(connection); }

bool cpg_copy(cpg_connection *connection, const uint8_t *bytes, size_t length) {
    enum { PART = 1 << 20 };
    while (length > 0) {
        size_t part = length < PART ? length : PART;
        if (pq.PQputCopyData(connection, (const char *)bytes, (int)part) != 1) return false;
        bytes += part;
        length -= part;
    }
    return true;
}

bool cpg_end_copy(cpg_connection *connection) { return pq.PQputCopyEnd(connection, NULL) == 1; }

int cpg_status(const cpg_result *result) {
    // Numbers of ExecStatusType.
    switch (pq.PQresultStatus(result)) {
    case 0: case 1: return CPG_OK;
    case 2: return CPG_ROWS;
    case 4: return CPG_COPY_IN;
    case 10: return CPG_SYNC;
    case 11: return CPG_ABORTED;
    default: return CPG_FAILED;
    }
}

const char *cpg_error_part(const cpg_result *result, char part) {
    return pq.PQresultErrorField(result, part);
}

int cpg_rows(const cpg_result *result) { return pq.PQntuples(result); }
int cpg_affected(cpg_result *result) { return atoi(pq.PQcmdTuples(result)); }
void cpg_clear(cpg_result *result) { pq.PQclear(result); }

bool cpg_is_null(const cpg_result *result, int row, int column) {
    return pq.PQgetisnull(result, row, column);
}

const uint8_t *cpg_value(const cpg_result *result, int row, int column) {
    return (const uint8_t *)pq.PQgetvalue(result, row, column);
}

size_t cpg_length(const cpg_result *result, int row, int column) {
    return (size_t)pq.PQgetlength(result, row, column);
}

static uint64_t read_word(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    return __builtin_bswap64(word);
}

int64_t cpg_integer(const cpg_result *result, int row, int column) {
    const uint8_t *bytes = cpg_value(result, row, column);
    switch (pq.PQgetlength(result, row, column)) {
    case 8: return (int64_t)read_word(bytes);
    case 4: return (int32_t)((uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16
        | (uint32_t)bytes[2] << 8 | bytes[3]);
    case 2: return (int16_t)(bytes[0] << 8 | bytes[1]);
    case 1: return bytes[0];
    default: return 0;
    }
}

double cpg_real(const cpg_result *result, int row, int column) {
    if (pq.PQgetlength(result, row, column) != 8)
        return (double)cpg_integer(result, row, column);
    uint64_t word = read_word(cpg_value(result, row, column));
    double number;
    memcpy(&number, &word, 8);
    return number;
}

int cpg_wait(cpg_connection *connection, int milliseconds, int stop) {
    struct pollfd files[2] = {
        {.fd = pq.PQsocket(connection), .events = POLLIN},
        {.fd = stop, .events = POLLIN},
    };
    if (files[0].fd < 0) return -1;
    if (poll(files, 2, milliseconds) < 0 && errno != EINTR) return -1;
    if (files[0].revents != 0 && !pq.PQconsumeInput(connection)) return -1;
    int found = 0;
    notification *next;
    while ((next = pq.PQnotifies(connection)) != NULL) {
        found = 1;
        pq.PQfreemem(next);
    }
    return found;
}

cpg_cancel *cpg_make_cancel(cpg_connection *connection) { return pq.PQgetCancel(connection); }
void cpg_free_cancel(cpg_cancel *cancel) { pq.PQfreeCancel(cancel); }

void cpg_send_cancel(cpg_cancel *cancel) {
    char error[256];
    pq.PQcancel(cancel, error, sizeof error);
}

size_t cpg_escaped_length(const uint8_t *text, size_t length) {
    size_t result = length;
    for (size_t i = 0; i < length; i++) result += text[i] < 4 ? 2 : 0;
    return result;
}

void cpg_escape(const uint8_t *text, size_t length, uint8_t *target) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] < 4) {
            *target++ = 1;
            *target++ = 2 + (text[i] >> 1);
            *target++ = 2 + (text[i] & 1);
        } else {
            *target++ = text[i];
        }
    }
}

size_t cpg_unescaped_length(const uint8_t *text, size_t length) {
    if (length == 0 || memchr(text, 1, length) == NULL) return length;
    size_t result = 0;
    for (size_t i = 0; i < length; i++, result++)
        if (text[i] == 1 && i + 2 < length) i += 2;
    return result;
}

void cpg_unescape(const uint8_t *text, size_t length, uint8_t *target) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == 1 && i + 2 < length) {
            *target++ = (uint8_t)((text[i + 1] & 1) << 1 | (text[i + 2] & 1));
            i += 2;
        } else {
            *target++ = text[i];
        }
    }
}

size_t cpg_append_row(
    const cpg_result *result, int row, const cpg_column *columns, size_t count, uint32_t version,
    const uint64_t *bases, size_t base_count, uint64_t key_mask, uint8_t *blob, size_t capacity
) {
    size_t words = count == 0 ? 1 : (count + 63) / 64;
    size_t header = 8 + 8 * words;
    size_t end = header + 8 * count;
    if (end > capacity) return end;
    memset(blob + 8, 0, 8 * words);
    memcpy(blob + 4, &version, 4);
    for (size_t i = 0; i < count; i++) {
        const cpg_column *from = columns + i;
        uint64_t word = 0;
        bool is_null = from->column < 0 || pq.PQgetisnull(result, row, from->column);
        if (!is_null) switch (from->kind) {
        case CPG_INTEGER: word = (uint64_t)cpg_integer(result, row, from->column); break;
        case CPG_REAL: {
            double number = cpg_real(result, row, from->column);
            memcpy(&word, &number, 8);
            break;
        }
        case CPG_REFERENCE: {
            int64_t key = cpg_integer(result, row, from->column);
            is_null = key <= 0 || (uint64_t)key > key_mask;
            if (is_null) break;
            uint64_t base = from->base;
            if (from->entity_column >= 0) {
                int64_t entity = cpg_integer(result, row, from->entity_column);
                if (entity > 0 && (size_t)entity < base_count && bases[entity] != 0)
                    base = bases[entity];
            }
            word = base | (uint64_t)key;
            break;
        }
        default: {
            const uint8_t *bytes = cpg_value(result, row, from->column);
            size_t stored = cpg_length(result, row, from->column);
            size_t length = from->kind == CPG_TEXT ? cpg_unescaped_length(bytes, stored) : stored;
            if (length > 0 && end + length <= capacity) {
                if (length == stored) memcpy(blob + end, bytes, length);
                else cpg_unescape(bytes, stored, blob + end);
            }
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
