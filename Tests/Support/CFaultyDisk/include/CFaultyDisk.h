#ifndef CFAULTYDISK_H
#define CFAULTYDISK_H

#include <stdbool.h>
#include <stdint.h>

// A file system for SQLite that fails on demand: an SQLite VFS around the usual one, named
// "faulty". It counts operations and lets one fail; which are counted depends on the mode. SQLite's
// requests for memory can fail in the same way, those of the thread that has claimed the disk. The
// state is one for the process: a test claims it first.

enum {
    FAULTY_NEVER,
    // These count what changes files: writing, truncating, syncing, deleting.
    FAULTY_FULL,   // the disk is full from the chosen operation on
    FAULTY_ERROR,  // the chosen operation alone fails
    FAULTY_KILL,   // the process is killed instead of the chosen operation
    FAULTY_TORN,   // half of the chosen write happens, then the process is killed
    // Every call of the file system.
    FAULTY_ANY,    // the chosen one alone fails
    // Requests for locks, of files and of the log's index.
    FAULTY_BUSY,   // the chosen one is refused
    FAULTY_HELD,   // all are refused from the chosen one on; no time passes meanwhile
    // Requests for memory.
    FAULTY_MEMORY,     // the chosen one is refused
    FAULTY_NO_MEMORY,  // all are refused from the chosen one on
};

// Registers the file system. Returns an SQLite result code.
int faulty_disk_register(void);

// Registers the file system and waits until no other test uses it. Returns an SQLite result code.
int faulty_disk_claim(void);

// Claims the file system for the whole process: every database is opened in it, and it knows what is not
// yet synced. Returns an SQLite result code.
int faulty_disk_make_default(void);

// The power fails: about half of the writes to the files of a folder that no sync has followed are
// gone. The files are closed. Returns how many writes were lost.
long faulty_disk_lose_power(const char *folder, uint64_t choices);

// Ends a claim, on the same thread; nothing fails any more.
void faulty_disk_release(void);

// From now on the `count`-th operation fails as `mode` says.
void faulty_disk_set(int mode, long count);

// Counted operations since the last `faulty_disk_set`.
long faulty_disk_count(void);

#endif
