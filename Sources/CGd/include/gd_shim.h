#include <gd.h>

// Decodes a picture, and tells in `complaints` how often gd said that something is wrong with it: with a damaged JPEG
// it says so, and still returns a picture. NULL where gd cannot decode. Nothing is written to stderr.
typedef enum { GD_SHIM_JPEG, GD_SHIM_PNG, GD_SHIM_GIF, GD_SHIM_WEBP } gd_shim_format;
gdImagePtr gd_shim_decode(gd_shim_format format, int size, const void *bytes, int *complaints);
