#include "gd_shim.h"

#include <png.h>
#include <pthread.h>
#include <stdlib.h>

// The number of messages from gd on this thread. gd has one error callback for the process, without a context argument,
// so the count must be thread-local. Swift has no thread-local variables, so the target needs C code.
static _Thread_local int said;

static void count(int priority, const char *format, va_list arguments) {
    (void)priority, (void)format, (void)arguments;
    said++;
}

static void listen(void) { gdSetErrorMethod(count); }

// Decodes a PNG with libpng's simplified interface, which does not print warnings. gd's decoder lets libpng print
// warnings to stderr, for example for each interlaced PNG.
static gdImagePtr decode_png(int size, const void *bytes) {
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&png, bytes, size)) return NULL;
    png.format = PNG_FORMAT_RGBA;
    png.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;

    gdImagePtr image = gdImageCreateTrueColor(png.width, png.height);
    png_bytep pixels = image ? malloc((size_t)png.width * png.height * 4) : NULL;
    if (pixels && png_image_finish_read(&png, NULL, pixels, 0, NULL)) {
        gdImageSaveAlpha(image, 1);
        const png_byte *pixel = pixels;
        for (png_uint_32 y = 0; y < png.height; y++)
            for (png_uint_32 x = 0; x < png.width; x++, pixel += 4)
                image->tpixels[y][x] =
                    gdTrueColorAlpha(pixel[0], pixel[1], pixel[2], gdAlphaMax - (pixel[3] >> 1));
    } else if (image) {
        gdImageDestroy(image);
        image = NULL;
    }
    free(pixels);
    png_image_free(&png);
    return image;
}

gdImagePtr gd_shim_decode(gd_shim_format format, int size, const void *bytes, int *complaints) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, listen);

    // gd's functions take a mutable pointer but do not write to the data.
    void *data = (void *)bytes;
    gdImagePtr image = NULL;
    said = 0;
    switch (format) {
    case GD_SHIM_JPEG: image = gdImageCreateFromJpegPtrEx(size, data, 0); break;
    case GD_SHIM_PNG: image = decode_png(size, bytes); break;
    case GD_SHIM_GIF: image = gdImageCreateFromGifPtr(size, data); break;
    case GD_SHIM_WEBP: image = gdImageCreateFromWebpPtr(size, data); break;
    }
    *complaints = said;
    return image;
}
