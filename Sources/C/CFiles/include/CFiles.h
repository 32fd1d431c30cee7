#ifndef CFILES_H
#define CFILES_H

// Names of files, where the C library of Swift has no function.

// Gives a new file its final name, unless a file has it already. Returns 0 or the error's number,
// EEXIST if there is one.
int cfiles_place(const char *made, const char *path);

// Lets two files exchange their names in one step. Returns 0 or the error's number; EINVAL where
// the file system cannot do it.
int cfiles_exchange(const char *first, const char *second);

#endif
