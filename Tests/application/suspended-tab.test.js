// A tab that the device suspends while it writes, and another tab.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { Copy } from '../../Sources/HabitPages/Application/store/copy.js';
import { MemoryDatabase } from '../../Sources/HabitPages/Application/store/memory.js';
import { Tabs } from '../../Sources/HabitPages/Application/store/tabs.js';
import { FakeLocks } from './fake-locks.js';

const MOMENT = 1_000;
const PATIENCE = 30_000;
const { BroadcastChannel } = globalThis;

let locks;
beforeEach(() => {
  locks = new FakeLocks();
  // The tabs of this test hear nothing of each other.
  delete globalThis.BroadcastChannel;
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
});
afterEach(() => {
  delete globalThis.navigator;
  globalThis.BroadcastChannel = BroadcastChannel;
});

/** Opens a tab of the person. */
function open(tab) {
  globalThis.navigator = { locks: locks.of(tab) };
  return new Tabs('ann');
}

/** Waits until all promises that can continue have continued. */
async function settle() {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
}

/** Lets all tabs wait. */
async function wait(milliseconds) {
  mock.timers.tick(milliseconds);
  await settle();
}

/** Lets a suspended tab lose its turn. */
async function waitForTurn() {
  await wait(MOMENT);
  await wait(PATIENCE);
}

test('a tab waits for the work of another tab', async () => {
  const log = [];
  let end = () => {};
  const first = open('first').exclusively(async () => {
    await new Promise(resolve => { end = resolve; });
    log.push('first');
  });
  const second = open('second').exclusively(async () => log.push('second'));
  await settle();
  await wait(MOMENT);
  await wait(PATIENCE - 1);
  assert.deepEqual(log, []);
  end();
  await Promise.all([first, second]);
  assert.deepEqual(log, ['first', 'second']);
});

test('two tabs that wait for a suspended tab write one after the other', async () => {
  const log = [];
  let end = () => {};
  void open('suspended').exclusively(() => new Promise(() => {}));
  const slow = async () => {
    log.push('begin');
    await new Promise(resolve => { end = resolve; });
    log.push('end');
  };
  const first = open('first').exclusively(slow);
  const second = open('second').exclusively(async () => log.push('second'));
  await settle();
  await waitForTurn();
  assert.deepEqual(log, ['begin']);
  await wait(PATIENCE - 1);
  assert.deepEqual(log, ['begin']);
  end();
  await Promise.all([first, second]);
  assert.deepEqual(log, ['begin', 'end', 'second']);
});

test('a tab does not replace its own work that is slow', async () => {
  const log = [];
  let end = () => {};
  const tab = open('only');
  const first = tab.exclusively(async () => {
    await new Promise(resolve => { end = resolve; });
    log.push('first');
  });
  const second = tab.exclusively(async () => log.push('second'));
  await settle();
  for (let time = 0; time < 5; time += 1) await waitForTurn();
  assert.deepEqual(log, []);
  end();
  await Promise.all([first, second]);
  assert.deepEqual(log, ['first', 'second']);
});

test('a browser that refuses the lock causes an error', async () => {
  const request = async () => { throw new DOMException('refused', 'InvalidStateError'); };
  globalThis.navigator = { locks: { request } };
  await assert.rejects(new Tabs('ann').exclusively(async () => {}), { name: 'InvalidStateError' });
});

test('an error of the work is the error of the call, and the next work begins', async () => {
  const tabs = open('only');
  await assert.rejects(tabs.exclusively(async () => { throw new RangeError('full'); }), RangeError);
  assert.equal(await tabs.exclusively(async () => 1), 1);
});

test('a suspended tab neither blocks nor replaces the entries of a second tab', async () => {
  const database = new MemoryDatabase();
  let time = 0;
  let resume = () => {};
  const suspended = new Promise(resolve => { resume = resolve; });
  const copyOf = (tab, changes) => {
    const tabs = open(tab);
    const exclusively = work => tabs.exclusively(work);
    return new Copy({ database, now: () => time, exclusively, tell() {}, ...changes }, 'ann');
  };
  // The device suspends the tab after it has read the entries that wait.
  const all = async part => {
    const values = await database.all(part);
    await suspended;
    return values;
  };
  const bound = {
    all, get: (part, key) => database.get(part, key), write: operations => database.write(operations),
  };
  const first = copyOf('first', { database: bound });
  const second = copyOf('second');
  /** Adds a text to an entry. */
  const add = (copy, text) => copy.change(() => {
    const value = [...copy.waiting.get('w') ?? [], text];
    return [{ part: 'waiting', key: 'w', value }];
  });
  const late = add(first, 'first');
  const entry = add(second, 'second');
  await settle();
  time = MOMENT + PATIENCE;
  await waitForTurn();
  await entry;
  assert.deepEqual(await database.get('waiting', 'w'), ['second']);
  resume();
  await late;
  assert.deepEqual(await database.get('waiting', 'w'), ['second', 'first']);
  assert.deepEqual(first.waiting.get('w'), ['second', 'first']);
});
