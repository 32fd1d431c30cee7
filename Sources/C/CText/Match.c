#include "CTextMatch.h"

#include <string.h>

#include "CTextFind.h"
#include "CTextFold.h"
#include "Scratch.h"

// The signs of a folded LIKE pattern; neither byte occurs in UTF-8.
enum { ANY_RUN = 0xFF, ANY_CHARACTER = 0xFE, NOWHERE_BYTE = 0xFD };

static bool contains(
    const uint8_t *text, size_t length, const ctext_needle *needle, bool exact
) {
    const uint8_t *at = text, *end = text + length;
    while ((at = ctext_find(at, end, needle))) {
        size_t offset = (size_t)(at - text);
        if (exact
            || (ctext_is_boundary(text, length, offset)
                && ctext_is_boundary(text, length, offset + needle->length)))
            return true;
        at++;
    }
    return false;
}

// The end of the part of a pattern up to the next sign.
static size_t literal_end(const uint8_t *pattern, size_t length, size_t at) {
    while (at < length && pattern[at] < ANY_CHARACTER) at++;
    return at;
}

// Goes through text and pattern at once; after a failure the last star takes one more character.
// Earlier stars need no second try, since what follows them has been found at its first place: the
// cost is at most the product of the two lengths.
static bool like(const uint8_t *text, size_t length, const uint8_t *pattern, size_t pattern_length) {
    size_t at = 0, place = 0, star = SIZE_MAX, star_at = 0;
    while (true) {
        if (place < pattern_length && pattern[place] == ANY_RUN) {
            star = ++place;
            star_at = at;
            if (place == pattern_length) return true;
            continue;
        }
        bool matched = false;
        if (place < pattern_length && pattern[place] == ANY_CHARACTER) {
            if (at < length) {
                at = ctext_next_boundary(text, length, at);
                place++;
                matched = true;
            }
        } else if (place < pattern_length) {
            size_t size = literal_end(pattern, pattern_length, place) - place;
            if (length - at >= size && memcmp(text + at, pattern + place, size) == 0
                && ctext_is_boundary(text, length, at + size)) {
                at += size;
                place += size;
                matched = true;
            }
        } else if (at == length) {
            return true;
        }
        if (matched) continue;
        if (star == SIZE_MAX || star_at >= length) return false;
        star_at = ctext_next_boundary(text, length, star_at);
        at = star_at;
        place = star;
    }
}

static bool matches_folded(
    ctext_relation relation, const uint8_t *text, size_t length,
    const uint8_t *needle, size_t needle_length, bool exact
) {
    switch (relation) {
    case CTEXT_EQUAL:
        return length == needle_length && (!length || memcmp(text, needle, length) == 0);
    case CTEXT_PREFIX:
        return needle_length && length >= needle_length
            && memcmp(text, needle, needle_length) == 0
            && (exact || ctext_is_boundary(text, length, needle_length));
    case CTEXT_SUFFIX:
        return needle_length && length >= needle_length
            && memcmp(text + length - needle_length, needle, needle_length) == 0
            && (exact || ctext_is_boundary(text, length, length - needle_length));
    case CTEXT_CONTAINS: {
        if (!needle_length || length < needle_length) return false;
        ctext_needle prepared = ctext_needle_make(needle, needle_length, NULL);
        return contains(text, length, &prepared, exact);
    }
    case CTEXT_LIKE:
        return like(text, length, needle, needle_length);
    }
    return false;
}

bool ctext_matches(
    ctext_relation relation, const uint8_t *text, size_t length,
    const uint8_t *needle, size_t needle_length, unsigned options
) {
    // Only finding reads beyond the end; all other relations can take an exact text as it stands.
    if (options == CTEXT_EXACT && relation != CTEXT_CONTAINS)
        return matches_folded(relation, text, length, needle, needle_length, true);
    if (relation != CTEXT_LIKE && needle_length > length * CTEXT_FOLD_GROWTH) return false;
    folded_text folded;
    if (!folded_text_make(&folded, text, length, options)) return false;
    bool result = matches_folded(
        relation, folded.bytes, folded.length, needle, needle_length, options == CTEXT_EXACT);
    folded_text_free(&folded);
    return result;
}

bool ctext_has(const uint8_t *text, size_t length, const ctext_needle *needle) {
    if (!needle->length || needle->length > length * CTEXT_FOLD_GROWTH) return false;
    folded_text folded;
    if (!folded_text_make(&folded, text, length, CTEXT_CASE | CTEXT_DIACRITICS)) return false;
    bool result =
        folded.length >= needle->length && contains(folded.bytes, folded.length, needle, false);
    folded_text_free(&folded);
    return result;
}

// Folds the literal part that ends at `end`, and adds it; returns the new length of the result.
static size_t add_literal(
    const uint8_t *start, const uint8_t *end, unsigned options, uint8_t *out, size_t written
) {
    size_t added = ctext_fold(start, (size_t)(end - start), options, out + written);
    for (uint8_t *at = out + written; at < out + written + added; at++)
        if (*at >= ANY_CHARACTER) *at = NOWHERE_BYTE;
    return written + added;
}

size_t ctext_like_pattern(
    const uint8_t *pattern, size_t length, unsigned options, uint8_t *out
) {
    // Literal parts are folded whole, so their escapes are removed first: into the end of the buffer,
    // where the folded parts never reach bytes that are still to be read.
    uint8_t *literal = out + (CTEXT_FOLD_GROWTH - 1) * length + CTEXT_SLACK, *literal_next = literal;
    size_t written = 0;
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = pattern[i];
        if (byte == '*' || byte == '?') {
            written = add_literal(literal, literal_next, options, out, written);
            literal = literal_next;
            bool repeated = byte == '*' && written && out[written - 1] == ANY_RUN;
            if (!repeated) out[written++] = byte == '*' ? ANY_RUN : ANY_CHARACTER;
            continue;
        }
        if (byte == '\\' && i + 1 < length) byte = pattern[++i];
        *literal_next++ = byte;
    }
    return add_literal(literal, literal_next, options, out, written);
}
