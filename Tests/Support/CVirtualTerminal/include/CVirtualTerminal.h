/* A program on a pseudo terminal, and a terminal emulator that shows what it draws. */
#ifndef CVIRTUALTERMINAL_H
#define CVIRTUALTERMINAL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct virtual_terminal virtual_terminal;

enum { VIRTUAL_CELL_SCALARS = 6 };
enum { VIRTUAL_COLOR_STANDARD = 0, VIRTUAL_COLOR_INDEXED = 1, VIRTUAL_COLOR_RGB = 2 };

typedef struct {
    uint32_t scalars[VIRTUAL_CELL_SCALARS];
    int width;
    bool bold, italic, underline, reverse, strike;
    int foreground_kind, foreground, background_kind, background;
} virtual_cell;

typedef struct {
    int row, column;
    bool visible, alternate, reports_mouse;
} virtual_state;

/* Starts a program; null when it cannot be. */
virtual_terminal *virtual_spawn(
    const char *path, char *const arguments[], char *const environment[], int rows, int columns);

/* Waits for output and takes it in, once. Returns the bytes, 0 when none came in time, and -1 when
   the terminal is gone. `taken` receives up to `capacity` of them. */
int virtual_pump(virtual_terminal *, int milliseconds, uint8_t *taken, size_t capacity);

/* Types as much as fits without waiting; returns how much, or -1. */
ssize_t virtual_send(virtual_terminal *, const uint8_t *bytes, size_t count);

void virtual_resize(virtual_terminal *, int rows, int columns);
void virtual_get_cell(virtual_terminal *, int row, int column, virtual_cell *);
void virtual_get_state(virtual_terminal *, virtual_state *);
pid_t virtual_process(virtual_terminal *);

/* The tty's modes as bytes, for comparing; returns their number. */
size_t virtual_modes(virtual_terminal *, uint8_t *bytes, size_t capacity);

/* Whether the program has ended, and its wait status then. */
bool virtual_ended(virtual_terminal *, int *status);

/* Takes the terminal away from the program, as closing its window does. */
void virtual_hang_up(virtual_terminal *);

/* Ends the program and frees everything. */
void virtual_close(virtual_terminal *);
#endif
