#ifndef CDEFLATE_H
#define CDEFLATE_H

#include <stddef.h>
#include <stdint.h>

/// Unpacks bytes that were packed with zlib, which is linked statically.
///
/// `has_header` says whether they begin with a zlib header; without one they are a raw stream.
/// Returns the number of bytes written into `output`, or a negative number: -1 if the bytes are
/// damaged or cut off, -2 if `output` is too small, -3 if no memory is left.
long cdeflate_unpack(const uint8_t *input, size_t input_size, int has_header, uint8_t *output,
                     size_t output_size);

/// Packs bytes with a zlib header.
///
/// Returns the number of bytes written into `output`, which has room for `cdeflate_bound(size)`, or -3 if
/// no memory is left.
long cdeflate_pack(const uint8_t *input, size_t input_size, uint8_t *output, size_t output_size);
size_t cdeflate_bound(size_t size);

/// CRC-32 with the polynomial of IEEE 802.3.
uint32_t cdeflate_crc(const void *bytes, size_t size);

#endif
