// The places of a habit: the positions of its events, and a small picture of them.

import { distance } from '../history/distance.js';

/** @typedef {import('../../store/types').Visible} Visible */
/** @typedef {{ longitude: number, latitude: number, visits: number }} Place */
/** @typedef {Place & { x: number, y: number, radius: number }} Dot */

/** Events within this distance of a place belong to it, in meters. */
const REACH = 200;
/** A larger difference of the latitudes is certainly more than `REACH`: a degree has at least 110,574 m. */
const REACH_DEGREES = 0.002;
/** The size of the picture. */
export const WIDTH = 320;
export const HEIGHT = 160;
/** The distance of the dots from the border. */
const MARGIN = 28;
/** The smallest part of the Earth that a picture shows, in degrees of latitude: about 1 km. */
const SMALLEST_SPAN = 0.01;
const LARGEST_RADIUS = 22;
const SMALLEST_RADIUS = 9;

/**
 * Returns the places of events, the place with the most events first.
 * @param {readonly Visible[]} events
 * @returns {Place[]}
 */
export function placesOf(events) {
  /** @type {Place[]} */
  const places = [];
  for (const { geometry, properties } of events) {
    if (geometry?.type !== 'Point' || properties.outcome === 'skipped') continue;
    const [longitude, latitude] = geometry.coordinates;
    const known = places.find(place => {
      // The exact distance takes long, and a habit can have many places.
      if (Math.abs(place.latitude - latitude) > REACH_DEGREES) return false;
      return distance([place.longitude, place.latitude], [longitude, latitude]) <= REACH;
    });
    if (known) known.visits += 1;
    else places.push({ longitude, latitude, visits: 1 });
  }
  return places.sort((one, other) => other.visits - one.visits);
}

/**
 * Returns the places as dots of a picture with north at the top. The area of a dot grows with the visits.
 * @param {readonly Place[]} places at least one
 * @returns {Dot[]}
 */
export function dotsOf(places) {
  const flat = flattened(places);
  const [west, east] = rangeOf(flat.map(({ east }) => east));
  const [south, north] = rangeOf(flat.map(({ north }) => north));
  const width = Math.max(east - west, SMALLEST_SPAN);
  const height = Math.max(north - south, SMALLEST_SPAN);
  const scale = Math.min((WIDTH - 2 * MARGIN) / width, (HEIGHT - 2 * MARGIN) / height);
  const most = Math.max(...places.map(({ visits }) => visits));
  return flat.map(({ place, east: x, north: y }) => ({
    ...place,
    x: WIDTH / 2 + (x - (west + east) / 2) * scale,
    y: HEIGHT / 2 - (y - (south + north) / 2) * scale,
    radius: Math.max(SMALLEST_RADIUS, LARGEST_RADIUS * Math.sqrt(place.visits / most)),
  }));
}

/**
 * Returns the distances of places from the first one: to the east in degrees of latitude, and to the north.
 * @param {readonly Place[]} places
 */
function flattened(places) {
  const [first] = places;
  const shrink = Math.cos(first.latitude * Math.PI / 180);
  return places.map(place => {
    // The shorter way around the Earth.
    const turn = ((place.longitude - first.longitude + 540) % 360) - 180;
    return { place, east: turn * shrink, north: place.latitude - first.latitude };
  });
}

/**
 * @param {readonly number[]} values
 * @returns {[number, number]}
 */
function rangeOf(values) {
  return [Math.min(...values), Math.max(...values)];
}
