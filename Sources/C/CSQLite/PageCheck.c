#include "PageCheck.h"

#include <endian.h>
#include <pthread.h>
#include <string.h>

// The checksum of a page: 32 bits of parity and a hash of 32 bits.
//
// The parity is the exclusive or of the page's halves of words. So one flipped bit changes exactly
// one bit of it, which leaves a thousand places where it can be; the hash says which. A page with
// more differences is recognised without a search, all but one of 2^27.
//
// The hash multiplies the halves of each word, after mixing in a constant of its place, and adds the
// products in eight lanes, which vector instructions of every processor do together: about 0.2
// microseconds for a page. The number of the page is one of its words: a page that was written to a
// wrong place does not fit there.

enum {
    LANES = 8,
    WORDS = PAGECHECK_PAGE / 8,
    // The last word holds the checksum.
    SUM = WORDS - 1,
};

static uint64_t keys[WORDS];
static pthread_once_t keys_once = PTHREAD_ONCE_INIT;

// A generator of well mixed numbers (splitmix64); the numbers are part of the format.
static void make_keys(void)
{
    uint64_t state = 0;
    for (size_t i = 0; i < WORDS; i++) {
        state += 0x9e3779b97f4a7c15u;
        uint64_t key = (state ^ state >> 30) * 0xbf58476d1ce4e5b9u;
        key = (key ^ key >> 27) * 0x94d049bb133111ebu;
        keys[i] = key ^ key >> 31;
    }
}

static uint64_t word_at(const uint8_t *page, size_t index)
{
    uint64_t word;
    memcpy(&word, page + 8 * index, 8);
    return le64toh(word);
}

typedef struct {
    uint32_t parity, hash;
} checksum;

static checksum checksum_of(const uint8_t *page, uint32_t number)
{
    pthread_once(&keys_once, make_keys);
    uint64_t parity[LANES] = {0}, sums[LANES] = {0};
    for (size_t start = 0; start < WORDS; start += LANES)
        for (size_t lane = 0; lane < LANES; lane++) {
            uint64_t word = word_at(page, start + lane);
            uint64_t mixed = word ^ keys[start + lane];
            parity[lane] ^= word;
            sums[lane] += (mixed & 0xffffffffu) * (mixed >> 32);
        }
    // In the place of the checksum stands the number.
    uint64_t had = word_at(page, SUM), mixed = had ^ keys[SUM], has = number ^ keys[SUM];
    parity[LANES - 1] ^= had ^ number;
    sums[LANES - 1] -= (mixed & 0xffffffffu) * (mixed >> 32);
    sums[LANES - 1] += (has & 0xffffffffu) * (has >> 32);
    uint64_t all = 0, hash = 0;
    for (size_t lane = 0; lane < LANES; lane++) {
        all ^= parity[lane];
        hash = (hash ^ sums[lane]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    hash *= 0xbf58476d1ce4e5b9u;
    return (checksum){(uint32_t)(all ^ all >> 32), (uint32_t)(hash >> 32)};
}

static checksum stored_in(const uint8_t *page)
{
    uint64_t word = word_at(page, SUM);
    return (checksum){(uint32_t)word, (uint32_t)(word >> 32)};
}

static bool is_equal(checksum a, checksum b) { return a.parity == b.parity && a.hash == b.hash; }

static bool is_one_bit(uint32_t bits) { return bits != 0 && (bits & (bits - 1)) == 0; }

void pagecheck_seal(uint8_t *page, uint32_t number)
{
    checksum sum = checksum_of(page, number);
    uint64_t word = htole64(sum.parity | (uint64_t)sum.hash << 32);
    memcpy(page + 8 * SUM, &word, 8);
}

bool pagecheck_is_right(const uint8_t *page, uint32_t number)
{
    return is_equal(checksum_of(page, number), stored_in(page));
}

pagecheck_result pagecheck_compare(uint8_t *page, uint32_t number, uint32_t *bit)
{
    checksum sum = checksum_of(page, number), stored = stored_in(page);
    if (is_equal(sum, stored)) return PAGECHECK_RIGHT;
    uint32_t difference = sum.parity ^ stored.parity;
    if (difference == 0 && is_one_bit(sum.hash ^ stored.hash)) return PAGECHECK_SUM_WRONG;
    if (!is_one_bit(difference)) return PAGECHECK_UNKNOWN;
    if (sum.hash == stored.hash) return PAGECHECK_SUM_WRONG;
    uint32_t within = (uint32_t)__builtin_ctz(difference);
    for (uint32_t half = 0; half < 2 * SUM; half++) {
        *bit = 32 * half + within;
        pagecheck_flip(page, *bit);
        bool is_it = is_equal(checksum_of(page, number), stored);
        pagecheck_flip(page, *bit);
        if (is_it) return PAGECHECK_ONE_BIT;
    }
    return PAGECHECK_UNKNOWN;
}

// MARK: Marks

static const uint8_t mark[4] = {'O', 'G', 'd', '?'};

enum { PLACE = PAGECHECK_PAGE - PAGECHECK_ROOM };

void pagecheck_mark(uint8_t *page, uint32_t bit)
{
    memcpy(page + PLACE, mark, sizeof mark);
    memcpy(page + PLACE + sizeof mark, &bit, sizeof bit);
}

bool pagecheck_is_marked(const void *page, uint32_t *bit)
{
    const uint8_t *place = (const uint8_t *)page + PLACE;
    memcpy(bit, place + sizeof mark, sizeof *bit);
    return memcmp(place, mark, sizeof mark) == 0;
}

void pagecheck_clear(uint8_t *page) { memset(page + PLACE, 0, PAGECHECK_ROOM); }

bool pagecheck_has_no_sum(const uint8_t *page)
{
    static const uint8_t zeros[PAGECHECK_ROOM];
    uint32_t bit = 0;
    return memcmp(page + PLACE, zeros, sizeof zeros) == 0
        || (pagecheck_is_marked(page, &bit) && bit == PAGECHECK_NO_SUM);
}

uint32_t pagecheck_number(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

uint32_t pagecheck_freed(const uint8_t *page)
{
    // The next page of the list, how many numbers follow, and they.
    if (page[0] == 2 || page[0] == 5 || page[0] == 10 || page[0] == 13) return 0;
    uint32_t count = pagecheck_number(page + 4);
    return count > PLACE / 4 - 2 ? 0 : count;
}
