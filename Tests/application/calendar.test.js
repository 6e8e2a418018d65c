import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dayIn, dayOf, instantOn, numberOf, weekdayOf, weekdaysOf,
} from '../../Sources/HabitPages/Application/store/calendar.js';
import { idToInsert, newID } from '../../Sources/HabitPages/Application/store/ids.js';

const EVENING = Date.parse('2026-11-20T23:30:00Z');

test('the day depends on the time zone', () => {
  const zones = ['America/New_York', 'UTC', 'Asia/Tokyo'];
  assert.deepEqual(zones.map(zone => dayIn(EVENING, zone)), ['2026-11-20', '2026-11-20', '2026-11-21']);
});

test('the time zone of the device replaces an unknown one', () => {
  assert.equal(dayIn(EVENING, 'Mars/Olympus'), dayIn(EVENING, Intl.DateTimeFormat().resolvedOptions().timeZone));
});

test('days are numbers and texts', () => {
  for (const day of ['1969-12-28', '1970-01-01', '2024-02-29', '2026-11-20']) assert.equal(dayOf(numberOf(day)), day);
  assert.equal(numberOf('2024-03-01') - numberOf('2024-02-28'), 2);
});

test('weekdays are counted from Monday', () => {
  assert.equal(weekdayOf(numberOf('2026-11-20')), 4);
  assert.deepEqual([...weekdaysOf('mon fri sun')], [0, 4, 6]);
});

test('new IDs are random UUIDs, and IDs of the operator are replaced', () => {
  const id = newID();
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.notEqual(newID(), id);
  assert.equal(idToInsert('events', id), id);
  assert.notEqual(idToInsert('events', 'walk-1'), 'walk-1');
  assert.equal(idToInsert('follows', 'alice/bruno'), 'alice/bruno');
});

test('the instant of an entry has the offset of the device, if the device has the date of the day', () => {
  const now = new Date(2026, 10, 20, 0, 5, 9).getTime();
  const instant = instantOn(now, '2026-11-20');
  assert.match(instant, /^2026-11-20T00:05:09[+-]\d\d:\d\d$/);
  assert.equal(Date.parse(instant), now);
  const ofOtherDate = instantOn(now, '2026-11-19');
  assert.match(ofOtherDate, /Z$/);
  assert.equal(Date.parse(ofOtherDate), now);
});
