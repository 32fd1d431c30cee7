#ifndef CVERSION_H
#define CVERSION_H

#include <sys/auxv.h>

// The commit of a build: the Makefile gives its first seven digits to the linker as the address of this
// symbol, so that a commit compiles nothing again. Null in other builds.
extern const char docket_commit __attribute__((weak));

// Whether the program was linked without a dynamic loader, and so can load no library.
static inline _Bool cversion_is_static(void) { return getauxval(AT_BASE) == 0; }

static inline unsigned long cversion_commit(void) { return (unsigned long)&docket_commit; }

#endif
