#define _GNU_SOURCE
#include "CZeroingHeap.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_ITS_OWN_HEAP 1
#endif
#endif

// glibc's own functions, below the names that this file defines.
extern void __libc_free(void *block);
extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *block, size_t size);

static atomic_bool is_on;

void zeroing_heap_set(bool on) { atomic_store_explicit(&is_on, on, memory_order_release); }

#ifdef HAS_ITS_OWN_HEAP

bool zeroing_heap_is_supported(void) { return false; }

#else

bool zeroing_heap_is_supported(void) { return true; }

// An asm statement that reads the memory, so that the compiler cannot leave the zeroing out.
static inline void zero(void *block, size_t size) {
    memset(block, 0, size);
    __asm__ volatile("" : : "r"(block) : "memory");
}

static inline bool zeroes(void) {
    return __builtin_expect(atomic_load_explicit(&is_on, memory_order_relaxed), 0);
}

void free(void *block) {
    if (zeroes() && block != NULL) {
        int error = errno;
        zero(block, malloc_usable_size(block));
        errno = error;
    }
    __libc_free(block);
}

void *realloc(void *block, size_t size) {
    if (!zeroes() || block == NULL) return __libc_realloc(block, size);
    if (size == 0) {
        free(block);
        return NULL;
    }
    // glibc may move a block and leave the old bytes, or cut it and leave its tail: the bytes are
    // moved here instead. A block that stays in place is one that already has the space.
    size_t old = malloc_usable_size(block);
    if (size <= old && size > old / 2) {
        zero((char *)block + size, old - size);
        return block;
    }
    void *moved = __libc_malloc(size);
    if (moved == NULL) return NULL;
    memcpy(moved, block, old < size ? old : size);
    free(block);
    return moved;
}

void *reallocarray(void *block, size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, total);
}

#endif

__attribute__((noinline)) static void clear_stack(void) {
    volatile char stack[256 * 1024];
    memset((char *)stack, 0, sizeof stack);
    __asm__ volatile("" : : "r"(stack) : "memory");
}

void zeroing_heap_clear(void) {
    clear_stack();
    zeroing_heap_trim();
}

void zeroing_heap_trim(void) { malloc_trim(0); }
