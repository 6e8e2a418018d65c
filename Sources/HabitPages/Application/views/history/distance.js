// Distances on the ellipsoid WGS 84.

/** The equatorial radius, in meters, and the flattening of WGS 84. */
const EQUATORIAL_RADIUS = 6378137;
const FLATTENING = 1 / 298.257223563;
const POLAR_RADIUS = EQUATORIAL_RADIUS * (1 - FLATTENING);
/** The formula needs a few steps, except for positions on opposite sides of the Earth. */
const MOST_STEPS = 100;

/** @typedef {[longitude: number, latitude: number]} Position as in GeoJSON, in degrees */

/**
 * Returns the distance between two positions, in meters.
 *
 * The result is exact to a millimeter (T. Vincenty, Direct and inverse solutions of geodesics, 1975). For positions on
 * almost opposite sides of the Earth, where the formula does not converge, it is 19,970 km, which differs from the
 * distance by up to 50 km.
 * @param {Position} from
 * @param {Position} to
 */
export function distance(from, to) {
  const start = reducedLatitude(from[1]);
  const end = reducedLatitude(to[1]);
  const longitudes = radians(to[0] - from[0]);
  let lambda = longitudes;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const arc = arcBetween(start, end, lambda);
    if (arc.sine === 0) return 0;
    const next = longitudes + correction(arc);
    if (Math.abs(next - lambda) < 1e-12) return lengthOf(arc);
    lambda = next;
  }
  return Math.PI * POLAR_RADIUS;
}

/** @param {number} degrees */
function radians(degrees) {
  return degrees * Math.PI / 180;
}

/**
 * Returns the sine and the cosine of the latitude on the auxiliary sphere.
 * @param {number} degrees
 */
function reducedLatitude(degrees) {
  const latitude = Math.atan((1 - FLATTENING) * Math.tan(radians(degrees)));
  return { sine: Math.sin(latitude), cosine: Math.cos(latitude) };
}

/** @typedef {ReturnType<typeof reducedLatitude>} ReducedLatitude */

/**
 * Returns the great circle between two points of the auxiliary sphere.
 * @param {ReducedLatitude} start
 * @param {ReducedLatitude} end
 * @param {number} lambda the difference of the longitudes
 */
function arcBetween(start, end, lambda) {
  const east = end.cosine * Math.sin(lambda);
  const north = start.cosine * end.sine - start.sine * end.cosine * Math.cos(lambda);
  const sine = Math.hypot(east, north);
  const cosine = start.sine * end.sine + start.cosine * end.cosine * Math.cos(lambda);
  const sineOfAzimuth = sine === 0 ? 0 : start.cosine * end.cosine * Math.sin(lambda) / sine;
  const azimuthTerm = 1 - sineOfAzimuth ** 2;
  // On the equator, the term is 0 and the middle does not matter.
  const middle = azimuthTerm === 0 ? 0 : cosine - 2 * start.sine * end.sine / azimuthTerm;
  return { sine, cosine, angle: Math.atan2(sine, cosine), sineOfAzimuth, azimuthTerm, middle };
}

/** @typedef {ReturnType<typeof arcBetween>} Arc */

/**
 * Returns the difference between the longitudes on the auxiliary sphere and on the ellipsoid.
 * @param {Arc} arc
 */
function correction({ sine, cosine, angle, sineOfAzimuth, azimuthTerm, middle }) {
  const factor = FLATTENING / 16 * azimuthTerm * (4 + FLATTENING * (4 - 3 * azimuthTerm));
  const inner = middle + factor * cosine * (2 * middle ** 2 - 1);
  return (1 - factor) * FLATTENING * sineOfAzimuth * (angle + factor * sine * inner);
}

/**
 * Returns the length of an arc on the ellipsoid, in meters.
 * @param {Arc} arc
 */
function lengthOf({ sine, cosine, angle, azimuthTerm, middle }) {
  const eccentricity = azimuthTerm * (EQUATORIAL_RADIUS ** 2 - POLAR_RADIUS ** 2) / POLAR_RADIUS ** 2;
  const lengthSeries = 4096 + eccentricity * (-768 + eccentricity * (320 - 175 * eccentricity));
  const length = 1 + eccentricity / 16384 * lengthSeries;
  const angleSeries = 256 + eccentricity * (-128 + eccentricity * (74 - 47 * eccentricity));
  const factor = eccentricity / 1024 * angleSeries;
  const cubic = factor / 6 * middle * (4 * sine ** 2 - 3) * (4 * middle ** 2 - 3);
  const change = factor * sine * (middle + factor / 4 * (cosine * (2 * middle ** 2 - 1) - cubic));
  return POLAR_RADIUS * length * (angle - change);
}
