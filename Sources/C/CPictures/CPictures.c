#include "CPictures.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <zlib.h>

/* libpng needs these of zlib, which the linker reads before it: they are asked for here. */
__attribute__((used)) static const void *const zlib[] = {deflate, inflate, crc32, adler32};

typedef enum cpictures_problem problem;
typedef struct cpictures_size size;

static bool is_png(const uint8_t *bytes, size_t count) {
    return count > 8 && png_sig_cmp((png_const_bytep)bytes, 0, 8) == 0;
}

static bool is_jpeg(const uint8_t *bytes, size_t count) {
    return count > 3 && bytes[0] == 0xFF && bytes[1] == 0xD8 && bytes[2] == 0xFF;
}

static bool fits(uint64_t width, uint64_t height) { return width * height <= CPICTURES_MOST; }

/* --- Means: rows of a picture go into the pixels that cover them --- */

struct means {
    size from, to;
    uint32_t *sums;
    uint8_t *pixels;
    uint32_t row;
};

static uint32_t start(uint32_t place, uint32_t from, uint32_t to) {
    return (uint32_t)((uint64_t)place * from / to);
}

static bool means_begin(struct means *means, size from, size to, uint8_t *pixels) {
    means->from = from;
    means->to = to;
    means->pixels = pixels;
    means->row = 0;
    means->sums = calloc((size_t)to.width * 3, sizeof(uint32_t));
    return means->sums != NULL;
}

/* Takes the next row from the top. Rows of a picture that is made larger are repeated. */
static void means_take(struct means *means, const uint8_t *line, uint32_t row) {
    size from = means->from, to = means->to;
    while (means->row < to.height) {
        uint32_t first = start(means->row, from.height, to.height);
        uint32_t next = start(means->row + 1, from.height, to.height);
        if (next <= first) next = first + 1;
        if (row < first) return;
        for (uint32_t x = 0; x < to.width; x++) {
            uint32_t low = start(x, from.width, to.width);
            uint32_t high = start(x + 1, from.width, to.width);
            if (high <= low) high = low + 1;
            uint32_t sum[3] = {0, 0, 0};
            for (uint32_t column = low; column < high; column++)
                for (int part = 0; part < 3; part++) sum[part] += line[column * 3 + part];
            for (int part = 0; part < 3; part++)
                means->sums[x * 3 + part] += sum[part] / (high - low);
        }
        if (row + 1 < next) return;
        uint8_t *target = means->pixels + (size_t)means->row * to.width * 3;
        for (uint32_t place = 0; place < to.width * 3; place++) {
            target[place] = (uint8_t)(means->sums[place] / (next - first));
            means->sums[place] = 0;
        }
        means->row++;
    }
}

/* --- PNG --- */

static problem decode_png(
    const uint8_t *bytes, size_t count, size wanted, uint8_t background, uint8_t *pixels) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&image, bytes, count)) return cpictures_damaged;
    image.format = PNG_FORMAT_RGB;
    if (!fits(image.width, image.height)) {
        png_image_free(&image);
        return cpictures_large;
    }
    uint8_t *whole = malloc(PNG_IMAGE_SIZE(image));
    struct means means = {.sums = NULL};
    size from = {image.width, image.height};
    if (!whole || !means_begin(&means, from, wanted, pixels)) {
        png_image_free(&image);
        free(whole);
        return cpictures_memory;
    }
    png_color grey = {background, background, background};
    problem found = cpictures_damaged;
    if (png_image_finish_read(&image, &grey, whole, 0, NULL)) {
        found = cpictures_fine;
        for (uint32_t row = 0; row < from.height; row++)
            means_take(&means, whole + (size_t)row * from.width * 3, row);
    }
    png_image_free(&image);
    free(whole);
    free(means.sums);
    return found;
}

/* --- JPEG --- */

struct jpeg {
    struct jpeg_decompress_struct picture;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf end;
};

static void end_jpeg(j_common_ptr common) { longjmp(((struct jpeg *)common->client_data)->end, 1); }
static void say_nothing(j_common_ptr common) { (void)common; }

/* A warning is about data that is missing or wrong: the rest would be grey. */
static void note_warning(j_common_ptr common, int level) { if (level < 0) end_jpeg(common); }

/* A few bytes can ask for thousands of passes over a large picture. */
enum { MOST_SCANS = 200 };

static void limit_scans(j_common_ptr common) {
    if (((j_decompress_ptr)common)->input_scan_number > MOST_SCANS) end_jpeg(common);
}

static void open_jpeg(struct jpeg *jpeg, const uint8_t *bytes, size_t count) {
    jpeg->picture.client_data = jpeg;
    jpeg->picture.err = jpeg_std_error(&jpeg->errors);
    jpeg->errors.error_exit = end_jpeg;
    jpeg->errors.output_message = say_nothing;
    jpeg->errors.emit_message = note_warning;
    jpeg_create_decompress(&jpeg->picture);
    jpeg->picture.client_data = jpeg;
    jpeg->progress.progress_monitor = limit_scans;
    jpeg->picture.progress = &jpeg->progress;
    jpeg_mem_src(&jpeg->picture, bytes, count);
    jpeg_read_header(&jpeg->picture, TRUE);
}

static problem measure_jpeg(const uint8_t *bytes, size_t count, size *found) {
    struct jpeg *jpeg = calloc(1, sizeof(struct jpeg));
    if (!jpeg) return cpictures_memory;
    problem result = cpictures_damaged;
    if (!setjmp(jpeg->end)) {
        open_jpeg(jpeg, bytes, count);
        *found = (size){jpeg->picture.image_width, jpeg->picture.image_height};
        result = cpictures_fine;
    }
    jpeg_destroy_decompress(&jpeg->picture);
    free(jpeg);
    return result;
}

static problem decode_jpeg(const uint8_t *bytes, size_t count, size wanted, uint8_t *pixels) {
    struct means means = {.sums = NULL};
    uint8_t *volatile line = NULL;
    uint32_t *volatile sums = NULL;
    struct jpeg *jpeg = calloc(1, sizeof(struct jpeg));
    if (!jpeg) return cpictures_memory;
    volatile problem result = cpictures_damaged;
    if (!setjmp(jpeg->end)) {
        open_jpeg(jpeg, bytes, count);
        struct jpeg_decompress_struct *picture = &jpeg->picture;
        if (!fits(picture->image_width, picture->image_height)) {
            result = cpictures_large;
            longjmp(jpeg->end, 1);
        }
        if (picture->num_components > 3) {
            result = cpictures_unknown;
            longjmp(jpeg->end, 1);
        }
        picture->out_color_space = JCS_RGB;
        picture->scale_num = 1;
        picture->scale_denom = 1;
        // The library makes it smaller for less than it costs to decode all of it.
        for (unsigned scale = 2; scale <= 8; scale *= 2)
            if (picture->image_width / scale >= wanted.width
                && picture->image_height / scale >= wanted.height)
                picture->scale_denom = scale;
        jpeg_start_decompress(picture);
        size from = {picture->output_width, picture->output_height};
        line = malloc((size_t)from.width * 3);
        bool has_room = means_begin(&means, from, wanted, pixels);
        sums = means.sums;
        if (!line || !has_room || picture->output_components != 3) {
            result = line && has_room ? cpictures_unknown : cpictures_memory;
            longjmp(jpeg->end, 1);
        }
        while (picture->output_scanline < from.height) {
            uint32_t row = picture->output_scanline;
            JSAMPROW rows[] = {line};
            if (jpeg_read_scanlines(picture, rows, 1) == 1) means_take(&means, line, row);
        }
        result = cpictures_fine;
    }
    jpeg_destroy_decompress(&jpeg->picture);
    free(line);
    free(sums);
    free(jpeg);
    return result;
}

/* --- Any --- */

problem cpictures_measure(const uint8_t *bytes, size_t count, size *found) {
    problem result = cpictures_unknown;
    if (is_png(bytes, count)) {
        png_image image = {.version = PNG_IMAGE_VERSION};
        result = png_image_begin_read_from_memory(&image, bytes, count) ? cpictures_fine
                                                                        : cpictures_damaged;
        *found = (size){image.width, image.height};
        png_image_free(&image);
    } else if (is_jpeg(bytes, count)) {
        result = measure_jpeg(bytes, count, found);
    }
    if (result != cpictures_fine) return result;
    if (found->width == 0 || found->height == 0) return cpictures_damaged;
    return fits(found->width, found->height) ? cpictures_fine : cpictures_large;
}

problem cpictures_decode(
    const uint8_t *bytes, size_t count, size wanted, uint8_t background, uint8_t *pixels) {
    if (wanted.width == 0 || wanted.height == 0) return cpictures_damaged;
    if (is_png(bytes, count)) return decode_png(bytes, count, wanted, background, pixels);
    return is_jpeg(bytes, count) ? decode_jpeg(bytes, count, wanted, pixels) : cpictures_unknown;
}

/* --- For terminals --- */

uint8_t *cpictures_png(const uint8_t *pixels, size pixel_size, size_t *length) {
    png_image image = {
        .version = PNG_IMAGE_VERSION,
        .width = pixel_size.width,
        .height = pixel_size.height,
        .format = PNG_FORMAT_RGB,
        .flags = PNG_IMAGE_FLAG_FAST,
    };
    png_alloc_size_t most = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *bytes = malloc(most);
    if (bytes && !png_image_write_to_memory(&image, bytes, &most, 0, pixels, 0, NULL)) {
        free(bytes);
        bytes = NULL;
    }
    *length = bytes ? most : 0;
    return bytes;
}

static const uint8_t pattern[4][4] = {
    {0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5},
};

/* One of six levels, the nearer one more often. */
static int level(uint8_t value, uint32_t x, uint32_t y) {
    return (value * 5 * 16 + pattern[y % 4][x % 4] * 255 + 127) / (255 * 16);
}

char *cpictures_sixel(const uint8_t *pixels, size pixel_size, size_t *length) {
    uint32_t width = pixel_size.width, height = pixel_size.height;
    char *text = NULL;
    size_t count = 0;
    FILE *out = open_memstream(&text, &count);
    uint8_t *colors = malloc((size_t)width * 6);
    if (!out || !colors) {
        if (out) fclose(out);
        free(text);
        free(colors);
        return NULL;
    }
    bool is_named[216] = {false};
    fprintf(out, "\"1;1;%u;%u", width, height);
    for (uint32_t top = 0; top < height; top += 6) {
        uint32_t rows = height - top < 6 ? height - top : 6;
        bool is_used[216] = {false};
        for (uint32_t y = 0; y < rows; y++)
            for (uint32_t x = 0; x < width; x++) {
                const uint8_t *pixel = pixels + ((size_t)(top + y) * width + x) * 3;
                int color = level(pixel[0], x, top + y) * 36 + level(pixel[1], x, top + y) * 6
                    + level(pixel[2], x, top + y);
                colors[y * width + x] = (uint8_t)color;
                is_used[color] = true;
            }
        for (int color = 0; color < 216; color++) {
            if (!is_used[color]) continue;
            if (!is_named[color])
                fprintf(out, "#%d;2;%d;%d;%d", color, color / 36 * 20, color / 6 % 6 * 20,
                    color % 6 * 20);
            is_named[color] = true;
            fprintf(out, "#%d", color);
            for (uint32_t x = 0; x < width;) {
                int bits[2];
                uint32_t run = 0;
                do {
                    bits[run > 0] = 0;
                    for (uint32_t y = 0; y < rows; y++)
                        bits[run > 0] |= (colors[y * width + x + run] == color) << y;
                    if (run > 0 && bits[1] != bits[0]) break;
                    run++;
                } while (x + run < width);
                if (run > 3) fprintf(out, "!%u%c", run, 63 + bits[0]);
                else for (uint32_t place = 0; place < run; place++) fputc(63 + bits[0], out);
                x += run;
            }
            fputc('$', out);
        }
        if (top + 6 < height) fputc('-', out);
    }
    free(colors);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    *length = count;
    return text;
}
