#ifndef CTEXT_SCAN_H
#define CTEXT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CTextFind.h"

// Scanning of many folded texts, one after another in one buffer.
//
// A row is a number that stands for an object; a segment is the place of its text. Segments follow
// each other without gaps in the order of their numbers. A segment holds the fields of its row with
// CTEXT_FIELD_END between them, and at least one CTEXT_ROW_END at its end; a segment without a row
// holds only CTEXT_ROW_END. Texts and needles contain neither byte.
enum { CTEXT_FIELD_END = 0x1F, CTEXT_ROW_END = 0x1E };

// Means "no row" and "no segment".
#define CTEXT_NONE UINT32_MAX

typedef struct {
    const uint8_t *bytes;  // with CTEXT_SLACK readable bytes after the last segment
    const uint32_t *starts;  // of the segments; one more number for the end of the last
    const uint32_t *segment_rows;  // the row of each segment, or CTEXT_NONE
    const uint32_t *row_segments;  // the segment of each row, or CTEXT_NONE
    uint32_t segment_count, row_count;
} ctext_rows;

// A row matches if each word occurs in at least one of the fields.
typedef struct {
    const ctext_needle *words;  // at least one, the rarest first
    size_t word_count;
    uint8_t fields;  // one bit for each field that is searched; 0xFF: all
} ctext_query;

// Another thread's request to stop: a number that is 0 until the request. NULL means no request.
void ctext_flag_raise(uint32_t *flag);
bool ctext_flag_is_raised(const uint32_t *flag);

// Tests rows one by one in a given order until `limit` match, and writes those that do.
//
// Gives up if that would take longer than a scan: after `budget` rows, or after an eighth of them if
// less than an eighth of `limit` was found. Returns the number of rows tested.
size_t ctext_test_in_order(
    const ctext_rows *rows, const ctext_query *query, const uint32_t *order, size_t count,
    size_t limit, size_t budget, const uint32_t *flag, uint32_t *found, size_t *found_count);

// Sets the bit of each row that matches, in `(row_count + 63) / 64` words that are 0 before, and
// unless `fields` is NULL the byte of the row in it: the field that it needs, as for
// ctext_count_fields. `threads` counts the caller's. Returns false if the flag was raised.
bool ctext_scan(
    const ctext_rows *rows, const ctext_query *query, unsigned threads, const uint32_t *flag,
    uint64_t *bits, uint8_t *fields);

// Clears the bit of each row that does not match. Returns false if the flag was raised.
bool ctext_narrow(
    const ctext_rows *rows, const ctext_query *query, const uint32_t *flag, uint64_t *bits);

// The rows of an order that have their bit set: writes up to `limit` of them after the first `skip`,
// and returns how many there are in all. Rows from `row_count` on have no bit.
size_t ctext_pick(
    const uint32_t *order, size_t count, const uint64_t *bits, uint32_t row_count,
    size_t skip, size_t limit, uint32_t *picked, size_t *picked_count);

// How many rows of an order that have their bit set need which field: the last of those in which
// their words occur first. `counts` has a number for each of eight fields, 0 before. `fields` is that
// of a scan; NULL where rows were tested otherwise, and each is searched again.
void ctext_count_fields(
    const ctext_rows *rows, const ctext_query *query, const uint32_t *order, size_t count,
    const uint64_t *bits, const uint8_t *fields, size_t *counts);

// Replaces the two separators in a text by spaces.
void ctext_clean(uint8_t *text, size_t length);

// Adds the number of occurrences of each byte.
void ctext_count_bytes(const uint8_t *text, size_t length, uint32_t *frequencies);

#endif
