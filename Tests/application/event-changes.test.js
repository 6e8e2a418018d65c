// Changes of an event that affect more than its fields: another day, and another outcome.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PhotoUnavailable } from '../../Sources/HabitPages/Application/store/photos.js';
import { Device } from './device.js';
import { Server } from './server.js';

// A picture of one pixel (PNG).
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

/** @type {Server} */
let server;
before(async () => { server = await Server.start(['alice', 'bruno']); });
after(() => server.stop());

let titles = 0;
/** Returns a device of a person that has a new habit with an event on 2026-11-18. */
async function deviceWithEvent(fields = {}, holdsDeletions = false) {
  titles += 1;
  const device = new Device(server, 'alice', undefined, holdsDeletions);
  const days = 'mon tue wed thu fri sat sun';
  const habit = await device.client.save('habits', null, { title: `Habit ${titles}`, days, start: '2026-10-01' });
  const event = await device.client.save('events', null, { habit, day: '2026-11-18', comment: 'first', ...fields });
  await device.exchange();
  assert.deepEqual(device.problems, []);
  return { device, habit, event };
}

/** Returns an event as the server has it. */
async function stored(event) {
  return server.get('alice', `collections/events/items/${event}`);
}

test('an event moves to another day, and loses its instant', async () => {
  const { device, event } = await deviceWithEvent({ at: '2026-11-18T08:00:00Z' });
  await device.client.save('events', event, { day: '2026-11-10' });
  await device.exchange();
  assert.deepEqual(device.problems, []);
  const { day, at, comment } = (await stored(event)).properties;
  assert.deepEqual({ day, at, comment }, { day: '2026-11-10', at: null, comment: 'first' });
});

test('an event that moves back before it is sent is as on the server', async () => {
  const { device, event } = await deviceWithEvent({ at: '2026-11-18T08:00:00Z' });
  await device.client.save('events', event, { day: '2026-11-10' });
  await device.client.save('events', event, { day: '2026-11-18' });
  assert.equal(device.client.copy.waiting.size, 0);
});

test('an event that moves to the day of an event of another device is refused and keeps its values', async () => {
  const { device, habit, event } = await deviceWithEvent();
  const other = new Device(server, 'alice');
  await other.exchange();
  await other.client.save('events', null, { habit, day: '2026-11-17', comment: 'other' });
  await other.exchange();
  await device.client.save('events', event, { day: '2026-11-17' });
  await device.exchange();
  const { problem, properties } = device.client.copy.find('events', event);
  assert.deepEqual([problem.kind, problem.slug], ['refused', 'event-exists']);
  assert.equal(properties.comment, 'first');
  await device.client.save('events', event, { day: '2026-11-16' });
  await device.exchange();
  assert.deepEqual(device.problems, []);
  assert.equal((await stored(event)).properties.day, '2026-11-16');
});

test('an event moves to the day of an event that was deleted a moment ago', async () => {
  const { device, habit, event } = await deviceWithEvent({}, true);
  const former = await device.client.save('events', null, { habit, day: '2026-11-17' });
  await device.exchange();
  await device.client.remove('events', former);
  await device.client.save('events', event, { day: '2026-11-17' });
  await device.exchange();
  assert.equal(device.client.copy.waiting.size, 0);
  assert.equal((await stored(event)).properties.day, '2026-11-17');
});

test('an event with another outcome keeps comment, position and photo', async () => {
  const geometry = { type: 'Point', coordinates: [-9.1393, 38.7223] };
  const { device, event } = await deviceWithEvent({ geometry });
  await device.client.savePhoto('events', event, new Blob([PIXEL], { type: 'image/png' }));
  await device.exchange();
  assert.equal((await stored(event)).properties.has_photo, true);
  const skipped = await device.client.save('events', event, { outcome: 'skipped' });
  assert.equal(device.client.copy.find('events', skipped).properties.has_photo, true);
  await device.exchange();
  assert.deepEqual(device.problems, []);
  const feature = await stored(skipped);
  const { outcome, comment, has_photo } = feature.properties;
  assert.deepEqual({ outcome, comment, has_photo }, { outcome: 'skipped', comment: 'first', has_photo: true });
  assert.deepEqual(feature.geometry, geometry);
  const address = new URL(`collections/events/items/${skipped}/photo`, server.root);
  const photo = await server.fetch('alice', address);
  assert.ok(Buffer.from(await photo.arrayBuffer()).equals(PIXEL));
});

test('an event with another outcome keeps a photo that is not sent yet', async () => {
  const { device, event } = await deviceWithEvent();
  await device.client.savePhoto('events', event, new Blob([PIXEL], { type: 'image/png' }));
  const skipped = await device.client.save('events', event, { outcome: 'skipped' });
  await device.exchange();
  assert.equal((await stored(skipped)).properties.has_photo, true);
  assert.equal(device.client.copy.photos.size, 0);
});

test('without a connection, another outcome loses a photo only if the person agrees', async () => {
  const { device, event } = await deviceWithEvent();
  await device.client.savePhoto('events', event, new Blob([PIXEL], { type: 'image/png' }));
  await device.exchange();
  device.faults = ['lost request'];
  await assert.rejects(device.client.save('events', event, { outcome: 'skipped' }), PhotoUnavailable);
  assert.equal(device.client.copy.waiting.size, 0);
  const skipped = await device.client.save('events', event, { outcome: 'skipped' }, { dropsPhoto: true });
  assert.equal(device.client.copy.find('events', skipped).properties.comment, 'first');
});

test('two events that exchange their days without a connection are asked about, and not kept waiting', async () => {
  const { device, habit, event } = await deviceWithEvent();
  const other = await device.client.save('events', null, { habit, day: '2026-11-17', comment: 'other' });
  await device.exchange();
  await device.client.save('events', event, { day: '2026-11-16' });
  await device.client.save('events', other, { day: '2026-11-18' });
  await device.client.save('events', event, { day: '2026-11-17' });
  await device.exchange();
  const [problem] = device.problems;
  assert.deepEqual([problem?.problem.slug, problem?.problem.field], ['event-exists', 'day']);
  // Two edits of the person lead to the exchanged days.
  await device.client.save('events', event, { day: '2026-11-16' });
  await device.client.save('events', other, { comment: 'again' });
  await device.exchange();
  await device.client.save('events', event, { day: '2026-11-17' });
  await device.exchange();
  assert.deepEqual(device.problems, []);
  const days = [await stored(event), await stored(other)].map(({ properties }) => properties.day);
  assert.deepEqual(days, ['2026-11-17', '2026-11-18']);
});

for (const fault of ['lost answer', 'lost request']) {
  test(`another outcome after a ${fault} is recorded`, async () => {
    const { device, habit } = await deviceWithEvent();
    const done = await device.client.save('events', null, { habit, day: '2026-11-17', comment: 'ran' });
    device.faults = [undefined, fault];
    await device.exchange();
    const skipped = await device.client.save('events', done, { outcome: 'skipped' });
    await device.exchange();
    await device.exchange();
    assert.deepEqual(device.problems, []);
    assert.equal(device.client.copy.waiting.size, 0);
    const { outcome, comment } = (await stored(skipped)).properties;
    assert.deepEqual({ outcome, comment }, { outcome: 'skipped', comment: 'ran' });
  });
}
