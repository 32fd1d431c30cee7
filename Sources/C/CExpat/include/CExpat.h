#ifndef CEXPAT_H
#define CEXPAT_H

// Debian's XML parser, linked statically: a program that reads XML starts without another library.

#include <expat.h>

#endif
