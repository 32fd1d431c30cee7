#include "CSQLite.h"

#include <CText.h>
#include <stdlib.h>
#include <string.h>

// A needle folded once for all rows of a statement.
typedef struct {
    size_t length;
    uint8_t bytes[];
} folded;

static const uint8_t *text_of(sqlite3_value *value, size_t *length)
{
    const uint8_t *bytes = sqlite3_value_text(value);
    *length = bytes == NULL ? 0 : (size_t)sqlite3_value_bytes(value);
    return bytes;
}

static folded *fold_needle(ctext_relation relation, sqlite3_value *value, unsigned options)
{
    size_t length;
    const uint8_t *bytes = text_of(value, &length);
    folded *needle = malloc(sizeof(folded) + CTEXT_FOLD_GROWTH * length + CTEXT_SLACK);
    if (needle == NULL) return NULL;
    needle->length = relation == CTEXT_LIKE
        ? ctext_like_pattern(bytes, length, options, needle->bytes)
        : ctext_fold(bytes, length, options, needle->bytes);
    return needle;
}

static void match(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    ctext_relation relation = (ctext_relation)(intptr_t)sqlite3_user_data(context);
    unsigned options = (unsigned)sqlite3_value_int(values[2]);
    if (sqlite3_value_type(values[0]) == SQLITE_NULL
        || sqlite3_value_type(values[1]) == SQLITE_NULL) {
        sqlite3_result_int(context, 0);
        return;
    }
    folded *kept = sqlite3_get_auxdata(context, 1);
    folded *needle = kept;
    if (needle == NULL) needle = fold_needle(relation, values[1], options);
    if (needle == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    size_t length;
    const uint8_t *text = text_of(values[0], &length);
    sqlite3_result_int(
        context,
        ctext_matches(relation, text, length, needle->bytes, needle->length, options));
    // Kept only for a constant needle; otherwise SQLite frees it at once.
    if (kept == NULL) sqlite3_set_auxdata(context, 1, needle, free);
}

// A word, folded already, made ready for all rows of a statement.
typedef struct {
    ctext_needle needle;
    uint8_t bytes[];
} word;

static word *make_word(sqlite3_value *value)
{
    size_t length;
    const uint8_t *bytes = text_of(value, &length);
    word *made = malloc(sizeof(word) + length);
    if (made == NULL) return NULL;
    if (length) memcpy(made->bytes, bytes, length);
    made->needle = ctext_needle_make(made->bytes, length, NULL);
    return made;
}

// Whether one of several texts contains a word that is folded already.
static void has(sqlite3_context *context, int count, sqlite3_value **values)
{
    if (count == 0) return;
    word *kept = sqlite3_get_auxdata(context, 0);
    word *word = kept == NULL ? make_word(values[0]) : kept;
    if (word == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    bool found = false;
    for (int i = 1; i < count && !found; i++) {
        if (sqlite3_value_type(values[i]) == SQLITE_NULL) continue;
        size_t length;
        const uint8_t *text = text_of(values[i], &length);
        found = ctext_has(text, length, &word->needle);
    }
    sqlite3_result_int(context, found);
    // Kept only for a constant word; otherwise SQLite frees it at once.
    if (kept == NULL) sqlite3_set_auxdata(context, 0, word, free);
}

static void order(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    if (sqlite3_value_type(values[0]) == SQLITE_NULL
        || sqlite3_value_type(values[1]) == SQLITE_NULL) {
        sqlite3_result_null(context);
        return;
    }
    size_t a_length, b_length;
    const uint8_t *a = text_of(values[0], &a_length);
    const uint8_t *b = text_of(values[1], &b_length);
    sqlite3_result_int(
        context,
        ctext_order(
            a, a_length, b, b_length, (ctext_comparison)sqlite3_value_int(values[2])));
}

static void fold(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    if (sqlite3_value_type(values[0]) == SQLITE_NULL) {
        sqlite3_result_null(context);
        return;
    }
    size_t length;
    const uint8_t *text = text_of(values[0], &length);
    uint8_t *out = malloc(CTEXT_FOLD_GROWTH * length + CTEXT_SLACK);
    if (out == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    size_t size = ctext_fold(text, length, (unsigned)sqlite3_value_int(values[1]), out);
    sqlite3_result_text64(context, (const char *)out, size, free, SQLITE_UTF8);
}

// The number of UTF-16 units, which is what a text's length means in predicates.
static void utf16_length(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    if (sqlite3_value_type(values[0]) == SQLITE_NULL) {
        sqlite3_result_null(context);
        return;
    }
    size_t length;
    const uint8_t *text = text_of(values[0], &length);
    sqlite3_int64 units = 0;
    for (size_t i = 0; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) units++;
        if (text[i] >= 0xf0) units++;
    }
    sqlite3_result_int64(context, units);
}

static int collate(void *data, int a_length, const void *a, int b_length, const void *b)
{
    return ctext_order(
        a, (size_t)a_length, b, (size_t)b_length, (ctext_comparison)(intptr_t)data);
}

int csqlite_register_text(sqlite3 *connection)
{
    static const struct {
        const char *name;
        ctext_relation relation;
    } relations[] = {
        {"OG_EQUAL", CTEXT_EQUAL},       {"OG_PREFIX", CTEXT_PREFIX}, {"OG_SUFFIX", CTEXT_SUFFIX},
        {"OG_CONTAINS", CTEXT_CONTAINS}, {"OG_LIKE", CTEXT_LIKE},
    };
    static const struct {
        const char *name;
        ctext_comparison comparison;
    } collations[] = {
        {"OGCaseInsensitive", CTEXT_CASE_INSENSITIVE},
        {"OGLocalized", CTEXT_LOCALIZED},
        {"OGLocalizedCaseInsensitive", CTEXT_LOCALIZED_CASE_INSENSITIVE},
        {"OGLocalizedStandard", CTEXT_LOCALIZED_STANDARD},
    };
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        int code = sqlite3_create_function_v2(
            connection, relations[i].name, 3, flags, (void *)(intptr_t)relations[i].relation,
            match, NULL, NULL, NULL);
        if (code != SQLITE_OK) return code;
    }
    for (size_t i = 0; i < sizeof collations / sizeof *collations; i++) {
        int code = sqlite3_create_collation_v2(
            connection, collations[i].name, SQLITE_UTF8,
            (void *)(intptr_t)collations[i].comparison, collate, NULL);
        if (code != SQLITE_OK) return code;
    }
    int code = sqlite3_create_function_v2(
        connection, "OG_ORDER", 3, flags, NULL, order, NULL, NULL, NULL);
    if (code != SQLITE_OK) return code;
    code = sqlite3_create_function_v2(
        connection, "OG_HAS", -1, flags, NULL, has, NULL, NULL, NULL);
    if (code != SQLITE_OK) return code;
    code = sqlite3_create_function_v2(
        connection, "OG_LENGTH", 1, flags, NULL, utf16_length, NULL, NULL, NULL);
    if (code != SQLITE_OK) return code;
    return sqlite3_create_function_v2(
        connection, "OG_FOLD", 2, flags, NULL, fold, NULL, NULL, NULL);
}
