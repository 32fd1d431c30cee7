#include "CTextFind.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Bytes of folded text from frequent to rare. What is not listed and not ASCII has a middle rank:
// lead and continuation bytes are frequent in texts that have them at all.
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
    size_t rarest = 0, other = 0;
    uint32_t rarest_count = UINT32_MAX, other_count = UINT32_MAX;
    for (size_t i = 0; i < length; i++) {
        uint32_t count = frequencies ? frequencies[bytes[i]] : default_frequency(bytes[i]);
        if (i == 0 || count < rarest_count) {
            other = rarest;
            other_count = rarest_count;
            rarest = i;
            rarest_count = count;
        } else if (i == 1 || count < other_count) {
            other = i;
            other_count = count;
        }
    }
    ctext_needle needle = {bytes, length, rarest, other};
    if (other < rarest) {
        needle.first = other;
        needle.second = rarest;
    }
    return needle;
}

// In all forms below `last` is the last place where the needle can begin. Blocks may reach beyond it
// (into the slack); what is found there is ignored.

#if defined(__x86_64__)

__attribute__((target("avx2"))) static const uint8_t *find_avx2(
    const uint8_t *text, const uint8_t *last, const ctext_needle *needle
) {
    const __m256i first = _mm256_set1_epi8((char)needle->bytes[needle->first]);
    const __m256i second = _mm256_set1_epi8((char)needle->bytes[needle->second]);
    for (; text <= last; text += 32) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(text + needle->first));
        __m256i b = _mm256_loadu_si256((const __m256i *)(text + needle->second));
        __m256i both = _mm256_and_si256(_mm256_cmpeq_epi8(a, first), _mm256_cmpeq_epi8(b, second));
        for (uint32_t hits = (uint32_t)_mm256_movemask_epi8(both); hits; hits &= hits - 1) {
            const uint8_t *at = text + __builtin_ctz(hits);
            if (at > last) return NULL;
            if (memcmp(at, needle->bytes, needle->length) == 0) return at;
        }
    }
    return NULL;
}

static const uint8_t *find_sse2(
    const uint8_t *text, const uint8_t *last, const ctext_needle *needle
) {
    const __m128i first = _mm_set1_epi8((char)needle->bytes[needle->first]);
    const __m128i second = _mm_set1_epi8((char)needle->bytes[needle->second]);
    for (; text <= last; text += 16) {
        __m128i a = _mm_loadu_si128((const __m128i *)(text + needle->first));
        __m128i b = _mm_loadu_si128((const __m128i *)(text + needle->second));
        __m128i both = _mm_and_si128(_mm_cmpeq_epi8(a, first), _mm_cmpeq_epi8(b, second));
        for (uint32_t hits = (uint32_t)_mm_movemask_epi8(both); hits; hits &= hits - 1) {
            const uint8_t *at = text + __builtin_ctz(hits);
            if (at > last) return NULL;
            if (memcmp(at, needle->bytes, needle->length) == 0) return at;
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

// The C library finds one byte with whatever the processor has.
const uint8_t *ctext_find(const uint8_t *text, const uint8_t *end, const ctext_needle *needle) {
    if ((size_t)(end - text) < needle->length) return NULL;
    const uint8_t *last = end - needle->length;
    while (text <= last) {
        const uint8_t *found = memchr(
            text + needle->first, needle->bytes[needle->first], (size_t)(last - text) + 1);
        if (!found) return NULL;
        text = found - needle->first;
        if (memcmp(text, needle->bytes, needle->length) == 0) return text;
        text++;
    }
    return NULL;
}

#endif
