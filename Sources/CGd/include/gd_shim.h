#include <gd.h>

// Decodes an image, or returns NULL if gd cannot decode it. Sets `complaints` to the number of errors and warnings from
// gd, which also returns an image for a damaged JPEG. Prints nothing to stderr.
typedef enum { GD_SHIM_JPEG, GD_SHIM_PNG, GD_SHIM_GIF, GD_SHIM_WEBP } gd_shim_format;
gdImagePtr gd_shim_decode(gd_shim_format format, int size, const void *bytes, int *complaints);
