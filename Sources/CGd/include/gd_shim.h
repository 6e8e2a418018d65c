#include <gd.h>

// Decodes an image, or returns NULL if the image cannot be decoded. Sets `complaints` to the number of errors and
// warnings of the decoder, which also returns an image for a damaged JPEG. Prints nothing to stderr.
//
// `factor` reduces a JPEG (1, 2, 4 or 8) or a PNG (any number from 1) while it is read: each pixel of the result is the
// mean of a square with `factor` pixels a side. It is 1 for other formats.
typedef enum { GD_SHIM_JPEG, GD_SHIM_PNG, GD_SHIM_GIF, GD_SHIM_WEBP } gd_shim_format;
gdImagePtr gd_shim_decode(gd_shim_format format, int size, const void *bytes, int factor, int *complaints);
