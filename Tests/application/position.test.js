// The small map of a position: its projection, its scale, and the dots of earlier positions.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { coordinatesOf } from '../../Sources/HabitPages/Application/views/event/coordinates.js';
import { earlierPositions } from '../../Sources/HabitPages/Application/views/event/earlierPositions.js';
import { LocalProjection } from '../../Sources/HabitPages/Application/views/event/localProjection.js';
import { MAP_HEIGHT, MAP_WIDTH, MapView, withinMap } from '../../Sources/HabitPages/Application/views/event/mapView.js';
import { distance } from '../../Sources/HabitPages/Application/views/history/distance.js';

const LISBON = [-9.1393, 38.7223];
const CENTERS = [
  LISBON, [0, 0], [180, 0], [-180, 10], [179.9999, -45], [-179.9999, 66], [15, 78.2], [25, 89.9999], [120, -89.9999],
  [0, 90], [77, -90],
];
const OFFSETS = [[10, 0], [-10, 0], [0, 10], [0, -10], [300, -400], [-5000, 12_000], [90_000, 40_000]];

test('a longitude stays between -180 and 180, and a latitude between -90 and 90', () => {
  assert.deepEqual(coordinatesOf(180.5, 10), [-179.5, 10]);
  assert.deepEqual(coordinatesOf(-180.5, 10), [179.5, 10]);
  assert.deepEqual(coordinatesOf(540.25, 10), [-179.75, 10]);
  assert.deepEqual(coordinatesOf(180, 90), [180, 90]);
  assert.deepEqual(coordinatesOf(-180, -90.0000001), [-180, -90]);
  assert.deepEqual(coordinatesOf(-0.0000001, 1.23456789), [0, 1.234568]);
  assert.ok(Object.is(coordinatesOf(-0.0000001, 0)[0], 0));
});

test('a moved position is as far from the center as the pin, at every latitude and at the 180th meridian', () => {
  for (const center of CENTERS) {
    const projection = new LocalProjection(center);
    for (const [east, north] of OFFSETS) {
      const position = projection.positionAt({ east, north });
      const [longitude, latitude] = position;
      const place = `${center} ${east} ${north}: ${position}`;
      assert.ok(longitude >= -180 && longitude <= 180 && latitude >= -90 && latitude <= 90, place);
      const wanted = Math.hypot(east, north);
      // A position has six decimals, which are up to 0.08 m.
      assert.ok(Math.abs(distance(center, position) - wanted) < 0.2 + 0.007 * wanted, place);
    }
  }
});

test('a projected position returns to its point', () => {
  for (const center of CENTERS) {
    const projection = new LocalProjection(center);
    for (const [east, north] of OFFSETS) {
      const offset = projection.offsetOf(projection.positionAt({ east, north }));
      const error = Math.hypot(offset.east - east, offset.north - north);
      assert.ok(error < 0.2, `${center} ${east} ${north}: ${error}`);
    }
  }
});

test('the map across the 180th meridian is continuous', () => {
  const view = new MapView([179.9999, -17], 1);
  const east = view.positionAt({ x: MAP_WIDTH - 10, y: MAP_HEIGHT / 2 });
  assert.ok(east[0] < -179.99, String(east));
  assert.equal(view.dots([east]).length, 1);
  assert.equal(Math.round(view.pointOf(east).x), MAP_WIDTH - 10);
});

test('a step to the north at a pole goes over it', () => {
  const [longitude, latitude] = new LocalProjection([25, 89.9999]).positionAt({ east: 0, north: 30 });
  assert.ok(Math.abs(longitude - (25 - 180)) < 0.01 && latitude < 90 && latitude > 89.9998, `${longitude} ${latitude}`);
});

test('north is up and east is right', () => {
  const view = new MapView(LISBON, 1);
  assert.ok(view.pointOf([LISBON[0], LISBON[1] + 0.0001]).y < MAP_HEIGHT / 2);
  assert.ok(view.pointOf([LISBON[0] + 0.0001, LISBON[1]]).x > MAP_WIDTH / 2);
});

test('the accuracy circle is visible when the map opens', () => {
  for (const accuracy of [0, 1, 12, 35, 1500, 60_000]) {
    const { scale } = MapView.around(LISBON, accuracy);
    assert.ok(accuracy / scale <= 70, `${accuracy} ${scale}`);
  }
  assert.ok(35 / MapView.around(LISBON, 35).scale > 30);
  assert.equal(MapView.around(LISBON, Infinity).canZoomOut, false);
});

test('the zoom ends at the smallest and at the largest scale', () => {
  let view = new MapView(LISBON, 1);
  while (view.canZoomIn) view = view.zoomed(0.5, LISBON);
  assert.equal(view.zoomed(0.5, LISBON).scale, view.scale);
  while (view.canZoomOut) view = view.zoomed(2, LISBON);
  assert.equal(view.zoomed(2, LISBON).scale, view.scale);
});

test('the scale bar is a round length that is not longer than 100 units', () => {
  for (let scale = 1 / 8; scale <= 8192; scale *= 2) {
    const { meters, units } = new MapView(LISBON, scale).bar;
    assert.match(String(meters), /^[125]0*$/);
    assert.ok(units > 39 && units <= 100, `${scale} ${units}`);
  }
});

test('positions outside the map have no dot, and close positions have one', () => {
  const view = new MapView(LISBON, 1);
  const near = view.positionAt({ x: 100, y: 100 });
  const same = view.positionAt({ x: 101, y: 100 });
  const far = view.positionAt({ x: 100, y: -1 });
  assert.equal(view.dots([near, same, far, [LISBON[0] + 20, LISBON[1]], [LISBON[0], -LISBON[1]]]).length, 1);
  const crowd = Array.from({ length: 2000 }, (_, index) => view.positionAt({ x: index % 50 * 6, y: index / 50 * 5 }));
  assert.equal(view.dots(crowd).length, 200);
});

test('a point beyond the edge is the nearest point of the map', () => {
  assert.deepEqual(withinMap({ x: -5, y: 500 }), { x: 0, y: MAP_HEIGHT });
  assert.deepEqual(withinMap({ x: 20, y: 30 }), { x: 20, y: 30 });
});

test('the earlier positions belong to the other own events', () => {
  const event = (id, user, coordinates) => {
    return { id, geometry: coordinates && { type: 'Point', coordinates }, properties: { user } };
  };
  const own = [event('a', 'me', [1, 2]), event('b', 'me', null), event('d', 'me', [5, 6])];
  const events = [event('c', 'friend', [3, 4]), ...own];
  assert.deepEqual(earlierPositions(events, { user: 'me', except: 'd' }), [[1, 2]]);
  assert.deepEqual(earlierPositions(events, { user: 'me', except: undefined }), [[1, 2], [5, 6]]);
});
