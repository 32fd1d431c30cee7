#ifndef CSIMULATION_H
#define CSIMULATION_H

#include <stdint.h>

// What makes a process repeat itself: its clock and its random numbers come from here, in place of the
// functions of the C library and of Swift's, and addresses and hashes are the same in every run.

// Starts the program again without randomized addresses and hashes, unless it runs so; -1 if it cannot.
int simulation_repeat(char **arguments);

// From now on random numbers are those of a seed, and the clock stands where it is set.
void simulation_begin(uint64_t seed);

// Sets the clock, in seconds since 1970. It goes on by a microsecond with each look at it.
void simulation_set_clock(double seconds);

// Goes on in some processes at a time, which count steps together, until all have ended or one has failed.
// The number of the process from 0 on; in the one that waits, -1, or -2 if one has failed.
int simulation_split(int count);

// Counts what this process has done; how much all have done.
int64_t simulation_count(int64_t steps);

#endif
