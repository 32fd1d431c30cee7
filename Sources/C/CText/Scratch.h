#ifndef CTEXT_SCRATCH_H
#define CTEXT_SCRATCH_H

#include <stdbool.h>
#include <stdlib.h>

#include "CTextFold.h"

// A folded text for the length of one call: on the stack if it is short.
typedef struct {
    const uint8_t *bytes;
    size_t length;
    uint8_t *allocated;
    uint8_t small[1024 + CTEXT_SLACK];
} folded_text;

// False if there is no memory.
static inline bool folded_text_make(
    folded_text *folded, const uint8_t *text, size_t length, unsigned options
) {
    uint8_t *out = folded->small;
    folded->allocated = NULL;
    if (length > 1024 / CTEXT_FOLD_GROWTH) {
        out = folded->allocated = malloc(length * CTEXT_FOLD_GROWTH + CTEXT_SLACK);
        if (!out) return false;
    }
    folded->length = ctext_fold(text, length, options, out);
    folded->bytes = out;
    return true;
}

static inline void folded_text_free(folded_text *folded) {
    if (folded->allocated) free(folded->allocated);
}

#endif
