#include "CSQLite.h"

#include <stdlib.h>

// Sums over the terms of a search index and over the trigrams of the rows' texts, to compare the two
// without building the index again. A sum does not depend on the order of the terms.

struct csqlite_trigrams {
    fts5_tokenizer methods;
    Fts5Tokenizer *tokenizer;
    uint64_t *hashes;
    size_t count, capacity;
};

static uint64_t hash_of(const void *bytes, size_t length)
{
    const uint8_t *byte = bytes;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++) hash = (hash ^ byte[i]) * 0x100000001b3u;
    hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

csqlite_trigrams *csqlite_trigrams_make(sqlite3 *connection)
{
    fts5_api *api = NULL;
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(connection, "SELECT fts5(?1)", -1, &statement, NULL) == SQLITE_OK) {
        sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", NULL);
        sqlite3_step(statement);
    }
    sqlite3_finalize(statement);
    csqlite_trigrams *trigrams = api == NULL ? NULL : calloc(1, sizeof *trigrams);
    if (trigrams == NULL) return NULL;
    void *data = NULL;
    const char *options[] = {"case_sensitive", "1"};
    if (api->xFindTokenizer(api, "trigram", &data, &trigrams->methods) != SQLITE_OK
        || trigrams->methods.xCreate(data, options, 2, &trigrams->tokenizer) != SQLITE_OK) {
        free(trigrams);
        return NULL;
    }
    return trigrams;
}

void csqlite_trigrams_free(csqlite_trigrams *trigrams)
{
    if (trigrams == NULL) return;
    trigrams->methods.xDelete(trigrams->tokenizer);
    free(trigrams->hashes);
    free(trigrams);
}

static int collect(void *context, int flags, const char *token, int length, int start, int end)
{
    (void)flags;
    (void)start;
    (void)end;
    csqlite_trigrams *trigrams = context;
    if (trigrams->count == trigrams->capacity) {
        size_t capacity = trigrams->capacity == 0 ? 256 : trigrams->capacity * 2;
        uint64_t *hashes = realloc(trigrams->hashes, capacity * sizeof *hashes);
        if (hashes == NULL) return SQLITE_NOMEM;
        trigrams->hashes = hashes;
        trigrams->capacity = capacity;
    }
    trigrams->hashes[trigrams->count++] = hash_of(token, (size_t)length);
    return SQLITE_OK;
}

static int compare(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, two = *(const uint64_t *)b;
    return one < two ? -1 : one > two;
}

int csqlite_trigrams_sum(
    csqlite_trigrams *trigrams, const void *text, size_t length, uint64_t *sum)
{
    trigrams->count = 0;
    *sum = 0;
    int code = trigrams->methods.xTokenize(
        trigrams->tokenizer, trigrams, FTS5_TOKENIZE_DOCUMENT, text == NULL ? "" : text,
        (int)length, collect);
    if (code != SQLITE_OK) return code;
    if (trigrams->count > 1)
        qsort(trigrams->hashes, trigrams->count, sizeof trigrams->hashes[0], compare);
    // The index keeps no positions, so each trigram of a text is in it once.
    for (size_t i = 0; i < trigrams->count; i++)
        if (i == 0 || trigrams->hashes[i] != trigrams->hashes[i - 1]) *sum += trigrams->hashes[i];
    return SQLITE_OK;
}

int csqlite_sum_terms(
    sqlite3_stmt *statement, uint64_t *sums, size_t count, size_t rows, int64_t *outside,
    uint64_t *hash)
{
    *outside = 0;
    for (size_t row = 0; row < rows; row++) {
        int code = sqlite3_step(statement);
        if (code != SQLITE_ROW) return code;
        int64_t key = sqlite3_column_int64(statement, 1);
        const void *term = sqlite3_column_text(statement, 0);
        *hash = hash_of(term, (size_t)sqlite3_column_bytes(statement, 0));
        if (key > 0 && (size_t)key < count) {
            sums[key] += *hash;
            continue;
        }
        *outside = key;
        return SQLITE_ROW;
    }
    return SQLITE_ROW;
}
