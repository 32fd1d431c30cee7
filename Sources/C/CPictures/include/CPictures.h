#ifndef CPICTURES_H
#define CPICTURES_H

// Pictures of files (PNG and JPEG, by Debian's libpng and libjpeg-turbo, linked statically) as pixels
// of a wanted size, and pixels as a terminal takes them.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum cpictures_problem {
    cpictures_fine,
    // Neither PNG nor JPEG.
    cpictures_unknown,
    // It ends too soon, or has wrong values.
    cpictures_damaged,
    // More than CPICTURES_MOST pixels.
    cpictures_large,
    cpictures_memory,
};

// The most pixels of a picture that is decoded: a file of a few bytes may say that it has more.
enum { CPICTURES_MOST = 40000000 };

struct cpictures_size {
    uint32_t width;
    uint32_t height;
};

// Reads the size of a picture, at least 1×1, and decodes nothing.
enum cpictures_problem cpictures_measure(
    const uint8_t *bytes, size_t count, struct cpictures_size *size);

// Decodes a picture into red, green and blue of `wanted` pixels, each the mean of those that it
// covers; what is transparent gets the grey `background`. `pixels` has room for three bytes each.
enum cpictures_problem cpictures_decode(
    const uint8_t *bytes, size_t count, struct cpictures_size wanted, uint8_t background,
    uint8_t *pixels);

// Pixels as a PNG file; to be freed. NULL if there is no memory.
uint8_t *_Nullable cpictures_png(
    const uint8_t *pixels, struct cpictures_size size, size_t *length);

// Pixels in the sixel format, between the introducer and the terminator, with the 216 colours of a
// cube, mixed by an ordered pattern; to be freed. NULL if there is no memory.
char *_Nullable cpictures_sixel(
    const uint8_t *pixels, struct cpictures_size size, size_t *length);

#pragma clang assume_nonnull end

#endif
