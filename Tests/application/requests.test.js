// The requests of the store, with a network that is simulated.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Requests, Unreachable } from '../../Sources/HabitPages/Application/store/requests.js';

const LONGEST = 300_000;
/** The time for which an entry waits for a photo. */
const SHORT = 8_000;

/** Responds with a document that never ends, until the request is aborted. */
async function stall(_, { signal }) {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"changes": ['));
      signal.addEventListener('abort', () => controller.error(new Error('aborted')));
    },
  });
  return new Response(body);
}

test('a connection that stalls in the middle of a response ends', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const document = new Requests(new URL('http://localhost/'), stall).json('GET', 'changes');
  const outcome = document.catch(error => error);
  await new Promise(setImmediate);
  mock.timers.tick(LONGEST);
  assert.ok(await Promise.race([outcome, new Promise(setImmediate)]) instanceof Unreachable);
});

test('an entry waits only a short time for a photo', async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
  const photo = new Requests(new URL('http://localhost/'), stall).blob('collections/events/items/e/photo');
  const outcome = photo.catch(error => error);
  await new Promise(setImmediate);
  mock.timers.tick(SHORT);
  assert.ok(await Promise.race([outcome, new Promise(setImmediate)]) instanceof Unreachable);
});
