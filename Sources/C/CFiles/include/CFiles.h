#ifndef CFILES_H
#define CFILES_H

// Calls on files for which the C library of Swift has no function.

// Gives a new file its final name, unless a file has it already. Returns 0 or the error's number,
// EEXIST if there is one.
int cfiles_place(const char *made, const char *path);

// Lets two files exchange their names in one step. Returns 0 or the error's number; EINVAL where
// the file system cannot do it.
int cfiles_exchange(const char *first, const char *second);

// Notes who opens a file for writing, until its descriptor is closed. The descriptor is one for
// reading. Returns 0 or the error's number: EAGAIN if a program has the file open for writing;
// others where the system cannot tell.
int cfiles_guard(int file);

// Whether nobody has opened a file for writing since it is guarded.
int cfiles_is_guarded(int file);

#endif
