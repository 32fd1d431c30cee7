#ifndef CZEROING_HEAP_H
#define CZEROING_HEAP_H

#include <stdbool.h>
#include <stddef.h>

// A heap that zeroes what is freed while a switch is on.
//
// Strings, arrays and dictionaries of decrypted text are in ordinary memory of the heap, copied and
// freed by the Swift runtime in many places. A program that links this target replaces `free` and its
// relatives of glibc: while the switch is on, a block is zeroed when it is freed, also one that
// `realloc` has moved away from. So when the secrets are locked and their last references are gone,
// no copy of them is left in the heap. The switch costs one predictable branch while it is off.
//
// What it cannot reach: blocks that are still referenced, the stack (see zeroing_heap_clear),
// registers, memory mapped by the program itself, and what another program has copied.

// Whether this build can zero: a sanitizer has a heap of its own, and the switch does nothing then.
bool zeroing_heap_is_supported(void);

// Turns zeroing on or off. Blocks that are freed while it is off keep their content, so turn it on
// before the first secret is decrypted, and off only after the last one is gone.
void zeroing_heap_set(bool is_on);

// Gives free memory back and zeroes the stack below the caller, which may hold pieces of values that
// functions have left there. Call it after locking, at a shallow depth.
void zeroing_heap_clear(void);

// Gives free memory back to the system.
void zeroing_heap_trim(void);

#endif
