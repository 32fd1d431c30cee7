#define _GNU_SOURCE
#include "CTerminal.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

/* ncurses 6.4 calls write() after every cursor movement, over a hundred times a frame. So its
   output descriptor is one of our own: during a frame it leads to a file in memory, at whose
   start there is room for the mark that begins a synchronized update. */
enum { FRAME_LEAD = 16, MARK_LENGTH = 8, FRAME_FIRST_SIZE = 1 << 20 };

static int output = -1;
static FILE *output_file;
static int frame = -1;
static char *frame_bytes;
static size_t frame_mapped;
static int (*scalar_width)(uint32_t);

static void prepare_frame(void) {
    frame = memfd_create("frame", MFD_CLOEXEC);
    if (frame < 0) return;
    if (ftruncate(frame, FRAME_FIRST_SIZE) == 0) {
        void *map = mmap(NULL, FRAME_FIRST_SIZE, PROT_READ, MAP_SHARED, frame, 0);
        if (map != MAP_FAILED) {
            frame_bytes = map;
            frame_mapped = FRAME_FIRST_SIZE;
            return;
        }
    }
    close(frame);
    frame = -1;
}

bool cterminal_open(const char *name) {
    if (output < 0) {
        output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
        if (output < 0) return false;
        output_file = fdopen(output, "w");
        if (!output_file) return false;
        prepare_frame();
    }
    SCREEN *screen = newterm(name, output_file, stdin);
    if (!screen) return false;
    set_term(screen);
    return true;
}

void cterminal_set_width(int (*width)(uint32_t)) { scalar_width = width; }

/* libncursesw calls the executable's wcwidth, so one table serves the canvas and ncurses. */
int wcwidth(wchar_t scalar) {
    if (scalar == 0) return 0;
    if (scalar_width) return scalar_width((uint32_t)scalar);
    return scalar < 0x20 || (scalar >= 0x7F && scalar < 0xA0) ? -1 : 1;
}

void cterminal_put_row(int row, const cchar_t *cells, int count) {
    mvwadd_wchnstr(stdscr, row, 0, cells, count);
}

bool cterminal_size(int *rows, int *columns) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return false;
    if (size.ws_row == 0 || size.ws_col == 0) return false;
    *rows = size.ws_row;
    *columns = size.ws_col;
    return true;
}

int cterminal_make_event(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

void cterminal_write(const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, count);
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (written < 0 && errno == EAGAIN) {
            struct pollfd ready = {STDOUT_FILENO, POLLOUT, 0};
            poll(&ready, 1, -1);
        } else if (written < 0 && errno != EINTR) {
            return;
        }
    }
}

void cterminal_frame_begin(void) {
    if (frame < 0) return;
    lseek(frame, FRAME_LEAD, SEEK_SET);
    dup3(frame, output, O_CLOEXEC);
}

void cterminal_frame_add(const uint8_t *bytes, size_t count) {
    if (frame < 0) return cterminal_write((const char *)bytes, count);
    while (count > 0) {
        ssize_t written = write(output, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        bytes += written;
        count -= (size_t)written;
    }
}

/* Maps at least so many bytes of the frame. */
static bool map_frame(size_t needed) {
    if (needed <= frame_mapped) return true;
    size_t size = frame_mapped;
    while (size < needed) size *= 2;
    if (ftruncate(frame, (off_t)size) != 0) return false;
    void *map = mremap(frame_bytes, frame_mapped, size, MREMAP_MAYMOVE);
    if (map == MAP_FAILED) return false;
    frame_bytes = map;
    frame_mapped = size;
    return true;
}

long cterminal_frame_end(bool synchronized) {
    if (frame < 0) return 0;
    off_t end = lseek(frame, 0, SEEK_CUR);
    dup3(STDOUT_FILENO, output, O_CLOEXEC);
    if (end <= FRAME_LEAD) return 0;
    size_t length = (size_t)end - FRAME_LEAD;
    if (!map_frame((size_t)end + MARK_LENGTH)) return 0;
    const char *start = frame_bytes + FRAME_LEAD;
    if (synchronized
        && pwrite(frame, "\033[?2026h", MARK_LENGTH, FRAME_LEAD - MARK_LENGTH) == MARK_LENGTH
        && pwrite(frame, "\033[?2026l", MARK_LENGTH, end) == MARK_LENGTH) {
        start -= MARK_LENGTH;
        length += 2 * MARK_LENGTH;
    }
    cterminal_write(start, length);
    return (long)length;
}
