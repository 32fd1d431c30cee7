#ifndef CTEXT_H
#define CTEXT_H
#include <stddef.h>
#include <stdint.h>
#endif
