#ifndef CTERMINAL_H
#define CTERMINAL_H
#define NCURSES_WIDECHAR 1
#include <curses.h>
#endif
