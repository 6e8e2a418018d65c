// The order of habits, and the places of a habit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ranksAfterMove } from '../../Sources/HabitPages/Application/views/habits/order.js';
import { ownHabits } from '../../Sources/HabitPages/Application/views/habits/ownHabits.js';
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

test('events near each other are one place, and the place with the most events is first', () => {
  const places = placesOf([
    event(-9.14, 38.72), event(-9.2, 38.8), event(-9.2001, 38.8), event(-9.14, 38.72, 'skipped'),
    { geometry: null, properties: {} },
  ]);
  assert.deepEqual(places.map(({ visits }) => visits), [2, 1]);
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
