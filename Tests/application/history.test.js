// The filter of the history, distances and the rows of a long list.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distance } from '../../Sources/HabitPages/Application/views/history/distance.js';
import {
  EMPTY_FILTER, filterOf, matcherOf, newestFirst, requestOf, searchOf,
} from '../../Sources/HabitPages/Application/views/history/historyFilter.js';
import { visibleRows } from '../../Sources/HabitPages/Application/views/history/visibleRows.js';

function event(id, properties, coordinates) {
  const geometry = coordinates ? { type: 'Point', coordinates } : null;
  return { id, geometry, properties: { habit: 'h', day: '2026-11-20', at: null, comment: null, ...properties } };
}

function matches(filter, ...values) {
  return matcherOf({ ...EMPTY_FILTER, ...filter })(event(...values));
}

test('distances agree with the geodesics of WGS 84', () => {
  // The flinders peak line of Vincenty's formula, by Geoscience Australia: 54,972.271 m.
  const flinders = [144 + 25 / 60 + 29.52440 / 3600, -(37 + 57 / 60 + 3.72030 / 3600)];
  const buninyong = [143 + 55 / 60 + 35.38390 / 3600, -(37 + 39 / 60 + 10.15610 / 3600)];
  assert.ok(Math.abs(distance(flinders, buninyong) - 54972.271) < 0.001);
  // One degree of the equator.
  assert.ok(Math.abs(distance([0, 0], [1, 0]) - 111319.4908) < 0.001);
  // A quarter of the meridian.
  assert.ok(Math.abs(distance([0, 0], [0, 90]) - 10001965.7293) < 0.001);
});

test('distances cross the antimeridian and are 0 at the same place', () => {
  assert.ok(Math.abs(distance([179.5, 0], [-179.5, 0]) - 111319.4908) < 0.001);
  assert.equal(distance([12, 90], [12, 90]), 0);
  assert.equal(distance([-9.1, 38.7], [-9.1, 38.7]), 0);
});

test('opposite sides of the Earth are half a circumference apart', () => {
  const halfway = distance([0, 0], [179.9, 0.1]);
  assert.ok(halfway > 19_900_000 && halfway < 20_038_000);
});

test('an event without a position matches unless a position is chosen', () => {
  assert.equal(matches({}, 'e', {}), true);
  assert.equal(matches({ position: [-9.14, 38.72] }, 'e', {}), false);
});

test('the distance includes its limit', () => {
  const center = [-9.14, 38.72];
  const near = [-9.14, 38.765];
  const kilometers = distance(center, near) / 1000;
  assert.equal(matches({ position: center, kilometers }, 'e', {}, near), true);
  assert.equal(matches({ position: center, kilometers: kilometers - 0.001 }, 'e', {}, near), false);
});

test('the days of a filter are included', () => {
  assert.equal(matches({ from: '2026-11-20', to: '2026-11-20' }, 'e', {}), true);
  assert.equal(matches({ from: '2026-11-21' }, 'e', {}), false);
  assert.equal(matches({ to: '2026-11-19' }, 'e', {}), false);
});

test('several habits match', () => {
  assert.equal(matches({ habits: ['g', 'h'] }, 'e', {}), true);
  assert.equal(matches({ habits: ['g'] }, 'e', {}), false);
});

test('comments match in upper and lower case, and accents count', () => {
  assert.equal(matches({ comment: 'ANNA' }, 'e', { comment: 'with Anna' }), true);
  assert.equal(matches({ comment: 'strasse' }, 'e', { comment: 'Straße' }), true);
  assert.equal(matches({ comment: 'οδος' }, 'e', { comment: 'ΟΔΟΣ' }), true);
  assert.equal(matches({ comment: 'e\u0301' }, 'e', { comment: 'CAFÉ' }), true);
  assert.equal(matches({ comment: 'e' }, 'e', { comment: 'É' }), false);
  assert.equal(matches({ comment: 'anna' }, 'e', {}), false);
});

test('events are in the order of day, instant and ID, newest first', () => {
  const events = [
    event('a', { day: '2026-11-19', at: '2026-11-19T23:00:00Z' }),
    event('b', { day: '2026-11-20', at: null }),
    event('c', { day: '2026-11-20', at: '2026-11-20T09:00:00+01:00' }),
    event('d', { day: '2026-11-20', at: '2026-11-20T08:30:00Z' }),
    event('e', { day: '2026-11-20', at: null }),
  ];
  assert.deepEqual(events.sort(newestFirst).map(({ id }) => id), ['d', 'c', 'e', 'b', 'a']);
});

test('the address of the page restores the filter except the position', () => {
  const filter = {
    ...EMPTY_FILTER,
    scope: 'all',
    habits: ["alice:it's", 'a,b'],
    comment: 'a&b=c',
    from: '2026-11-01',
    to: '2026-11-20',
    kilometers: 2.5,
  };
  assert.deepEqual(filterOf(searchOf(filter)), filter);
  assert.deepEqual(filterOf(searchOf({ ...filter, position: [-9.14, 38.72] })), filter);
  assert.equal(searchOf(EMPTY_FILTER), '');
});

test('invalid values of an address are ignored', () => {
  assert.deepEqual(filterOf('?scope=nobody&from=yesterday&to=2026-13-40&within=-1'), EMPTY_FILTER);
  assert.deepEqual(filterOf('?from=2026-02-30&to=2026-11-00'), EMPTY_FILTER);
  assert.deepEqual(filterOf('?within=NaN&within=5'), EMPTY_FILTER);
});

test('a request contains the filter, with quotes in IDs written twice', () => {
  const filter = {
    ...EMPTY_FILTER,
    scope: 'all',
    habits: ["a'b", 'c'],
    comment: 'rain',
    from: '2026-11-01',
    position: [-9.14, 38.72],
  };
  const query = new URLSearchParams(requestOf(filter, 200));
  assert.equal(query.get('filter'), "habit IN ('a''b', 'c')");
  assert.equal(query.get('datetime'), '2026-11-01/..');
  assert.equal(query.get('comment-contains'), 'rain');
  assert.equal(query.get('near'), '-9.14,38.72');
  assert.equal(query.get('within'), '5km');
  assert.equal(query.get('limit'), '200');
});

test('only the rows around the window exist', () => {
  assert.deepEqual(visibleRows({ count: 100_000, rowHeight: 50, top: 50_000, height: 500 }), { start: 992, end: 1018 });
  assert.deepEqual(visibleRows({ count: 3, rowHeight: 50, top: -200, height: 500 }), { start: 0, end: 3 });
  assert.deepEqual(visibleRows({ count: 0, rowHeight: 50, top: 0, height: 500 }), { start: 0, end: 0 });
  assert.deepEqual(visibleRows({ count: 10, rowHeight: 50, top: 90_000, height: 500 }), { start: 10, end: 10 });
});
