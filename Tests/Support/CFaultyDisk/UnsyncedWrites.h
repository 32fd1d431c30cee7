#ifndef UNSYNCEDWRITES_H
#define UNSYNCEDWRITES_H

#include "CFaultyDisk.h"

#include <sqlite3.h>

// What files had before the writes that no sync has followed.

extern bool unsynced_writes_are_kept;

// Before a write, or before the end of a file is cut off.
void unsynced_keep(const char *path, sqlite3_file *file, int size, sqlite3_int64 offset);

// After a sync, and after a file was deleted.
void unsynced_forget(const char *path);

#endif
