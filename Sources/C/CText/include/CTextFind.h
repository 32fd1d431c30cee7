#ifndef CTEXT_FIND_H
#define CTEXT_FIND_H

#include <stddef.h>
#include <stdint.h>

// Finding a byte string, quickly: all places where the three rarest bytes of the string stand at the
// right distances are found with vector instructions and compared in full.

typedef struct {
    const uint8_t *bytes;  // not owned
    size_t length;
    size_t anchors[3];  // offsets of the rarest bytes, the rarest first; the last repeats if there
                        // are fewer
    uint64_t head, head_mask;  // the first eight bytes, and which of them count
} ctext_needle;

// A needle of at least one byte. `frequencies` has a number for each byte value, greater for bytes
// that are more frequent in the texts to be searched; NULL stands for built-in ones.
ctext_needle ctext_needle_make(
    const uint8_t *bytes, size_t length, const uint32_t *frequencies);

// The first occurrence that lies within `text ..< end`, or NULL. `CTEXT_SLACK` bytes after `end` must
// be readable.
const uint8_t *ctext_find(const uint8_t *text, const uint8_t *end, const ctext_needle *needle);

#endif
