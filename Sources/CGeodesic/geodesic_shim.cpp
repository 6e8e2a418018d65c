#include "geodesic_shim.h"

#include <GeographicLib/Geodesic.hpp>

using GeographicLib::Geodesic;

double habitat_geodesic_distance(double latitude1, double longitude1, double latitude2, double longitude2) {
    double distance;
    Geodesic::WGS84().Inverse(latitude1, longitude1, latitude2, longitude2, distance);
    return distance;
}

void habitat_geodesic_destination(
    double latitude, double longitude, double azimuth, double distance, double *latitude2, double *longitude2) {
    Geodesic::WGS84().Direct(latitude, longitude, azimuth, distance, *latitude2, *longitude2);
}
