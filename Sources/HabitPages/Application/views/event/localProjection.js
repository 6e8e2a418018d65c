// The projection of the small map.

import { coordinatesOf } from './coordinates.js';

/** @typedef {import('./coordinates.js').Coordinates} Coordinates */
/** @typedef {{ east: number, north: number }} Offset in meters */

/** The mean radius of the Earth, in meters. */
const RADIUS = 6_371_008.8;

/**
 * A map around a center on which distances and directions from the center are true (azimuthal equidistant projection).
 * It has no special case at the poles and at the 180th meridian. The Earth is a sphere here, so that a distance differs
 * from that of the ellipsoid by at most 0.6 %.
 */
export class LocalProjection {
  #longitude;
  #sine;
  #cosine;

  /** @param {Coordinates} center */
  constructor(center) {
    this.center = center;
    this.#longitude = radians(center[0]);
    this.#sine = Math.sin(radians(center[1]));
    this.#cosine = Math.cos(radians(center[1]));
  }

  /**
   * Returns how far a position is from the center.
   * @param {Coordinates} position
   * @returns {Offset}
   */
  offsetOf([longitude, latitude]) {
    const turn = radians(longitude) - this.#longitude;
    const sine = Math.sin(radians(latitude));
    const cosine = Math.cos(radians(latitude));
    const east = cosine * Math.sin(turn);
    const north = this.#cosine * sine - this.#sine * cosine * Math.cos(turn);
    const sineOfAngle = Math.hypot(east, north);
    const cosineOfAngle = this.#sine * sine + this.#cosine * cosine * Math.cos(turn);
    if (sineOfAngle === 0) return { east: 0, north: 0 };
    const scale = RADIUS * Math.atan2(sineOfAngle, cosineOfAngle) / sineOfAngle;
    return { east: east * scale, north: north * scale };
  }

  /**
   * Returns the position at an offset from the center.
   * @param {Offset} offset
   * @returns {Coordinates}
   */
  positionAt({ east, north }) {
    const length = Math.hypot(east, north);
    if (length === 0) return this.center;
    const sine = Math.sin(length / RADIUS);
    const cosine = Math.cos(length / RADIUS);
    const sineOfLatitude = cosine * this.#sine + north * sine * this.#cosine / length;
    const latitude = Math.asin(Math.max(-1, Math.min(1, sineOfLatitude)));
    const turn = Math.atan2(east * sine, length * this.#cosine * cosine - north * this.#sine * sine);
    return coordinatesOf(degrees(this.#longitude + turn), degrees(latitude));
  }
}

/** @param {number} angle in degrees */
function radians(angle) {
  return angle * Math.PI / 180;
}

/** @param {number} angle in radians */
function degrees(angle) {
  return angle * 180 / Math.PI;
}
