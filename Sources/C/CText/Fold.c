#include "CTextFold.h"

#include <stdlib.h>
#include <string.h>

#include "Scalar.h"

// The algorithm: each scalar is replaced by its form from the table, which is decomposed; then
//
// 1. a diacritic after a base is dropped, if diacritics are ignored;
// 2. a run of combining marks is sorted by combining class, keeping the order of equals, as
//    canonical equivalence demands (the run is sorted when it ends, and only if it needs it);
// 3. conjoining jamo are composed with the syllable before them;
// 4. when only case is ignored, the iota subscript becomes a letter. It has the highest class, so
//    after sorting it stands at the end of its run.

static const uint64_t high_bits = 0x8080808080808080ull;

enum { IOTA_CLASS = 240 };

typedef struct {
    uint8_t *out;    // where the next byte goes
    uint8_t *start;  // of the result
    uint8_t *run;    // the first mark of the current run of marks; `out` if there is none
    uint8_t last_class;
    bool unsorted;
    bool iota;
    bool base;  // whether a letter has been written
} writer;

static unsigned class_at(const uint8_t *text, const uint8_t *end, size_t *length) {
    return record_of(read_scalar(text, end, length))->combining_class;
}

// Sorts a run of marks by class: one pass for each class that occurs. Without memory for a copy of a
// very long run, the run stays as it is.
static void sort_run(uint8_t *run, uint8_t *end) {
    uint8_t small[256];
    size_t size = (size_t)(end - run), length;
    uint8_t *copy = size <= sizeof small ? small : malloc(size);
    if (!copy) return;
    memcpy(copy, run, size);
    const uint8_t *copy_end = copy + size;
    bool present[256] = {false};
    for (const uint8_t *at = copy; at < copy_end; at += length)
        present[class_at(at, copy_end, &length)] = true;
    for (unsigned class = 1; class < 256; class++) {
        if (!present[class]) continue;
        for (const uint8_t *at = copy; at < copy_end; at += length) {
            if (class_at(at, copy_end, &length) != class) continue;
            memcpy(run, at, length);
            run += length;
        }
    }
    if (copy != small) free(copy);
}

// Ends a run of marks (rules 2 and 4).
static void end_run(writer *w, unsigned options) {
    if (w->unsorted) sort_run(w->run, w->out);
    if (w->iota && options == CTEXT_CASE) {
        // U+0345 and U+03B9 both take two bytes.
        for (uint8_t *at = w->out - 2; at >= w->run && at[0] == 0xCD && at[1] == 0x85; at -= 2) {
            at[0] = 0xCE;
            at[1] = 0xB9;
        }
    }
    w->unsorted = w->iota = false;
    w->last_class = 0;
    w->run = w->out;
}

static inline void write_bytes(writer *w, const uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) w->out[i] = bytes[i];
    w->out += length;
}

// Composes a vowel or final jamo with the syllable just written, if there is one (rule 3).
static bool compose(writer *w, uint32_t jamo) {
    if (w->out - w->start < 3 || w->run != w->out) return false;
    size_t length;
    uint32_t before = read_scalar(w->out - 3, w->out, &length), syllable;
    if (length != 3) return false;
    if (jamo <= 0x1175) {
        if (before < 0x1100 || before > 0x1112) return false;
        syllable = 0xAC00 + ((before - 0x1100) * 21 + (jamo - 0x1161)) * 28;
    } else {
        if (before < 0xAC00 || before > 0xD7A3 || (before - 0xAC00) % 28 != 0) return false;
        syllable = before + (jamo - 0x11A7);
    }
    w->out[-3] = (uint8_t)(0xE0 | syllable >> 12);
    w->out[-2] = (uint8_t)(0x80 | (syllable >> 6 & 0x3F));
    w->out[-1] = (uint8_t)(0x80 | (syllable & 0x3F));
    return true;
}

static inline bool is_jamo(uint32_t scalar) {
    return scalar - 0x1161 <= 0x1175 - 0x1161 || scalar - 0x11A8 <= 0x11C2 - 0x11A8;
}

// Writes one scalar that has no form of its own.
static void write_scalar(
    writer *w, uint32_t scalar, const fold_record *record, const uint8_t *bytes, size_t length,
    unsigned options
) {
    unsigned class = record->combining_class;
    if (class) {
        if (w->run == w->out) w->last_class = 0;
        w->unsorted |= class < w->last_class;
        w->iota |= class == IOTA_CLASS;
        w->last_class = (uint8_t)class;
        write_bytes(w, bytes, length);
        return;
    }
    if (w->run != w->out) end_run(w, options);
    if (!(is_jamo(scalar) && compose(w, scalar))) write_bytes(w, bytes, length);
    w->run = w->out;
    if (!(record->flags & FOLD_DROPPED)) w->base = true;
}

// Copies the few bytes of a scalar or a form. Four at a time if both sides have room, which `out`
// always has.
static inline void write_few(writer *w, const uint8_t *bytes, size_t length, bool has_room) {
    if (has_room && length <= 4) {
        memcpy(w->out, bytes, 4);
        w->out += length;
    } else {
        write_bytes(w, bytes, length);
    }
}

// Writes the scalar at `text`, and returns where the next one begins.
static inline const uint8_t *fold_scalar(
    writer *w, const uint8_t *text, const uint8_t *end, unsigned options, unsigned form_index
) {
    size_t length;
    uint32_t scalar = read_scalar(text, end, &length);
    const fold_record *record = record_of(scalar);
    const uint8_t *next = text + length;
    unsigned inside = (unsigned)FOLD_MARKS_INSIDE << form_index;
    if (!(record->flags & (FOLD_DROPPED | FOLD_ATTACHED | inside))) {
        // A letter that becomes letters: by far the most frequent case.
        if (w->run != w->out) end_run(w, options);
        const uint8_t *form = fold_pool + record->forms[form_index];
        if (form == fold_pool) write_few(w, text, length, end - text >= 4);
        else write_few(w, form + 1, form[0], true);
        w->run = w->out;
        w->base = true;
        return next;
    }
    if ((options & CTEXT_DIACRITICS) && w->base && (record->flags & FOLD_DROPPED)) return next;
    const uint8_t *form = fold_pool + record->forms[form_index];
    if (form == fold_pool) {
        write_scalar(w, scalar, record, text, length, options);
        return next;
    }
    const uint8_t *part = form + 1, *form_end = part + form[0];
    for (; part < form_end; part += length) {
        scalar = read_scalar(part, form_end, &length);
        write_scalar(w, scalar, record_of(scalar), part, length, options);
    }
    return next;
}

// Folds eight bytes of ASCII.
static inline uint64_t lower_word(uint64_t word) {
    uint64_t from_a = word + 0x3F3F3F3F3F3F3F3Full, after_z = word + 0x2525252525252525ull;
    return word | (from_a & ~after_z & high_bits) >> 2;
}

static inline uint8_t lower_byte(uint8_t byte) {
    return (uint8_t)(byte - 'A') < 26 ? byte | 0x20 : byte;
}

size_t ctext_fold(const uint8_t *text, size_t length, unsigned options, uint8_t *out) {
    options &= CTEXT_CASE | CTEXT_DIACRITICS | CTEXT_NORMALIZED;
    if (options & (CTEXT_CASE | CTEXT_DIACRITICS)) options &= ~(unsigned)CTEXT_NORMALIZED;
    if (options == CTEXT_EXACT) {
        if (length) memcpy(out, text, length);
        return length;
    }
    unsigned form_index = options & (CTEXT_CASE | CTEXT_DIACRITICS);
    bool lower = options & CTEXT_CASE;
    writer w = {.out = out, .start = out, .run = out};
    const uint8_t *end = text + length;
    while (text < end) {
        if (*text >= 0x80) {
            text = fold_scalar(&w, text, end, options, form_index);
            continue;
        }
        if (w.run != w.out) end_run(&w, options);
        while (end - text >= 8) {
            uint64_t word;
            memcpy(&word, text, 8);
            if (word & high_bits) break;
            if (lower) word = lower_word(word);
            memcpy(w.out, &word, 8);
            text += 8;
            w.out += 8;
        }
        while (text < end && *text < 0x80) {
            *w.out++ = lower ? lower_byte(*text) : *text;
            text++;
        }
        w.run = w.out;
        w.base = true;
    }
    if (w.run != w.out) end_run(&w, options);
    return (size_t)(w.out - out);
}

size_t ctext_fold_with_origins(
    const uint8_t *text, size_t length, unsigned options, uint8_t *out, uint32_t *origins
) {
    size_t written = 0;
    for (size_t at = 0, next; at < length; at = next) {
        next = ctext_next_boundary(text, length, at);
        size_t count = ctext_fold(text + at, next - at, options, out + written);
        for (size_t i = 0; i < count; i++) origins[written + i] = (uint32_t)at;
        written += count;
    }
    return written;
}

bool ctext_is_boundary(const uint8_t *text, size_t length, size_t offset) {
    if (offset == 0 || offset >= length || text[offset] < 0x80) return true;
    if (is_continuation(text[offset])) {
        // Inside a scalar, unless the bytes around are not well-formed.
        for (size_t back = 1; back <= 3 && back <= offset; back++) {
            if (is_continuation(text[offset - back])) continue;
            size_t size;
            read_scalar(text + offset - back, text + length, &size);
            if (size > back) return false;
            break;
        }
    }
    size_t size;
    uint32_t scalar = read_scalar(text + offset, text + length, &size);
    return !(record_of(scalar)->flags & FOLD_ATTACHED);
}

size_t ctext_next_boundary(const uint8_t *text, size_t length, size_t offset) {
    const uint8_t *at = text + offset, *end = text + length;
    size_t size;
    read_scalar(at, end, &size);
    at += size;
    while (at < end && *at >= 0x80) {
        uint32_t scalar = read_scalar(at, end, &size);
        if (!(record_of(scalar)->flags & FOLD_ATTACHED)) break;
        at += size;
    }
    return (size_t)(at - text);
}

bool ctext_is_ascii(const uint8_t *text, size_t length) {
    while (length >= 8) {
        uint64_t word;
        memcpy(&word, text, 8);
        if (word & high_bits) return false;
        text += 8;
        length -= 8;
    }
    for (size_t i = 0; i < length; i++)
        if (text[i] >= 0x80) return false;
    return true;
}
