#include "CDeflate.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

long cdeflate_unpack(const uint8_t *input, size_t input_size, int has_header, uint8_t *output,
                     size_t output_size) {
    if (input_size > UINT_MAX || output_size > UINT_MAX) return -2;
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (inflateInit2(&stream, has_header ? MAX_WBITS : -MAX_WBITS) != Z_OK) return -3;
    stream.next_in = (Bytef *)input;
    stream.avail_in = (uInt)input_size;
    stream.next_out = output;
    stream.avail_out = (uInt)output_size;
    int code = inflate(&stream, Z_FINISH);
    long count = (long)stream.total_out;
    int is_full = stream.avail_out == 0;
    inflateEnd(&stream);
    if (code == Z_STREAM_END) return count;
    if (code == Z_MEM_ERROR) return -3;
    return code == Z_BUF_ERROR && is_full ? -2 : -1;
}

long cdeflate_pack(const uint8_t *input, size_t input_size, uint8_t *output, size_t output_size) {
    uLongf size = output_size;
    return compress(output, &size, input, input_size) == Z_OK ? (long)size : -3;
}

size_t cdeflate_bound(size_t size) { return compressBound(size); }

uint32_t cdeflate_crc(const void *bytes, size_t size) {
    return (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, size);
}
