#ifndef COBJECTS_H
#define COBJECTS_H

// What Swift's runtime can do, and the language cannot say.

void *swift_tryRetain(void *object);

// One more reference to an object of Swift, as for a weak reference; NULL if it is being freed.
static inline void *cobjects_retain_live(void *object) { return swift_tryRetain(object); }

#endif
