#include "CTerminal.h"

#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

// A timer for a moment that never comes. It fails when the clock is set, which is the purpose of
// TFD_TIMER_CANCEL_ON_SET (timerfd_create(2)). A machine that wakes from sleep also sets the clock.

static int arm(int timer) {
    struct itimerspec time = {{0, 0}, {INT64_C(1) << 36, 0}};
    return timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &time, NULL);
}

int cterminal_clock_timer(void) {
    int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
    if (timer >= 0 && arm(timer) != 0) {
        close(timer);
        return -1;
    }
    return timer;
}

int cterminal_clock_renew(int timer) {
    uint64_t count;
    // Fails with ECANCELED after a step of the clock.
    (void)!read(timer, &count, sizeof count);
    return arm(timer);
}
