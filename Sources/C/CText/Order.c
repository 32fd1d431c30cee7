#include "CTextOrder.h"

#include <stdbool.h>
#include <string.h>

#include "CTextFold.h"
#include "Scalar.h"
#include "Scratch.h"

// Each comparison is a list of levels; the first level at which two texts differ decides. A level
// orders the texts folded with some options, so every level is a total order of its classes, and so
// is the list.

static int sign(size_t a, size_t b) { return (a > b) - (a < b); }

static int order_bytes(const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length) {
    size_t common = a_length < b_length ? a_length : b_length;
    int order = common ? memcmp(a, b, common) : 0;
    return order ? order : sign(a_length, b_length);
}

static inline bool is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

static size_t skip(const uint8_t *text, size_t length, size_t at, bool zeros_only) {
    while (at < length && (zeros_only ? text[at] == '0' : is_digit(text[at]))) at++;
    return at;
}

// A run of digits stands, as one letter, at the place of the digits among the scalars.
static int order_numbers(const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length) {
    size_t i = 0, j = 0;
    while (i < a_length && j < b_length) {
        if (!is_digit(a[i]) || !is_digit(b[j])) {
            if (a[i] != b[j]) return a[i] < b[j] ? -1 : 1;
            i++;
            j++;
            continue;
        }
        i = skip(a, a_length, i, true);
        j = skip(b, b_length, j, true);
        size_t a_end = skip(a, a_length, i, false), b_end = skip(b, b_length, j, false);
        int order = sign(a_end - i, b_end - j);
        if (!order) order = order_bytes(a + i, a_end - i, b + j, b_end - j);
        if (order) return order;
        i = a_end;
        j = b_end;
    }
    return sign(a_length - i, b_length - j);
}

// Whether folding the case changes a scalar.
static bool is_upper(uint32_t scalar) {
    if (scalar < 0x80) return scalar >= 'A' && scalar <= 'Z';
    const fold_record *record = record_of(scalar);
    return record->forms[CTEXT_CASE] != record->forms[0];
}

// By scalar; scalars that folding does not change come before those that it changes.
static int order_case(const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length) {
    const uint8_t *a_end = a + a_length, *b_end = b + b_length;
    while (a < a_end && b < b_end) {
        size_t a_size, b_size;
        uint32_t left = read_scalar(a, a_end, &a_size), right = read_scalar(b, b_end, &b_size);
        if (left != right) {
            bool a_upper = is_upper(left), b_upper = is_upper(right);
            if (a_upper != b_upper) return a_upper ? 1 : -1;
            return left < right ? -1 : 1;
        }
        a += a_size;
        b += b_size;
    }
    return sign((size_t)(a_end - a), (size_t)(b_end - b));
}

typedef int level_order(const uint8_t *, size_t, const uint8_t *, size_t);

static int order_level(
    const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length, unsigned options,
    level_order *order
) {
    folded_text left, right;
    // Without memory the texts are compared unchanged.
    if (!folded_text_make(&left, a, a_length, options))
        return order_bytes(a, a_length, b, b_length);
    int result = order_bytes(a, a_length, b, b_length);
    if (folded_text_make(&right, b, b_length, options)) {
        result = order(left.bytes, left.length, right.bytes, right.length);
        folded_text_free(&right);
    }
    folded_text_free(&left);
    return result;
}

static inline uint8_t lower(uint8_t byte) {
    return (uint8_t)(byte - 'A') < 26 ? byte | 0x20 : byte;
}

// The usual case, without folding anything: two ASCII letters differ and all before them are ASCII.
// Marks that may follow decide nothing then, and numbers cannot be involved. 0 if it is another case.
static int order_ascii_start(
    const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length, bool numbers
) {
    size_t common = a_length < b_length ? a_length : b_length;
    for (size_t i = 0; i < common; i++) {
        if ((a[i] | b[i]) >= 0x80) return 0;
        if (a[i] == b[i]) continue;
        uint8_t left = lower(a[i]), right = lower(b[i]);
        if (left == right) continue;
        if (numbers && (is_digit(left) || is_digit(right))) return 0;
        return left < right ? -1 : 1;
    }
    return 0;
}

int ctext_order(
    const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length,
    ctext_comparison comparison
) {
    if (a_length == b_length && (!a_length || memcmp(a, b, a_length) == 0)) return 0;
    if (comparison == CTEXT_BINARY) return order_bytes(a, a_length, b, b_length);
    bool numbers = comparison == CTEXT_LOCALIZED_STANDARD;
    int order = order_ascii_start(a, a_length, b, b_length, numbers);
    if (order) return order;
    level_order *by_text = numbers ? order_numbers : order_bytes;
    if (comparison != CTEXT_CASE_INSENSITIVE) {
        unsigned letters = CTEXT_CASE | CTEXT_DIACRITICS;
        order = order_level(a, a_length, b, b_length, letters, by_text);
        if (order) return order;
    }
    order = order_level(a, a_length, b, b_length, CTEXT_CASE, by_text);
    if (order || comparison == CTEXT_CASE_INSENSITIVE
        || comparison == CTEXT_LOCALIZED_CASE_INSENSITIVE)
        return order;
    return order_level(a, a_length, b, b_length, CTEXT_NORMALIZED, order_case);
}
