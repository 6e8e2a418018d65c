// A new outcome together with a new photo, of an event that has a photo.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Client } from '../../Sources/HabitPages/Application/store/client.js';
import { MemoryDatabase } from '../../Sources/HabitPages/Application/store/memory.js';
import { Requests } from '../../Sources/HabitPages/Application/store/requests.js';
import { inTurn } from '../../Sources/HabitPages/Application/store/turns.js';
import { saveEvent } from '../../Sources/HabitPages/Application/views/event/saveEvent.js';

const FIELDS = {
  id: 'walk-1', user: 'ann', habit: 'walk', day: '2026-11-18', outcome: 'skipped', has_photo: true, geometry: null,
};

/** The photo that the canvas of the browser encodes. */
let encoded;
let client;
let toasts;
beforeEach(async () => {
  toasts = [];
  globalThis.createImageBitmap = async () => ({ width: 100, height: 50, close() {} });
  globalThis.OffscreenCanvas = class {
    getContext() {
      return { drawImage() {}, fillRect() {} };
    }

    async convertToBlob() {
      return encoded;
    }
  };
  const database = new MemoryDatabase();
  const record = { key: 'events/walk-1', collection: 'events', id: 'walk-1', version: '1', fields: FIELDS };
  await database.write([{ part: 'records', key: record.key, value: record }]);
  const requests = new Requests(new URL('http://localhost/'), async () => new Response('old photo'));
  const surroundings = { database, requests, now: Date.now, holdsDeletions: false, exclusively: inTurn, tell() {} };
  client = new Client(surroundings, { id: 'ann', name: 'Ann', time_zone: 'UTC' });
  await client.copy.load();
});
afterEach(() => {
  delete globalThis.createImageBitmap;
  delete globalThis.OffscreenCanvas;
});

/** Saves another outcome and a new photo, and returns the text of the photo that the event has then. */
async function photoAfter(photo) {
  const [event] = client.copy.list('events');
  const showToast = message => void toasts.push(message.text);
  await saveEvent(client, { event, fields: { outcome: 'done' }, photo, onSaved() {}, showToast });
  const [replacement] = client.copy.list('events');
  assert.equal(replacement.properties.outcome, 'done');
  const name = client.copy.waiting.get(`events/${replacement.id}`).changes.photo;
  return name && client.copy.photos.get(name).text();
}

test('the new photo replaces the old one', async () => {
  encoded = new Blob(['new photo']);
  assert.equal(await photoAfter(new Blob(['large'])), 'new photo');
  assert.deepEqual(toasts, []);
});

test('the old photo stays if the new one stays too large', async () => {
  encoded = new Blob([new Uint8Array(65_536)]);
  assert.equal(await photoAfter(new Blob(['large'])), 'old photo');
  assert.deepEqual(toasts, ['The entry is saved. Its photo could not be made small enough.']);
});

test('the old photo stays if the new one cannot be read', async () => {
  globalThis.createImageBitmap = async () => { throw new Error('no picture'); };
  assert.equal(await photoAfter(new Blob(['text'])), 'old photo');
  assert.deepEqual(toasts, ['The entry is saved, but not its photo. Try again.']);
});

test('a removed photo stays removed', async () => {
  assert.equal(await photoAfter(null), null);
});
