#include "CTextFind.h"

#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Bytes of folded text from frequent to rare. A byte that is neither listed nor ASCII has a middle
// rank: lead and continuation bytes are frequent in texts that have them at all.
static const char frequent[] = " etaoinsrhldcumfpgwybv.,k-0123456789'\"()x:;/jqz\n_!?";

static uint32_t default_frequency(uint8_t byte) {
    if (byte >= 0xC0) return 1000;
    if (byte >= 0x80) return 900;
    const char *place = byte ? strchr(frequent, byte) : NULL;
    return place ? 2000 - 30 * (uint32_t)(place - frequent) : 0;
}

ctext_needle ctext_needle_make(
    const uint8_t *bytes, size_t length, const uint32_t *frequencies
) {
    ctext_needle needle = {.bytes = bytes, .length = length};
    uint32_t counts[3];
    size_t known = 0;
    for (size_t i = 0; i < length; i++) {
        uint32_t count = frequencies ? frequencies[bytes[i]] : default_frequency(bytes[i]);
        size_t place = known;
        while (place > 0 && count < counts[place - 1]) place--;
        if (place == 3) continue;
        known += known < 3;
        for (size_t later = known - 1; later > place; later--) {
            needle.anchors[later] = needle.anchors[later - 1];
            counts[later] = counts[later - 1];
        }
        needle.anchors[place] = i;
        counts[place] = count;
    }
    for (; known && known < 3; known++) needle.anchors[known] = needle.anchors[known - 1];
    size_t head = length < 8 ? length : 8;
    if (head) memcpy(&needle.head, bytes, head);
    memset(&needle.head_mask, 0xFF, head);
    return needle;
}

// Compares in full. Most needles are short, and most candidates wrong: no call for those.
static inline bool is_at(const uint8_t *text, const ctext_needle *needle) {
    uint64_t head;
    memcpy(&head, text, 8);
    if ((head ^ needle->head) & needle->head_mask) return false;
    return needle->length <= 8 || memcmp(text + 8, needle->bytes + 8, needle->length - 8) == 0;
}

// In all functions below `last` is the last place where the needle can begin. Blocks may extend
// beyond it (into the slack); matches there are ignored.

#if defined(__x86_64__)

__attribute__((target("avx2"))) static const uint8_t *find_avx2(
    const uint8_t *text, const uint8_t *last, const ctext_needle *needle
) {
    const size_t *anchors = needle->anchors;
    const __m256i first = _mm256_set1_epi8((char)needle->bytes[anchors[0]]);
    const __m256i second = _mm256_set1_epi8((char)needle->bytes[anchors[1]]);
    const __m256i third = _mm256_set1_epi8((char)needle->bytes[anchors[2]]);
    for (; text <= last; text += 32) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(text + anchors[0]));
        __m256i b = _mm256_loadu_si256((const __m256i *)(text + anchors[1]));
        __m256i c = _mm256_loadu_si256((const __m256i *)(text + anchors[2]));
        __m256i all = _mm256_and_si256(_mm256_cmpeq_epi8(a, first), _mm256_cmpeq_epi8(b, second));
        all = _mm256_and_si256(all, _mm256_cmpeq_epi8(c, third));
        for (uint32_t hits = (uint32_t)_mm256_movemask_epi8(all); hits; hits &= hits - 1) {
            const uint8_t *at = text + __builtin_ctz(hits);
            if (at > last) return NULL;
            if (is_at(at, needle)) return at;
        }
    }
    return NULL;
}

static const uint8_t *find_sse2(
    const uint8_t *text, const uint8_t *last, const ctext_needle *needle
) {
    const size_t *anchors = needle->anchors;
    const __m128i first = _mm_set1_epi8((char)needle->bytes[anchors[0]]);
    const __m128i second = _mm_set1_epi8((char)needle->bytes[anchors[1]]);
    const __m128i third = _mm_set1_epi8((char)needle->bytes[anchors[2]]);
    for (; text <= last; text += 16) {
        __m128i a = _mm_loadu_si128((const __m128i *)(text + anchors[0]));
        __m128i b = _mm_loadu_si128((const __m128i *)(text + anchors[1]));
        __m128i c = _mm_loadu_si128((const __m128i *)(text + anchors[2]));
        __m128i all = _mm_and_si128(_mm_cmpeq_epi8(a, first), _mm_cmpeq_epi8(b, second));
        all = _mm_and_si128(all, _mm_cmpeq_epi8(c, third));
        for (uint32_t hits = (uint32_t)_mm_movemask_epi8(all); hits; hits &= hits - 1) {
            const uint8_t *at = text + __builtin_ctz(hits);
            if (at > last) return NULL;
            if (is_at(at, needle)) return at;
        }
    }
    return NULL;
}

const uint8_t *ctext_find(const uint8_t *text, const uint8_t *end, const ctext_needle *needle) {
    if ((size_t)(end - text) < needle->length) return NULL;
    const uint8_t *last = end - needle->length;
    return __builtin_cpu_supports("avx2") ? find_avx2(text, last, needle)
                                          : find_sse2(text, last, needle);
}

#else

// The C library finds one byte with the fastest instructions of the processor.
const uint8_t *ctext_find(const uint8_t *text, const uint8_t *end, const ctext_needle *needle) {
    if ((size_t)(end - text) < needle->length) return NULL;
    const uint8_t *last = end - needle->length;
    while (text <= last) {
        const uint8_t *found = memchr(
            text + needle->anchors[0], needle->bytes[needle->anchors[0]], (size_t)(last - text) + 1);
        if (!found) return NULL;
        text = found - needle->anchors[0];
        if (is_at(text, needle)) return text;
        text++;
    }
    return NULL;
}

#endif
