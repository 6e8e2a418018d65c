// The part of the Earth that the small map shows, and its scale.

import { LocalProjection } from './localProjection.js';

/** @typedef {import('./coordinates.js').Coordinates} Coordinates */
/** @typedef {{ x: number, y: number }} Point in units of the drawing, from its upper left corner */

/** The size of the drawing, in its own units. One unit is about one pixel on a phone. */
export const MAP_WIDTH = 320;
export const MAP_HEIGHT = 200;

/** The least and the greatest scale, in meters per unit. */
const LEAST_SCALE = 1 / 8;
const MOST_SCALE = 8192;
/** The scale of a position without accuracy, which shows about a block of houses. */
const USUAL_SCALE = 1;
/** The greatest radius of the accuracy circle when the map opens, in units. */
const CIRCLE_RADIUS = 70;
/** The pin does not come closer to the edge of the map than this, in units. */
const MARGIN = 24;
/** The greatest length of the scale bar, in units. */
const BAR_LENGTH = 100;
/** Dots that are closer to each other than this are one dot, in units. */
const DOT_DISTANCE = 4;
const MOST_DOTS = 200;
const METERS_PER_DEGREE = 110_000;

/** A map around a center with a scale. */
export class MapView {
  /**
   * @param {Coordinates} center
   * @param {number} scale in meters per unit
   */
  constructor(center, scale) {
    this.center = center;
    this.scale = scale;
    this.projection = new LocalProjection(center);
  }

  /**
   * Returns the map around a position in which the accuracy circle is visible.
   * @param {Coordinates} position
   * @param {number} [accuracy] in meters
   */
  static around(position, accuracy) {
    let scale = USUAL_SCALE;
    if (accuracy !== undefined) {
      scale = LEAST_SCALE * 2;
      while (scale < MOST_SCALE && accuracy / scale > CIRCLE_RADIUS) scale *= 2;
    }
    return new MapView(position, scale);
  }

  /**
   * Returns the map with half or twice the scale.
   * @param {0.5 | 2} factor less than 1 shows more details
   * @param {Coordinates} center
   */
  zoomed(factor, center) {
    const scale = Math.max(LEAST_SCALE, Math.min(MOST_SCALE, this.scale * factor));
    return new MapView(center, scale);
  }

  get canZoomIn() {
    return this.scale > LEAST_SCALE;
  }

  get canZoomOut() {
    return this.scale < MOST_SCALE;
  }

  /**
   * @param {Coordinates} position
   * @returns {Point}
   */
  pointOf(position) {
    const { east, north } = this.projection.offsetOf(position);
    return { x: MAP_WIDTH / 2 + east / this.scale, y: MAP_HEIGHT / 2 - north / this.scale };
  }

  /**
   * @param {Point} point
   * @returns {Coordinates}
   */
  positionAt({ x, y }) {
    const east = (x - MAP_WIDTH / 2) * this.scale;
    const north = (MAP_HEIGHT / 2 - y) * this.scale;
    return this.projection.positionAt({ east, north });
  }

  /**
   * Whether a position is in the map and not at its edge.
   * @param {Coordinates} position
   */
  contains(position) {
    return isWithin(this.pointOf(position), MARGIN);
  }

  /**
   * Returns the points of the positions in the map. Positions at almost the same point are one point.
   * @param {readonly Coordinates[]} positions
   * @returns {Point[]}
   */
  dots(positions) {
    const reach = Math.hypot(MAP_WIDTH, MAP_HEIGHT) / 2 * this.scale / METERS_PER_DEGREE;
    /** @type {Map<string, Point>} */
    const dots = new Map();
    for (const position of positions) {
      if (Math.abs(position[1] - this.center[1]) > reach) continue;
      const point = this.pointOf(position);
      if (!isWithin(point, 0)) continue;
      dots.set(`${Math.round(point.x / DOT_DISTANCE)} ${Math.round(point.y / DOT_DISTANCE)}`, point);
      if (dots.size === MOST_DOTS) break;
    }
    return [...dots.values()];
  }

  /** The scale bar: a round length in meters, and its length in units. */
  get bar() {
    const longest = BAR_LENGTH * this.scale;
    const power = 10 ** Math.floor(Math.log10(longest));
    const factor = [5, 2].find(candidate => candidate * power <= longest) ?? 1;
    const meters = factor * power;
    return { meters, units: meters / this.scale };
  }
}

/**
 * Returns the nearest point that is in the map.
 * @param {Point} point
 * @returns {Point}
 */
export function withinMap({ x, y }) {
  return { x: Math.max(0, Math.min(MAP_WIDTH, x)), y: Math.max(0, Math.min(MAP_HEIGHT, y)) };
}

/**
 * @param {Point} point
 * @param {number} margin in units
 */
function isWithin({ x, y }, margin) {
  return x >= margin && x <= MAP_WIDTH - margin && y >= margin && y <= MAP_HEIGHT - margin;
}
