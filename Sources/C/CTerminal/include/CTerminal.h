/* What Swift cannot say itself about ncursesw, signals and the terminal's descriptors. */
#ifndef CTERMINAL_H
#define CTERMINAL_H

/* Before curses.h: it declares the wide functions. SwiftPM refuses the flag that pkg-config gives. */
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#pragma clang assume_nonnull begin

/* --- Macros with casts and globals, which the importer does not see --- */

static inline WINDOW *cterminal_screen(void) { return stdscr; }
static inline int cterminal_lines(void) { return LINES; }
static inline int cterminal_columns(void) { return COLS; }
static inline int cterminal_colors(void) { return COLORS; }
static inline int cterminal_color_pairs(void) { return COLOR_PAIRS; }

enum { CTERMINAL_CELL_SCALARS = CCHARW_MAX };
static const uint32_t CTERMINAL_BOLD = A_BOLD;
static const uint32_t CTERMINAL_DIM = A_DIM;
static const uint32_t CTERMINAL_ITALIC = A_ITALIC;
static const uint32_t CTERMINAL_UNDERLINE = A_UNDERLINE;
static const uint32_t CTERMINAL_REVERSE = A_REVERSE;

/* --- Opening --- */

/* Starts ncurses on standard input and output with a terminal's name, or with TERM when NULL.
   False when its description is not found; nothing was written then. */
bool cterminal_open(const char *_Nullable name);

/* The widths that ncurses goes by: it asks wcwidth(), and CTerminal's calls this function. */
void cterminal_set_width(int (*width)(uint32_t scalar));

/* Puts cells into a row of the screen, from its first column. */
void cterminal_put_row(int row, const cchar_t *cells, int count);

/* The tty's size; false when it has none. */
bool cterminal_size(int *rows, int *columns);

/* A descriptor that other threads wake the event loop with; -1 on failure. */
int cterminal_make_event(void);

/* --- Frames: everything that ncurses writes between the two leaves in one write --- */

void cterminal_frame_begin(void);
/* Adds bytes behind those of ncurses; they leave the cursor and the colours as they were. */
void cterminal_frame_add(const uint8_t *bytes, size_t count);
/* With `synchronized`, the terminal is asked to show the frame at once (mode 2026).
   Returns the bytes written. */
long cterminal_frame_end(bool synchronized);

/* Writes all of it to standard output, whatever it takes. */
void cterminal_write(const char *bytes, size_t count);

/* --- Signals --- */

/* Catches window, stop, go-on and termination signals, and returns a descriptor to read one byte a
   signal from; -1 on failure. Fatal signals put the terminal back and then do what they did. */
int cterminal_signals_install(void);
void cterminal_signals_remove(void);
void cterminal_signal_default(int signal);
void cterminal_signal_ignore(int signal);
void cterminal_signal_catch(int signal);

/* --- Putting the terminal back --- */

/* Remembers the tty's modes; false when it is none. */
bool cterminal_save_modes(void);
/* Sets the modes that cterminal_save_modes saw. */
void cterminal_restore_modes(void);
/* What a crash or an exit writes to leave the terminal as it was. */
void cterminal_arm(const char *bytes, size_t count);
void cterminal_disarm(void);

/* Keeps standard error back while it would land on the drawn screen, and writes it afterwards. */
void cterminal_hold_errors(void);
void cterminal_release_errors(void);

/* --- The wall clock --- */

/* A descriptor that becomes readable when the clock is set by a step; -1 where there is none. */
int cterminal_clock_timer(void);
/* Takes the news and waits for the next; -1 if that fails. */
int cterminal_clock_renew(int timer);

/* --- Other programs --- */

/* Runs a program in this process group with default signals and waits for its end.
   Returns its status, 128 and the signal when one ended it, or an errno, negated. */
int cterminal_run(char *_Nullable const *_Nonnull arguments);

#pragma clang assume_nonnull end
#endif
