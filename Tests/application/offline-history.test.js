// The history of friends on a device that is offline without knowing it.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { EMPTY_FILTER } from '../../Sources/HabitPages/Application/views/history/historyFilter.js';
import { probe } from './hooks.js';

const { useHistory } = await import('../../Sources/HabitPages/Application/views/history/useHistory.js');

const FRIENDS = { ...EMPTY_FILTER, scope: 'friends' };
const RECORDS = {
  habits: [{ id: 'run', properties: { user: 'ben', title: 'Run' } }],
  events: [{ id: 'run-1', geometry: null, properties: { user: 'ben', habit: 'run', day: '2026-11-19', at: null } }],
};
const { fetch } = globalThis;

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => {
  mock.timers.reset();
  globalThis.fetch = fetch;
});

/** Returns a store with a copy, whose exchange finds out that the server is away. */
function storeOf() {
  const listeners = new Set();
  const store = {
    state: { account: { id: 'ann' }, online: true, today: '2026-11-20' },
    exchanges: 0,
    records: collection => RECORDS[collection],
    find() {},
    subscribe: listener => listeners.add(listener),
    async sync() {
      store.exchanges += 1;
      if (store.isServerThere) return;
      store.state = { ...store.state, online: false };
      for (const listener of listeners) listener();
    },
  };
  return store;
}

/** Returns the history of a store after the effects and the requests. */
async function historyOf(store) {
  let history;
  probe(() => { history = useHistory(store, FRIENDS); })({});
  for (let turn = 0; turn < 5; turn += 1) {
    mock.timers.tick(1000);
    await new Promise(setImmediate);
  }
  return history;
}

test('the copy has the events of friends if a request finds no server', async () => {
  globalThis.fetch = async () => { throw new TypeError('no connection'); };
  const { events, hasFailed, isLocal } = await historyOf(storeOf());
  assert.deepEqual(events.map(({ id }) => id), ['run-1']);
  assert.equal(hasFailed, false);
  assert.equal(isLocal, true);
});

test('a server that refuses only the history is an error, and is asked once', async () => {
  let requests = 0;
  globalThis.fetch = async () => {
    requests += 1;
    return new Response('{}', { status: 500 });
  };
  const store = storeOf();
  store.isServerThere = true;
  const { events, hasFailed } = await historyOf(store);
  assert.deepEqual(events, []);
  assert.equal(hasFailed, true);
  assert.deepEqual([requests, store.exchanges], [1, 1]);
});
