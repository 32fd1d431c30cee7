#ifndef CVERSION_H
#define CVERSION_H

// The commit of a build: the Makefile gives its first seven digits to the linker as the address of this
// symbol, so that a commit compiles nothing again. Null in other builds.
extern const char docket_commit __attribute__((weak));

static inline unsigned long cversion_commit(void) { return (unsigned long)&docket_commit; }

#endif
