// The order of habits, and the places of a habit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moverOf, ranksAfterMove } from '../../Sources/HabitPages/Application/views/habits/order.js';
import { ownHabits } from '../../Sources/HabitPages/Application/views/habits/ownHabits.js';
import { distance } from '../../Sources/HabitPages/Application/views/history/distance.js';
import { dotsOf, HEIGHT, placesOf, WIDTH } from '../../Sources/HabitPages/Application/views/habits/places.js';
import { Random } from './random.js';

/** Returns habits in their order, with the title of their ID. */
function habitsOf(ranks) {
  const properties = Object.entries(ranks).map(([title, rank]) => ({ title, rank }));
  return ownHabits(properties.map(properties => ({ id: properties.title, properties })), 'me');
}

function event(longitude, latitude, outcome = 'done') {
  return { geometry: { type: 'Point', coordinates: [longitude, latitude] }, properties: { outcome } };
}

test('a move changes the rank of one habit if there is a rank between its neighbors', () => {
  const habits = habitsOf({ a: 1000, b: 2000, c: 3000 });
  assert.deepEqual(ranksAfterMove(habits, 2, -1), [{ id: 'c', rank: 1500 }]);
  assert.deepEqual(ranksAfterMove(habits, 0, 1), [{ id: 'a', rank: 2500 }]);
  assert.deepEqual(ranksAfterMove(habits, 1, 1), [{ id: 'b', rank: 4000 }]);
});

test('a habit at an end of the list does not move further', () => {
  const habits = habitsOf({ a: 1, b: 2 });
  assert.deepEqual(ranksAfterMove(habits, 0, -1), []);
  assert.deepEqual(ranksAfterMove(habits, 1, 1), []);
});

test('only the habits before the moved one get a rank', () => {
  const habits = habitsOf({ a: null, b: null, c: null, d: null });
  assert.deepEqual(ranksAfterMove(habits, 0, 1), [{ id: 'b', rank: 1000 }, { id: 'a', rank: 2000 }]);
});

test('each move of a random list swaps two neighbors, with ranks that the server accepts', () => {
  const random = new Random(7);
  for (let round = 0; round < 500; round += 1) {
    const ranks = {};
    for (const id of 'abcdefg') ranks[id] = random.chance(0.3) ? null : random.pick([0, 1, 2, 3, 999_999, 1_000_000]);
    const before = habitsOf(ranks);
    const index = random.below(before.length);
    const step = random.pick([-1, 1]);
    const changes = ranksAfterMove(before, index, step);
    for (const { id, rank } of changes) ranks[id] = rank;
    const wanted = before.map(({ id }) => id);
    const target = index + step;
    if (target >= 0 && target < wanted.length) [wanted[index], wanted[target]] = [wanted[target], wanted[index]];
    assert.deepEqual(habitsOf(ranks).map(({ id }) => id), wanted, `round ${round}`);
    for (const { rank } of changes) assert.ok(Number.isInteger(rank) && rank >= 0 && rank <= 1_000_000, `rank ${rank}`);
  }
});

test('a move waits for an earlier move that changes several ranks', async () => {
  const ranks = { a: null, b: null, c: null, d: null };
  const store = {
    save: async (collection, id, { rank }) => {
      await new Promise(setImmediate);
      ranks[id] = rank;
    },
  };
  const move = moverOf(store, () => habitsOf(ranks));
  await Promise.all([move('a', 1), move('a', 1), move('d', -1)]);
  assert.deepEqual(habitsOf(ranks).map(({ id }) => id), ['b', 'c', 'd', 'a']);
});

test('a move after one that has failed is done, and a habit that was deleted does not move', async () => {
  const ranks = { a: 1000, b: 2000 };
  let isFull = true;
  const store = {
    save: async (collection, id, { rank }) => {
      if (isFull) throw new Error('full');
      ranks[id] = rank;
    },
  };
  const move = moverOf(store, () => habitsOf(ranks));
  await assert.rejects(move('a', 1));
  isFull = false;
  await move('deleted', 1);
  assert.deepEqual(ranks, { a: 1000, b: 2000 });
  await move('a', 1);
  assert.deepEqual(habitsOf(ranks).map(({ id }) => id), ['b', 'a']);
});

test('events near each other are one place, and the place with the most events is first', () => {
  const places = placesOf([
    event(-9.14, 38.72), event(-9.2, 38.8), event(-9.2001, 38.8), event(-9.14, 38.72, 'skipped'),
    { geometry: null, properties: {} },
  ]);
  assert.deepEqual(places.map(({ visits }) => visits), [2, 1]);
});

/** Returns the visits of the places, without the shortcut of `placesOf`. */
function plainVisits(events) {
  const places = [];
  for (const { geometry: { coordinates } } of events) {
    const known = places.find(place => distance(place.coordinates, coordinates) <= 200);
    if (known) known.visits += 1;
    else places.push({ coordinates, visits: 1 });
  }
  return places.sort((one, other) => other.visits - one.visits);
}

test('events at the limit of the reach are the places of all exact distances, on the whole Earth', () => {
  const random = new Random(11);
  for (const [longitude, latitude] of [[0, 0], [-9.14, 38.72], [180, 0.001], [25, 89.9995], [0, -90], [10, 66]]) {
    const events = Array.from({ length: 60 }, () => {
      // Up to 500 m to the north and to the east, in steps of the limit.
      const north = random.pick([0, 0.0018, 0.00181, 0.002, 0.0021, 0.0045]) * random.pick([-1, 1]);
      const east = random.pick([0, 0.001, 0.0018, 0.002]) * random.pick([-1, 1]);
      return event(longitude + east, Math.max(-90, Math.min(90, latitude + north)));
    });
    const places = placesOf(events).map(({ longitude, latitude, visits }) => ({
      coordinates: [longitude, latitude], visits,
    }));
    assert.deepEqual(places, plainVisits(events), `${longitude} ${latitude}`);
  }
});

test('the latitudes that are compared first differ by more than the reach', () => {
  assert.ok(distance([0, 0], [0, 0.002]) > 200);
  assert.ok(distance([0, 89.998], [0, 90]) > 200);
});

test('dots are in the picture, with north at the top and on both sides of the antimeridian', () => {
  const [north, south, east] = dotsOf(placesOf([event(179.9, 1), event(179.9, 0), event(-179.9, 0.5)]));
  assert.ok(north.y < south.y);
  assert.ok(east.x > north.x);
  for (const { x, y, radius } of [north, south, east]) {
    assert.ok(x - radius >= 0 && x + radius <= WIDTH && y - radius >= 0 && y + radius <= HEIGHT);
  }
});

test('one place is in the middle of the picture', () => {
  const [dot] = dotsOf(placesOf([event(-9.14, 38.72)]));
  assert.deepEqual([dot.x, dot.y], [WIDTH / 2, HEIGHT / 2]);
});
