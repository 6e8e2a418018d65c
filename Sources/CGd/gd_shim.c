#include "gd_shim.h"

#include <stdio.h>

#include <jpeglib.h>
#include <png.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The number of messages from gd on this thread. gd has one error callback for the process, without a context argument,
// so the count must be thread-local. Swift has no thread-local variables, so the target needs C code.
static _Thread_local int said;

static void count(int priority, const char *format, va_list arguments) {
    (void)priority, (void)format, (void)arguments;
    said++;
}

static void listen(void) { gdSetErrorMethod(count); }

// The side of an image that is reduced by a factor. An incomplete block at the end is a pixel of its own.
static int reduced(int side, int factor) { return (side + factor - 1) / factor; }

// MARK: PNG

// The sums of the pixels in a row of blocks. Colors are weighted by their alpha.
typedef struct {
    uint64_t red, green, blue, alpha;
    uint32_t count;
} block_sum;

static void add_row(block_sum *sums, const png_byte *pixel, int width, int factor) {
    for (int start = 0; start < width; start += factor, sums++) {
        int count = width - start < factor ? width - start : factor;
        uint32_t red = 0, green = 0, blue = 0, alpha = 0;
        for (const png_byte *end = pixel + 4 * (size_t)count; pixel < end; pixel += 4) {
            red += (uint32_t)pixel[0] * pixel[3];
            green += (uint32_t)pixel[1] * pixel[3];
            blue += (uint32_t)pixel[2] * pixel[3];
            alpha += pixel[3];
        }
        sums->red += red;
        sums->green += green;
        sums->blue += blue;
        sums->alpha += alpha;
        sums->count += (uint32_t)count;
    }
}

static void finish_row(block_sum *sums, int *row, int width) {
    for (int x = 0; x < width; x++) {
        block_sum sum = sums[x];
        uint64_t alpha = sum.alpha;
        if (alpha == 0) {
            row[x] = gdTrueColorAlpha(0, 0, 0, gdAlphaMax);
            continue;
        }
        int red = (int)((sum.red + alpha / 2) / alpha), green = (int)((sum.green + alpha / 2) / alpha);
        int blue = (int)((sum.blue + alpha / 2) / alpha), opacity = (int)((alpha + sum.count / 2) / sum.count);
        row[x] = gdTrueColorAlpha(red, green, blue, gdAlphaMax - (opacity >> 1));
    }
    memset(sums, 0, (size_t)width * sizeof *sums);
}

static void copy_row(const png_byte *pixel, int *row, int width) {
    for (int x = 0; x < width; x++, pixel += 4)
        row[x] = gdTrueColorAlpha(pixel[0], pixel[1], pixel[2], gdAlphaMax - (pixel[3] >> 1));
}

// A PNG in memory and the buffers of its decoder. The decoder changes the structure between setjmp and longjmp.
typedef struct {
    const png_byte *bytes;
    size_t rest;
    gdImagePtr image;
    png_bytep pixels;
    png_bytepp rows;
    block_sum *sums;
    int warnings;
} png_input;

static void read_png(png_structp png, png_bytep target, size_t length) {
    png_input *input = png_get_io_ptr(png);
    if (length > input->rest) png_error(png, "end of data");
    memcpy(target, input->bytes, length);
    input->bytes += length;
    input->rest -= length;
}

static void png_failed(png_structp png, png_const_charp message) {
    (void)message;
    longjmp(*png_set_longjmp_fn(png, longjmp, sizeof(jmp_buf)), 1);
}

static void png_warned(png_structp png, png_const_charp message) {
    (void)message;
    ((png_input *)png_get_error_ptr(png))->warnings++;
}

// Decodes a PNG row by row into an image that is reduced by `factor`. Only an interlaced PNG needs all its pixels.
static void decode_png_rows(png_structp png, png_infop info, png_input *input, int factor) {
    png_read_info(png, info);
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    int width = (int)png_get_image_width(png, info), height = (int)png_get_image_height(png, info);
    size_t length = png_get_rowbytes(png, info);
    if (length != (size_t)width * 4) png_error(png, "unexpected pixels");

    int columns = reduced(width, factor);
    input->image = gdImageCreateTrueColor(columns, reduced(height, factor));
    input->pixels = malloc(length * (passes > 1 ? (size_t)height : 1));
    input->sums = calloc((size_t)columns, sizeof *input->sums);
    if (!input->image || !input->pixels || !input->sums) png_error(png, "no memory");
    gdImageSaveAlpha(input->image, 1);
    if (passes > 1) {
        input->rows = malloc((size_t)height * sizeof *input->rows);
        if (!input->rows) png_error(png, "no memory");
        for (int y = 0; y < height; y++) input->rows[y] = input->pixels + (size_t)y * length;
        png_read_image(png, input->rows);
    }
    for (int y = 0; y < height; y++) {
        const png_byte *row = passes > 1 ? input->rows[y] : input->pixels;
        if (passes == 1) png_read_row(png, input->pixels, NULL);
        if (factor == 1) {
            copy_row(row, input->image->tpixels[y], width);
            continue;
        }
        add_row(input->sums, row, width, factor);
        if ((y + 1) % factor == 0 || y + 1 == height) finish_row(input->sums, input->image->tpixels[y / factor], columns);
    }
    // Reads to the end of the data. No rows may follow.
    png_read_end(png, NULL);
}

// gd's decoder lets libpng print warnings to stderr, for example for each interlaced PNG.
static gdImagePtr decode_png(int size, const void *bytes, int factor, int *warnings) {
    png_input *input = calloc(1, sizeof *input);
    if (!input) return NULL;
    input->bytes = bytes;
    input->rest = (size_t)size;
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, input, png_failed, png_warned);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    volatile int is_complete = 0;
    if (info && !setjmp(*png_set_longjmp_fn(png, longjmp, sizeof(jmp_buf)))) {
        png_set_read_fn(png, input, read_png);
        decode_png_rows(png, info, input, factor);
        is_complete = 1;
    }
    if (png) png_destroy_read_struct(&png, info ? &info : NULL, NULL);
    gdImagePtr image = input->image;
    if (image && !is_complete) {
        gdImageDestroy(image);
        image = NULL;
    }
    *warnings += input->warnings;
    free(input->pixels);
    free(input->rows);
    free(input->sums);
    free(input);
    return image;
}

// MARK: JPEG

typedef struct {
    struct jpeg_error_mgr manager;
    jmp_buf target;
} jpeg_errors;

static void jpeg_failed(j_common_ptr jpeg) { longjmp(((jpeg_errors *)jpeg->err)->target, 1); }

// libjpeg counts the warnings.
static void jpeg_said(j_common_ptr jpeg, int level) {
    if (level < 0) jpeg->err->num_warnings++;
}

static void jpeg_silent(j_common_ptr jpeg) { (void)jpeg; }

static int product(int a, int b) { return (a * b + 127) / 255; }

// Adobe's programs store CMYK inverted. All CMYK files in use come from them.
static int cmyk_color(const JSAMPLE *pixel, int is_inverted) {
    int values[4];
    for (int index = 0; index < 4; index++) values[index] = is_inverted ? pixel[index] : 255 - pixel[index];
    return gdTrueColor(product(values[0], values[3]), product(values[1], values[3]), product(values[2], values[3]));
}

// The buffers of the decoder, which change between setjmp and longjmp.
typedef struct {
    gdImagePtr image;
    JSAMPLE *row;
} jpeg_output;

static void decode_jpeg_rows(j_decompress_ptr jpeg, jpeg_output *output, int factor) {
    jpeg_read_header(jpeg, TRUE);
    int is_cmyk = jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK;
    jpeg->out_color_space = is_cmyk ? JCS_CMYK : JCS_RGB;
    jpeg->scale_num = 1;
    jpeg->scale_denom = (unsigned)factor;
    jpeg_start_decompress(jpeg);
    output->image = gdImageCreateTrueColor((int)jpeg->output_width, (int)jpeg->output_height);
    output->row = malloc((size_t)jpeg->output_width * (size_t)jpeg->output_components);
    if (!output->image || !output->row) jpeg_failed((j_common_ptr)jpeg);
    int is_inverted = jpeg->saw_Adobe_marker;
    while (jpeg->output_scanline < jpeg->output_height) {
        int *row = output->image->tpixels[jpeg->output_scanline];
        if (jpeg_read_scanlines(jpeg, &output->row, 1) != 1) jpeg_failed((j_common_ptr)jpeg);
        const JSAMPLE *pixel = output->row;
        for (JDIMENSION x = 0; x < jpeg->output_width; x++, pixel += jpeg->output_components)
            row[x] = is_cmyk ? cmyk_color(pixel, is_inverted) : gdTrueColor(pixel[0], pixel[1], pixel[2]);
    }
    jpeg_finish_decompress(jpeg);
}

static gdImagePtr decode_jpeg(int size, const void *bytes, int factor, int *warnings) {
    struct jpeg_decompress_struct jpeg;
    jpeg_errors errors;
    jpeg_output *output = calloc(1, sizeof *output);
    if (!output) return NULL;
    jpeg.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = jpeg_failed;
    errors.manager.emit_message = jpeg_said;
    errors.manager.output_message = jpeg_silent;
    jpeg_create_decompress(&jpeg);
    volatile int is_complete = 0;
    if (!setjmp(errors.target)) {
        jpeg_mem_src(&jpeg, bytes, (unsigned long)size);
        decode_jpeg_rows(&jpeg, output, factor);
        is_complete = 1;
    }
    *warnings += (int)errors.manager.num_warnings;
    jpeg_destroy_decompress(&jpeg);
    gdImagePtr image = output->image;
    if (image && !is_complete) {
        gdImageDestroy(image);
        image = NULL;
    }
    free(output->row);
    free(output);
    return image;
}

gdImagePtr gd_shim_decode(gd_shim_format format, int size, const void *bytes, int factor, int *complaints) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, listen);

    // gd's functions take a mutable pointer but do not write to the data.
    void *data = (void *)bytes;
    gdImagePtr image = NULL;
    int warnings = 0;
    said = 0;
    switch (format) {
    case GD_SHIM_JPEG: image = decode_jpeg(size, bytes, factor, &warnings); break;
    case GD_SHIM_PNG: image = decode_png(size, bytes, factor, &warnings); break;
    case GD_SHIM_GIF: image = gdImageCreateFromGifPtr(size, data); break;
    case GD_SHIM_WEBP: image = gdImageCreateFromWebpPtr(size, data); break;
    }
    *complaints = said + warnings;
    return image;
}
