// The texts of the base map, which the compiler embeds in the program. Packaging/base-map/make writes the files.
#pragma once

#include <stddef.h>

typedef struct {
    const unsigned char *bytes;
    size_t count;
} habitat_text;

extern const habitat_text habitat_coarse_land;
extern const habitat_text habitat_coarse_borders;
extern const habitat_text habitat_fine_land;
extern const habitat_text habitat_fine_borders;
extern const habitat_text habitat_cities;
