#ifndef CTEXT_ORDER_H
#define CTEXT_ORDER_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    // By scalar, which is by byte.
    CTEXT_BINARY,
    // By scalar of the texts with their case folded.
    CTEXT_CASE_INSENSITIVE,
    // By scalar of the texts without case and diacritics; if they are the same, those without
    // diacritics come first; then lower case comes before upper case.
    CTEXT_LOCALIZED,
    // As CTEXT_LOCALIZED, without the last step.
    CTEXT_LOCALIZED_CASE_INSENSITIVE,
    // As CTEXT_LOCALIZED, with runs of ASCII digits ordered by their number; of equal numbers the one
    // with more leading zeros comes first, if nothing but case differs.
    CTEXT_LOCALIZED_STANDARD,
} ctext_comparison;

// Negative, zero or positive: a total order of the texts. Except for CTEXT_BINARY, canonically
// equivalent texts are the same. Usable as a collation of SQLite.
int ctext_order(
    const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length,
    ctext_comparison comparison);

#endif
