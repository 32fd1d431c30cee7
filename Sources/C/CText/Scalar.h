#ifndef CTEXT_SCALAR_H
#define CTEXT_SCALAR_H

#include <stddef.h>
#include <stdint.h>

#include "FoldTable.h"

// A byte that is not part of well-formed UTF-8 reads as this number plus the byte: no scalar, and no
// entry in the table.
enum { NOT_A_SCALAR = 0x200000 };

static inline int is_continuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

// Reads the scalar at `text`, before `end`; sets the number of its bytes.
static inline uint32_t read_scalar(const uint8_t *text, const uint8_t *end, size_t *length) {
    uint8_t lead = text[0];
    size_t left = (size_t)(end - text);
    *length = 1;
    if (lead < 0x80) return lead;
    if (lead >= 0xC2 && lead < 0xE0 && left >= 2 && is_continuation(text[1])) {
        *length = 2;
        return (uint32_t)(lead & 0x1F) << 6 | (text[1] & 0x3F);
    }
    if ((lead & 0xF0) == 0xE0 && left >= 3 && is_continuation(text[1]) && is_continuation(text[2])) {
        uint32_t scalar =
            (uint32_t)(lead & 0x0F) << 12 | (uint32_t)(text[1] & 0x3F) << 6 | (text[2] & 0x3F);
        if (scalar >= 0x800 && (scalar & 0xFFFFF800) != 0xD800) {
            *length = 3;
            return scalar;
        }
    }
    if (lead >= 0xF0 && lead < 0xF5 && left >= 4 && is_continuation(text[1])
        && is_continuation(text[2]) && is_continuation(text[3])) {
        uint32_t scalar = (uint32_t)(lead & 0x07) << 18 | (uint32_t)(text[1] & 0x3F) << 12
            | (uint32_t)(text[2] & 0x3F) << 6 | (text[3] & 0x3F);
        if (scalar >= 0x10000 && scalar < 0x110000) {
            *length = 4;
            return scalar;
        }
    }
    return NOT_A_SCALAR + lead;
}

static inline const fold_record *record_of(uint32_t scalar) {
    if (scalar >= FOLD_LIMIT) return &fold_records[0];
    uint32_t block = fold_index[scalar >> FOLD_BLOCK_BITS];
    uint32_t place = scalar & ((1u << FOLD_BLOCK_BITS) - 1);
    return &fold_records[fold_leaves[block << FOLD_BLOCK_BITS | place]];
}

#endif
