// Positions in the form in which events are saved.

/** @typedef {[longitude: number, latitude: number]} Coordinates as in GeoJSON, in degrees */

// Six decimals are about 0.1 m.
const DECIMALS = 6;

/**
 * Returns a position with six decimals, whose longitude is between -180 and 180.
 * @param {number} longitude in degrees, also beyond the 180th meridian
 * @param {number} latitude in degrees, from -90 to 90
 * @returns {Coordinates}
 */
export function coordinatesOf(longitude, latitude) {
  const turns = Math.round(longitude / 360);
  const wrapped = Math.abs(longitude) > 180 ? longitude - turns * 360 : longitude;
  return [rounded(wrapped), rounded(Math.max(-90, Math.min(90, latitude)))];
}

/**
 * Whether two positions are equal.
 * @param {readonly number[]} one
 * @param {readonly number[]} other
 */
export function isSamePosition(one, other) {
  return one[0] === other[0] && one[1] === other[1];
}

/** @param {number} degrees */
function rounded(degrees) {
  // The sum makes -0 a plain 0.
  return Number(degrees.toFixed(DECIMALS)) + 0;
}
