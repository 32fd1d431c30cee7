#ifndef CTEXT_MATCH_H
#define CTEXT_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CTextFind.h"

// The string operators of a predicate.
typedef enum {
    CTEXT_EQUAL,
    CTEXT_PREFIX,
    CTEXT_SUFFIX,
    CTEXT_CONTAINS,
    CTEXT_LIKE,
} ctext_relation;

// Whether `text` is in this relation to `needle`, which is already folded with the same options
// (`ctext_fold`), or is a pattern of `ctext_like_pattern` for CTEXT_LIKE.
//
// Unless the options are CTEXT_EXACT, an occurrence begins and ends at boundaries of characters: "e"
// does not occur in a decomposed "é" if only case is ignored, as it does not in a composed one. An
// empty needle is a prefix, suffix or part of nothing.
bool ctext_matches(
    ctext_relation relation, const uint8_t *text, size_t length,
    const uint8_t *needle, size_t needle_length, unsigned options);

// Whether `text` contains the needle, which is folded without case and diacritics (`CTEXT_CASE |
// CTEXT_DIACRITICS`): `ctext_matches` for many texts and one needle.
bool ctext_has(const uint8_t *text, size_t length, const ctext_needle *needle);

// Folds a LIKE pattern: `?` is one character, `*` any number of them, and a backslash makes the next
// character an ordinary one. `out` has room for `CTEXT_FOLD_GROWTH * length + CTEXT_SLACK` bytes.
// Returns the length of the result, which only `ctext_matches` can read.
size_t ctext_like_pattern(
    const uint8_t *pattern, size_t length, unsigned options, uint8_t *out);

#endif
