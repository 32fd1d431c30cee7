#ifndef CTEXT_FOLD_H
#define CTEXT_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Folding of UTF-8 text: the one implementation behind predicates in memory, the functions and
// collations of a SQL store, and the search.
//
// All functions take raw buffers (they may be NULL if the length is 0) and accept any bytes: a byte
// that is not part of well-formed UTF-8 is kept as it is and counts as a letter.

// What a fold ignores. CASE and DIACRITICS may be combined and both include NORMALIZED.
enum {
    CTEXT_EXACT = 0,       // nothing: texts are compared byte by byte
    CTEXT_CASE = 1,        // full case folding
    CTEXT_DIACRITICS = 2,  // the diacritics that follow a letter are dropped
    CTEXT_NORMALIZED = 4,  // canonical equivalents are the same, nothing else
};

// A folded text is never longer than this many times the original.
enum { CTEXT_FOLD_GROWTH = 3 };

// Bytes that must be readable after the end of a buffer given to the search functions, and writable
// after the folded text in a buffer given to `ctext_fold`; their values do not matter.
enum { CTEXT_SLACK = 64 };

// Folds a text into `out`, which has room for `CTEXT_FOLD_GROWTH * length + CTEXT_SLACK` bytes.
// Returns the length of the result, which is well-formed if the text was.
//
// The result is canonically decomposed, except that Hangul syllables are composed; canonically
// equivalent texts give the same bytes. For well-formed texts, folding a folded text changes nothing,
// and folding two texts and joining the results is folding the joined text, if the second text
// begins a character.
size_t ctext_fold(const uint8_t *text, size_t length, unsigned options, uint8_t *out);

// As `ctext_fold`; also writes, for each byte of the result, the offset in the text of the character
// that it comes from. `origins` has room for `CTEXT_FOLD_GROWTH * length` numbers. A text must be
// shorter than 4 GB.
size_t ctext_fold_with_origins(
    const uint8_t *text, size_t length, unsigned options, uint8_t *out, uint32_t *origins);

// Whether a character begins at `offset`, or the text ends there. A character is a scalar with the
// combining marks (and conjoining jamo) that follow it.
bool ctext_is_boundary(const uint8_t *text, size_t length, size_t offset);

// The offset of the first boundary after `offset`, which is less than the length.
size_t ctext_next_boundary(const uint8_t *text, size_t length, size_t offset);

bool ctext_is_ascii(const uint8_t *text, size_t length);

#endif
