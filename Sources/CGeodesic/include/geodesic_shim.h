#ifdef __cplusplus
extern "C" {
#endif

// GeographicLib's geodesics on WGS 84, in degrees and meters. The library has only a C++ interface, so the target needs
// C++ code.

double habitat_geodesic_distance(double latitude1, double longitude1, double latitude2, double longitude2);

void habitat_geodesic_destination(
    double latitude, double longitude, double azimuth, double distance, double *latitude2, double *longitude2);

#ifdef __cplusplus
}
#endif
