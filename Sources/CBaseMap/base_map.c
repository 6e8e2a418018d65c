#include "CBaseMap.h"

// Swift has no statement that embeds a file. C has #embed since C23, and clang accepts it in earlier versions of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char coarse_land[] = {
#embed "coarse-land.txt"
};
const habitat_text habitat_coarse_land = {coarse_land, sizeof coarse_land};

static const unsigned char coarse_borders[] = {
#embed "coarse-borders.txt"
};
const habitat_text habitat_coarse_borders = {coarse_borders, sizeof coarse_borders};

static const unsigned char fine_land[] = {
#embed "fine-land.txt"
};
const habitat_text habitat_fine_land = {fine_land, sizeof fine_land};

static const unsigned char fine_borders[] = {
#embed "fine-borders.txt"
};
const habitat_text habitat_fine_borders = {fine_borders, sizeof fine_borders};

static const unsigned char cities[] = {
#embed "cities.txt"
};
const habitat_text habitat_cities = {cities, sizeof cities};
