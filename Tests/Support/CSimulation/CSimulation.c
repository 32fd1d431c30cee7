#define _GNU_SOURCE
#include "CSimulation.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static _Atomic bool is_simulated;
static _Atomic uint64_t state;
static _Atomic int64_t microseconds;

int simulation_repeat(char **arguments)
{
    int present = personality(0xffffffff);
    const char *hashing = getenv("SWIFT_DETERMINISTIC_HASHING");
    if (present != -1 && present & ADDR_NO_RANDOMIZE && hashing != NULL) return 0;
    if (personality(present | ADDR_NO_RANDOMIZE) == -1) return -1;
    if (setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1) != 0) return -1;
    execv("/proc/self/exe", arguments);
    return -1;
}

void simulation_begin(uint64_t seed)
{
    state = seed;
    is_simulated = true;
}

void simulation_set_clock(double seconds) { microseconds = (int64_t)(seconds * 1e6); }

// SplitMix64.
static uint64_t next_number(void)
{
    uint64_t mixed = state += 0x9E3779B97F4A7C15;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
}

// In place of Swift's: identities, and random elements.
void swift_stdlib_random(void *buffer, size_t size)
{
    if (!is_simulated) {
        while (size > 0) {
            ssize_t got = syscall(SYS_getrandom, buffer, size, 0);
            if (got < 0) continue;
            buffer = (char *)buffer + got;
            size -= (size_t)got;
        }
        return;
    }
    for (size_t done = 0; done < size; done += sizeof(uint64_t)) {
        uint64_t number = next_number();
        size_t part = size - done < sizeof number ? size - done : sizeof number;
        memcpy((char *)buffer + done, &number, part);
    }
}

// In place of the C library's.
int clock_gettime(clockid_t id, struct timespec *out)
{
    if (!is_simulated || (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE)) {
        return (int)syscall(SYS_clock_gettime, id, out);
    }
    int64_t now = microseconds++;
    out->tv_sec = now / 1000000;
    out->tv_nsec = now % 1000000 * 1000;
    return 0;
}

int gettimeofday(struct timeval *out, void *zone)
{
    (void)zone;
    struct timespec now;
    int code = clock_gettime(CLOCK_REALTIME, &now);
    out->tv_sec = now.tv_sec;
    out->tv_usec = now.tv_nsec / 1000;
    return code;
}

time_t time(time_t *out)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out != NULL) *out = now.tv_sec;
    return now.tv_sec;
}

static _Atomic int64_t *counted;

int simulation_split(int count)
{
    void *shared = mmap(NULL, sizeof *counted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t processes[count];
    int result = -1;
    if (shared == MAP_FAILED) abort();
    counted = shared;
    for (int i = 0; i < count; i++) {
        processes[i] = fork();
        if (processes[i] == 0) return i;
        if (processes[i] == -1) abort();
    }
    for (int i = 0, status; i < count; i++) {
        if (wait(&status) == -1 || status == 0) continue;
        if (result == -1) {
            for (int j = 0; j < count; j++) kill(processes[j], SIGTERM);
        }
        result = -2;
    }
    return result;
}

int64_t simulation_count(int64_t steps) { return *counted += steps; }
