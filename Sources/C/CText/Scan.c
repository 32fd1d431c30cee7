#include "CTextScan.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Segments are scanned in blocks; between two blocks a thread checks whether it should stop.
enum { BLOCK = 4096, MAX_THREADS = 8, ALL_FIELDS = 0xFF };

void ctext_flag_raise(uint32_t *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELAXED); }

bool ctext_flag_is_raised(const uint32_t *flag) {
    return flag && __atomic_load_n(flag, __ATOMIC_RELAXED) != 0;
}

static bool has_word(
    const uint8_t *row, const uint8_t *end, const ctext_needle *word, uint8_t fields
) {
    const uint8_t *at = row, *counted = row;
    unsigned field = 0;
    while ((at = ctext_find(at, end, word))) {
        if (fields == ALL_FIELDS) return true;
        // Fields are counted once along the row, however many hits it has.
        for (; counted < at; counted++) field += *counted == CTEXT_FIELD_END;
        if (field < 8 && (fields >> field & 1)) return true;
        at++;
    }
    return false;
}

static bool has_words(
    const ctext_rows *rows, uint32_t segment, const ctext_query *query, size_t from
) {
    const uint8_t *row = rows->bytes + rows->starts[segment];
    const uint8_t *end = rows->bytes + rows->starts[segment + 1];
    for (size_t i = from; i < query->word_count; i++)
        if (!has_word(row, end, &query->words[i], query->fields)) return false;
    return true;
}

static inline uint32_t segment_of(const ctext_rows *rows, uint32_t row) {
    return row < rows->row_count ? rows->row_segments[row] : CTEXT_NONE;
}

size_t ctext_test_in_order(
    const ctext_rows *rows, const ctext_query *query, const uint32_t *order, size_t count,
    size_t limit, size_t budget, const uint32_t *flag, uint32_t *found, size_t *found_count
) {
    enum { AHEAD = 8 };
    size_t hits = 0, at = 0;
    bool whole = count <= budget;
    if (!whole) count = budget;
    for (; at < count && hits < limit; at++) {
        if (at + AHEAD < count) {
            uint32_t next = segment_of(rows, order[at + AHEAD]);
            if (next != CTEXT_NONE) __builtin_prefetch(rows->bytes + rows->starts[next]);
        }
        if (at % 1024 == 1023 && ctext_flag_is_raised(flag)) break;
        if (!whole && at == budget / 8 && hits < limit / 8) break;
        uint32_t segment = segment_of(rows, order[at]);
        if (segment != CTEXT_NONE && has_words(rows, segment, query, 0)) found[hits++] = order[at];
    }
    *found_count = hits;
    return at;
}

// The segment that contains an offset, at or after a given one: it is usually near.
static uint32_t locate(const uint32_t *starts, uint32_t low, uint32_t end, uint32_t offset) {
    uint32_t step = 1;
    while (end - low > step && starts[low + step] <= offset) {
        low += step;
        step *= 2;
    }
    uint32_t high = end - low > step ? low + step : end;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (starts[middle] <= offset) low = middle;
        else high = middle;
    }
    return low;
}

static unsigned field_at(const uint8_t *row, const uint8_t *place) {
    unsigned field = 0;
    for (const uint8_t *byte = row; byte < place; byte++) field += *byte == CTEXT_FIELD_END;
    return field < 8 ? field : 7;
}

// The last of the places where the words occur first in a row, without regard to the fields that are
// searched; NULL if one does not occur. `first` is that of the first word.
static const uint8_t *needed_place(
    const ctext_rows *rows, uint32_t segment, const ctext_query *query, const uint8_t *first
) {
    const uint8_t *row = rows->bytes + rows->starts[segment];
    const uint8_t *end = rows->bytes + rows->starts[segment + 1];
    const uint8_t *last = first;
    for (size_t i = 1; i < query->word_count; i++) {
        const uint8_t *at = ctext_find(row, end, &query->words[i]);
        if (at == NULL) return NULL;
        if (at > last) last = at;
    }
    return last;
}

static void scan_block(
    const ctext_rows *rows, const ctext_query *query, uint32_t segment, uint32_t block_end,
    uint64_t *bits, uint8_t *fields
) {
    const uint8_t *at = rows->bytes + rows->starts[segment];
    const uint8_t *end = rows->bytes + rows->starts[block_end];
    while ((at = ctext_find(at, end, &query->words[0]))) {
        segment = locate(rows->starts, segment, block_end, (uint32_t)(at - rows->bytes));
        uint32_t row = rows->segment_rows[segment];
        const uint8_t *place = row == CTEXT_NONE ? NULL : needed_place(rows, segment, query, at);
        // A word may be found only in a field that is not searched.
        bool matches = place != NULL
            && (query->fields == ALL_FIELDS || has_words(rows, segment, query, 0));
        if (matches) {
            bits[row / 64] |= 1ull << (row % 64);
            if (fields)
                fields[row] = (uint8_t)field_at(rows->bytes + rows->starts[segment], place);
        }
        segment++;
        if (segment == block_end) return;
        at = rows->bytes + rows->starts[segment];
    }
}

typedef struct {
    const ctext_rows *rows;
    const ctext_query *query;
    const uint32_t *flag;
    uint32_t *next;  // the next block that no thread has taken
    uint64_t *bits;
    uint8_t *fields;
} job;

static void *run(void *argument) {
    const job *work = argument;
    uint32_t count = work->rows->segment_count;
    while (!ctext_flag_is_raised(work->flag)) {
        uint32_t block = __atomic_fetch_add(work->next, 1, __ATOMIC_RELAXED);
        if (block >= (count + BLOCK - 1) / BLOCK) break;
        uint32_t start = block * BLOCK;
        uint32_t end = count - start < BLOCK ? count : start + BLOCK;
        scan_block(work->rows, work->query, start, end, work->bits, work->fields);
    }
    return NULL;
}

// Each further thread has its own bits, which are added at the end; a row's field is a byte of its own.
// A thread that cannot be started leaves its blocks to the others.
bool ctext_scan(
    const ctext_rows *rows, const ctext_query *query, unsigned threads, const uint32_t *flag,
    uint64_t *bits, uint8_t *fields
) {
    uint32_t next = 0;
    size_t words = ((size_t)rows->row_count + 63) / 64;
    pthread_t handles[MAX_THREADS];
    job jobs[MAX_THREADS];
    unsigned started = 0;
    if (threads > MAX_THREADS) threads = MAX_THREADS;
    for (; started + 1 < threads && words; started++) {
        uint64_t *own = calloc(words, sizeof *own);
        if (!own) break;
        jobs[started] = (job){rows, query, flag, &next, own, fields};
        if (pthread_create(&handles[started], NULL, run, &jobs[started])) {
            free(own);
            break;
        }
    }
    job mine = {rows, query, flag, &next, bits, fields};
    run(&mine);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(handles[i], NULL);
        for (size_t word = 0; word < words; word++) bits[word] |= jobs[i].bits[word];
        free(jobs[i].bits);
    }
    return !ctext_flag_is_raised(flag);
}

bool ctext_narrow(
    const ctext_rows *rows, const ctext_query *query, const uint32_t *flag, uint64_t *bits
) {
    size_t words = ((size_t)rows->row_count + 63) / 64;
    for (size_t word = 0; word < words; word++) {
        if (word % 64 == 0 && ctext_flag_is_raised(flag)) return false;
        uint64_t kept = 0;
        for (uint64_t left = bits[word]; left; left &= left - 1) {
            uint32_t row = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(left);
            uint32_t segment = segment_of(rows, row);
            if (segment != CTEXT_NONE && has_words(rows, segment, query, 0))
                kept |= left & -left;
        }
        bits[word] = kept;
    }
    return true;
}

size_t ctext_pick(
    const uint32_t *order, size_t count, const uint64_t *bits, uint32_t row_count,
    size_t skip, size_t limit, uint32_t *picked, size_t *picked_count
) {
    size_t hits = 0, written = 0, at = 0;
    for (; at < count && written < limit; at++) {
        uint32_t row = order[at];
        if (row >= row_count || !(bits[row / 64] >> (row % 64) & 1)) continue;
        if (hits++ >= skip) picked[written++] = row;
    }
    for (; at < count; at++) {
        uint32_t row = order[at];
        hits += row < row_count ? bits[row / 64] >> (row % 64) & 1 : 0;
    }
    *picked_count = written;
    return hits;
}

// The number of the last field that is needed to find all words in a row, which has them.
static unsigned needed_field(const ctext_rows *rows, uint32_t segment, const ctext_query *query) {
    const uint8_t *row = rows->bytes + rows->starts[segment];
    const uint8_t *end = rows->bytes + rows->starts[segment + 1];
    const uint8_t *first = ctext_find(row, end, &query->words[0]);
    const uint8_t *place = first ? needed_place(rows, segment, query, first) : NULL;
    return place ? field_at(row, place) : 0;
}

void ctext_count_fields(
    const ctext_rows *rows, const ctext_query *query, const uint32_t *order, size_t count,
    const uint64_t *bits, const uint8_t *fields, size_t *counts
) {
    for (size_t at = 0; at < count; at++) {
        uint32_t row = order[at];
        if (row >= rows->row_count) continue;
        unsigned bit = bits[row / 64] >> (row % 64) & 1;
        // Without a branch: whether a row has its bit cannot be foreseen.
        if (fields)
            counts[fields[row]] += bit;
        else if (bit && rows->row_segments[row] != CTEXT_NONE)
            counts[needed_field(rows, rows->row_segments[row], query)]++;
    }
}

void ctext_clean(uint8_t *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        text[i] = text[i] == CTEXT_FIELD_END || text[i] == CTEXT_ROW_END ? ' ' : text[i];
}

void ctext_count_bytes(const uint8_t *text, size_t length, uint32_t *frequencies) {
    for (size_t i = 0; i < length; i++) frequencies[text[i]]++;
}
