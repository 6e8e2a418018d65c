// The worker that makes photos small, and the page that does it otherwise.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import { shrinkInWorker } from '../../Sources/HabitPages/Application/views/event/shrinkInWorker.js';

const LIMIT = 65_535;
const TASK = { photo: {}, limit: LIMIT };
const SMALL = { photo: { size: 7 } };

/** The encodings on the page, and the ends of workers. */
let log = [];

afterEach(() => {
  log = [];
  for (const name of ['Worker', 'OffscreenCanvas', 'createImageBitmap', 'document']) delete globalThis[name];
});

/** Simulates a worker that reacts to its task. */
function simulateWorker(react) {
  globalThis.Worker = class {
    constructor(address, options) {
      assert.match(address.href, /\/photo-worker\.js$/);
      assert.deepEqual(options, { type: 'module' });
    }

    postMessage(task) {
      assert.deepEqual(task, TASK);
      setImmediate(() => react(this));
    }

    terminate() {
      log.push('ended');
    }
  };
}

/** Simulates the pictures of a page. */
function simulatePage() {
  const context = { drawImage() {}, fillRect() {} };
  globalThis.createImageBitmap = async () => ({ width: 100, height: 50, close() {} });
  globalThis.OffscreenCanvas = class {
    getContext() {
      return context;
    }

    async convertToBlob() {
      log.push('page');
      return { size: 9 };
    }
  };
}

test('the worker makes a photo small, and ends', async () => {
  simulatePage();
  simulateWorker(worker => worker.onmessage({ data: SMALL }));
  assert.deepEqual(await shrinkInWorker(TASK), SMALL);
  assert.deepEqual(log, ['ended']);
});

test('a photo that stays too large in the worker is not tried on the page', async () => {
  simulatePage();
  simulateWorker(worker => worker.onmessage({ data: { error: 'too-large' } }));
  assert.deepEqual(await shrinkInWorker(TASK), { error: 'too-large' });
  assert.deepEqual(log, ['ended']);
});

test('the page does what a worker cannot do', async () => {
  const failures = [
    worker => worker.onmessage({ data: { error: 'failed' } }),
    worker => worker.onmessageerror(),
    worker => worker.onerror({ preventDefault() {} }),
  ];
  for (const failure of failures) {
    log = [];
    simulatePage();
    simulateWorker(failure);
    assert.deepEqual(await shrinkInWorker(TASK), { photo: { size: 9 } });
    assert.deepEqual(log, ['ended', 'page']);
  }
});

test('a browser without workers uses the page', async () => {
  simulatePage();
  assert.deepEqual(await shrinkInWorker(TASK), { photo: { size: 9 } });
  assert.deepEqual(log, ['page']);
});

test('a browser whose canvas is only an element uses the page', async () => {
  simulatePage();
  delete globalThis.OffscreenCanvas;
  simulateWorker(() => assert.fail('the worker cannot draw'));
  const canvas = {
    getContext: () => ({ drawImage() {}, fillRect() {} }),
    toBlob: (accept, type, quality) => accept({ size: 5, type, quality }),
  };
  globalThis.document = { createElement: () => canvas };
  assert.deepEqual(await shrinkInWorker(TASK), { photo: { size: 5, type: 'image/jpeg', quality: 0.75 } });
  assert.deepEqual([canvas.width, canvas.height], [100, 50]);
});

test('a photo that cannot be read is an error', async () => {
  globalThis.createImageBitmap = async () => { throw new Error('no picture'); };
  assert.deepEqual(await shrinkInWorker(TASK), { error: 'failed' });
});
