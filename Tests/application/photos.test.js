// The photos of waiting changes, with a server that is simulated.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../Sources/HabitPages/Application/store/client.js';
import { MemoryDatabase } from '../../Sources/HabitPages/Application/store/memory.js';
import { inTurn } from '../../Sources/HabitPages/Application/store/turns.js';

/** A server without changes of others, which stores every change. */
class SimulatedServer {
  /** The changes that it has received. @type {any[]} */
  lines = [];

  async json(method, path, { body } = {}) {
    if (path === 'changes') return { results: body.split('\n').map(line => this.#store(JSON.parse(line))) };
    if (path.startsWith('days')) return null;
    return path === 'settings' ? {} : { changes: [], more: false, token: 't' };
  }

  #store(line) {
    this.lines.push(line);
    return { result: 'created', version: String(this.lines.length) };
  }
}

/** Returns a tab of the person, which does not hear of the entries of other tabs. */
function tabOf(database, requests) {
  const surroundings = {
    database, requests, now: Date.now, holdsDeletions: false, exclusively: inTurn, tell: () => {},
  };
  return new Client(surroundings, { id: 'ann', name: 'Ann', time_zone: 'UTC' });
}

test('a photo of another tab is sent, also before this tab hears of it', async () => {
  const database = new MemoryDatabase();
  const server = new SimulatedServer();
  const [leading, other] = [tabOf(database, server), tabOf(database, server)];
  const event = await other.save('events', null, { habit: 'h', day: '2026-11-20' });
  await other.savePhoto('events', event, new Blob(['picture']));
  await leading.exchange();
  assert.deepEqual(server.lines.map(({ feature }) => feature.properties.photo), [btoa('picture')]);
  assert.equal((await database.all('photos')).size, 0);
});

test('a request with photos is so small that a slow connection sends it', async () => {
  const server = new SimulatedServer();
  const tab = tabOf(new MemoryDatabase(), server);
  const sizes = [];
  const send = server.json.bind(server);
  server.json = (method, path, options) => {
    if (options?.body) sizes.push(options.body.length);
    return send(method, path, options);
  };
  const photo = new Blob([new Uint8Array(65_535)]);
  for (let number = 0; number < 80; number += 1) {
    const event = await tab.save('events', null, { habit: `h${number}`, day: '2026-11-20' });
    await tab.savePhoto('events', event, photo);
  }
  await tab.exchange();
  assert.equal(server.lines.length, 80);
  // The server waits 30 s for a body.
  assert.ok(Math.max(...sizes) <= 200_000, sizes.join(' '));
  assert.equal(sizes.length, 40);
});

test('a photo of an event that is gone is an error, and no event without a habit waits', async () => {
  const database = new MemoryDatabase();
  const tab = tabOf(database, new SimulatedServer());
  await assert.rejects(tab.savePhoto('events', 'gone', new Blob(['picture'])));
  assert.equal((await database.all('waiting')).size, 0);
  assert.equal((await database.all('photos')).size, 0);
});
