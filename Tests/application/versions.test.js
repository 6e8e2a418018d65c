// The new versions of the application, with a service worker that is simulated.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Versions } from '../../Sources/HabitPages/Application/store/versions.js';

/** Simulates the browser of a page, and returns how often it was reloaded and how its worker is replaced. */
async function pageOf(controller) {
  const page = { reloads: 0, replaceWorker: () => {} };
  const registration = { waiting: null, addEventListener() {} };
  const serviceWorker = {
    controller,
    register: async () => registration,
    addEventListener: (_, listener) => {
      page.replaceWorker = (next = {}) => {
        serviceWorker.controller = next;
        listener();
      };
    },
  };
  Object.defineProperty(globalThis, 'navigator', { value: { serviceWorker }, configurable: true });
  globalThis.location = { reload: () => { page.reloads += 1; } };
  globalThis.document = { addEventListener() {} };
  await new Versions(() => {}).register(new URL('http://localhost/'));
  return page;
}

test('a page that a worker controls is reloaded with the next worker', async () => {
  const page = await pageOf({});
  page.replaceWorker();
  assert.equal(page.reloads, 1);
});

test('the first worker does not reload the page, and the next one does', async () => {
  const page = await pageOf(null);
  page.replaceWorker();
  assert.equal(page.reloads, 0);
  page.replaceWorker();
  assert.equal(page.reloads, 1);
});

test('a page whose worker the browser removes at the sign-out is not reloaded', async () => {
  const page = await pageOf({});
  page.replaceWorker(null);
  assert.equal(page.reloads, 0);
});
