import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Schedule } from '../../Sources/HabitPages/Application/store/schedule.js';

const { setTimeout: originalSetTimeout, clearTimeout: originalClearTimeout } = globalThis;
/** The requested pauses in milliseconds. @type {number[]} */
let pauses;
/** Ends the last timer. @type {() => void} */
let ring;

beforeEach(() => {
  pauses = [];
  globalThis.setTimeout = (work, pause) => {
    pauses.push(pause);
    ring = work;
  };
  globalThis.clearTimeout = () => {};
});
afterEach(() => Object.assign(globalThis, { setTimeout: originalSetTimeout, clearTimeout: originalClearTimeout }));

/** Waits until the begun work has ended. */
async function settle() {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

test('pauses double after each failure, to at most 5 minutes', async () => {
  const schedule = new Schedule(async () => 0);
  await schedule.run();
  for (let failure = 0; failure < 11; failure += 1) {
    ring();
    await settle();
  }
  for (const [index, pause] of pauses.entries()) {
    const longest = Math.min(300_000, 1000 * 2 ** index);
    assert.ok(pause >= longest / 2 && pause <= longest, `pause ${index} is ${pause}`);
  }
  assert.equal(pauses.length, 12);
});

test('the server can ask for a longer pause', async () => {
  await new Schedule(async () => 120).run();
  assert.deepEqual(pauses, [120_000]);
});

test('a success ends the pauses', async () => {
  const results = [0, 0, null, 0];
  const schedule = new Schedule(async () => results.shift());
  for (let count = 0; count < 4; count += 1) await schedule.run();
  assert.equal(pauses.length, 3);
  assert.ok(pauses[2] <= 1000, `the pause is ${pauses[2]}`);
});

test('a wish during an exchange causes one more', async () => {
  let count = 0;
  let finish = () => {};
  const schedule = new Schedule(async () => {
    count += 1;
    await new Promise(resolve => { finish = resolve; });
    return null;
  });
  const running = schedule.run();
  void schedule.run();
  void schedule.run();
  finish();
  await settle();
  finish();
  await running;
  assert.equal(count, 2);
});

test('an unexpected error is reported, and the exchange is repeated', async () => {
  const results = [Promise.reject(new RangeError('unexpected')), null];
  results[0].catch(() => {});
  const schedule = new Schedule(async () => results.shift());
  await assert.rejects(schedule.run(), RangeError);
  assert.equal(pauses.length, 1);
  ring();
  await settle();
  assert.equal(results.length, 0);
});
