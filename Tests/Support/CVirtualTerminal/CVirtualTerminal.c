#define _GNU_SOURCE
#include "CVirtualTerminal.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>
#include <vterm.h>

struct virtual_terminal {
    VTerm *emulator;
    VTermScreen *screen;
    int master;
    int slave; /* kept open, so that the modes can be read after the program's end */
    pid_t process;
    bool visible, alternate, reports_mouse;
    pthread_t reaper;
    pthread_mutex_t lock; /* of the two below */
    bool ended;
    int status;
};

/* Takes the program's end as soon as it comes: whoever waits for any child of this process must not
   find it again and again. */
static void *reap(void *user) {
    virtual_terminal *terminal = user;
    siginfo_t info;
    while (waitid(P_PID, (id_t)terminal->process, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    pthread_mutex_lock(&terminal->lock);
    while (waitpid(terminal->process, &terminal->status, 0) < 0 && errno == EINTR) {}
    terminal->ended = true;
    pthread_mutex_unlock(&terminal->lock);
    return NULL;
}

static int note_property(VTermProp property, VTermValue *value, void *user) {
    virtual_terminal *terminal = user;
    switch (property) {
    case VTERM_PROP_ALTSCREEN: terminal->alternate = value->boolean; break;
    case VTERM_PROP_CURSORVISIBLE: terminal->visible = value->boolean; break;
    case VTERM_PROP_MOUSE: terminal->reports_mouse = value->number != VTERM_PROP_MOUSE_NONE; break;
    default: break;
    }
    return 1;
}

static VTermScreenCallbacks callbacks = {.settermprop = note_property};

static void start(const char *path, char *const arguments[], char *const environment[], int slave) {
    login_tty(slave);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    execve(path, arguments, environment);
    _exit(127);
}

virtual_terminal *virtual_spawn(
    const char *path, char *const arguments[], char *const environment[], int rows, int columns
) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    virtual_terminal *terminal = calloc(1, sizeof *terminal);
    if (!terminal) return NULL;
    /* Closed on exec from the first moment: programs started at the same time must not hold them. */
    char name[64];
    terminal->slave = -1;
    terminal->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (terminal->master >= 0 && grantpt(terminal->master) == 0 && unlockpt(terminal->master) == 0
        && ptsname_r(terminal->master, name, sizeof name) == 0) {
        terminal->slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    }
    if (terminal->slave < 0) {
        close(terminal->master);
        free(terminal);
        return NULL;
    }
    ioctl(terminal->master, TIOCSWINSZ, &size);
    terminal->visible = true;
    terminal->process = fork();
    if (terminal->process == 0) start(path, arguments, environment, terminal->slave);
    pthread_mutex_init(&terminal->lock, NULL);
    if (terminal->process < 0 || pthread_create(&terminal->reaper, NULL, reap, terminal) != 0) {
        if (terminal->process > 0) kill(terminal->process, SIGKILL);
        close(terminal->master);
        close(terminal->slave);
        free(terminal);
        return NULL;
    }
    terminal->emulator = vterm_new(rows, columns);
    vterm_set_utf8(terminal->emulator, 1);
    terminal->screen = vterm_obtain_screen(terminal->emulator);
    vterm_screen_enable_altscreen(terminal->screen, 1);
    vterm_screen_set_callbacks(terminal->screen, &callbacks, terminal);
    vterm_screen_reset(terminal->screen, 1);
    return terminal;
}

int virtual_pump(virtual_terminal *terminal, int milliseconds, uint8_t *taken, size_t capacity) {
    struct pollfd polled = {terminal->master, POLLIN, 0};
    if (poll(&polled, 1, milliseconds) <= 0) return 0;
    ssize_t count = read(terminal->master, taken, capacity);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (count <= 0) return -1;
    vterm_input_write(terminal->emulator, (const char *)taken, (size_t)count);
    char answer[4096];
    size_t length = vterm_output_read(terminal->emulator, answer, sizeof answer);
    if (length > 0) virtual_send(terminal, (const uint8_t *)answer, length);
    return (int)count;
}

ssize_t virtual_send(virtual_terminal *terminal, const uint8_t *bytes, size_t count) {
    ssize_t sent = write(terminal->master, bytes, count);
    if (sent < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
    return sent;
}

void virtual_resize(virtual_terminal *terminal, int rows, int columns) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    vterm_set_size(terminal->emulator, rows, columns);
    ioctl(terminal->master, TIOCSWINSZ, &size);
}

static void describe(VTermColor color, bool standard, int *kind, int *value) {
    if (standard) {
        *kind = VIRTUAL_COLOR_STANDARD;
        *value = 0;
    } else if (VTERM_COLOR_IS_INDEXED(&color)) {
        *kind = VIRTUAL_COLOR_INDEXED;
        *value = color.indexed.idx;
    } else {
        *kind = VIRTUAL_COLOR_RGB;
        *value = color.rgb.red << 16 | color.rgb.green << 8 | color.rgb.blue;
    }
}

void virtual_get_cell(virtual_terminal *terminal, int row, int column, virtual_cell *cell) {
    VTermScreenCell found;
    memset(&found, 0, sizeof found);
    memset(cell, 0, sizeof *cell);
    vterm_screen_get_cell(terminal->screen, (VTermPos){row, column}, &found);
    for (int place = 0; place < VIRTUAL_CELL_SCALARS; place++) {
        cell->scalars[place] = found.chars[place];
    }
    cell->width = found.width;
    cell->bold = found.attrs.bold;
    cell->italic = found.attrs.italic;
    cell->underline = found.attrs.underline != 0;
    cell->reverse = found.attrs.reverse;
    cell->strike = found.attrs.strike;
    describe(
        found.fg, VTERM_COLOR_IS_DEFAULT_FG(&found.fg), &cell->foreground_kind, &cell->foreground);
    describe(
        found.bg, VTERM_COLOR_IS_DEFAULT_BG(&found.bg), &cell->background_kind, &cell->background);
}

void virtual_get_state(virtual_terminal *terminal, virtual_state *state) {
    VTermPos place;
    vterm_state_get_cursorpos(vterm_obtain_state(terminal->emulator), &place);
    *state = (virtual_state){
        place.row, place.col, terminal->visible, terminal->alternate, terminal->reports_mouse};
}

pid_t virtual_process(virtual_terminal *terminal) { return terminal->process; }

size_t virtual_modes(virtual_terminal *terminal, uint8_t *bytes, size_t capacity) {
    struct termios modes;
    memset(&modes, 0, sizeof modes);
    if (capacity < sizeof modes || tcgetattr(terminal->slave, &modes) != 0) return 0;
    memcpy(bytes, &modes, sizeof modes);
    return sizeof modes;
}

bool virtual_ended(virtual_terminal *terminal, int *status) {
    pthread_mutex_lock(&terminal->lock);
    bool ended = terminal->ended;
    *status = terminal->status;
    pthread_mutex_unlock(&terminal->lock);
    return ended;
}

void virtual_hang_up(virtual_terminal *terminal) {
    close(terminal->master);
    close(terminal->slave);
    terminal->master = -1;
    terminal->slave = -1;
}

void virtual_close(virtual_terminal *terminal) {
    pthread_mutex_lock(&terminal->lock);
    if (!terminal->ended) {
        kill(-terminal->process, SIGKILL);
        kill(terminal->process, SIGKILL);
    }
    pthread_mutex_unlock(&terminal->lock);
    pthread_join(terminal->reaper, NULL);
    if (terminal->master >= 0) {
        close(terminal->master);
        close(terminal->slave);
    }
    vterm_free(terminal->emulator);
    free(terminal);
}
