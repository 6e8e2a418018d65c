#ifdef __cplusplus
extern "C" {
#endif

// GeographicLib's geodesics on WGS 84, in degrees and metres. (The library is C++, which is why this is a target with code in
// it, and not a system library alone.)

double habitat_geodesic_distance(double latitude1, double longitude1, double latitude2, double longitude2);

void habitat_geodesic_destination(
    double latitude, double longitude, double azimuth, double distance, double *latitude2, double *longitude2);

#ifdef __cplusplus
}
#endif
