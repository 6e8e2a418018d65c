// The exchange of a tab, with a client and other tabs that are simulated.

import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { Unreachable } from '../../Sources/HabitPages/Application/store/requests.js';
import { Connection } from '../../Sources/HabitPages/Application/store/connection.js';

const UNDO_TIME = 7_000;
const LEADER_PATIENCE = 8_000;

beforeEach(() => {
  globalThis.localStorage = { setItem() {} };
  globalThis.navigator = {};
  globalThis.addEventListener = () => {};
  globalThis.document = { hidden: false, addEventListener() {} };
  globalThis.EventSource = class {
    addEventListener() {}
    close() {}
  };
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
});

/** Returns a client that counts its exchanges. */
function clientOf(fields = {}) {
  const client = {
    account: { id: 'ann', name: 'Ann' },
    copy: { load: async () => {} },
    exchanges: 0,
    hasWaiting: false,
    heldRevisions: new Set(),
    storage: 'kept',
    exchange: async () => { client.exchanges += 1; },
    ...fields,
  };
  return client;
}

/** Returns the tabs as one of them sees them. */
function tabsOf() {
  const tabs = {
    told: [],
    takeLead(lead) { tabs.taken = lead; },
    waitForLead(lead) { tabs.lead = lead; },
    listen(listener) { tabs.hear = listener; },
    tell(message) { tabs.told.push(message.kind); },
  };
  return tabs;
}

function start(client, tabs) {
  const requests = { address: path => path };
  const connection = new Connection(client, tabs, requests, { online: true, signedIn: true, syncing: false }, () => {});
  connection.start();
  return connection;
}

async function settle() {
  await new Promise(setImmediate);
}

test('a deletion of another tab is sent when it can no longer be undone', async () => {
  /** @type {Set<string>} */
  const released = new Set();
  const client = clientOf({
    // The exchange reads what the other tab has stored.
    exchange: async () => void client.heldRevisions.add('deletion'),
    release: async held => held.forEach(revision => released.add(revision)),
  });
  const tabs = tabsOf();
  start(client, tabs);
  tabs.lead.begin();
  await settle();
  mock.timers.tick(UNDO_TIME);
  assert.deepEqual([...released], ['deletion']);
});

test('a tab takes the lead if the leading tab does not respond', async () => {
  const client = clientOf();
  const tabs = tabsOf();
  const connection = start(client, tabs);
  await connection.sync();
  assert.deepEqual(tabs.told, ['wanted']);
  mock.timers.tick(LEADER_PATIENCE);
  tabs.taken.begin();
  await settle();
  assert.equal(client.exchanges, 1);
});

test('a leading tab that responds keeps the lead', async () => {
  const tabs = tabsOf();
  const connection = start(clientOf(), tabs);
  await connection.sync();
  tabs.hear({ kind: 'leading' });
  mock.timers.tick(LEADER_PATIENCE);
  assert.equal(tabs.taken, undefined);
});

test('a tab does not take the lead from itself', async () => {
  let loaded = () => {};
  const loading = new Promise(resolve => { loaded = resolve; });
  const client = clientOf({ copy: { load: () => loading } });
  const tabs = tabsOf();
  const connection = start(client, tabs);
  tabs.lead.begin();
  // The person enters something while this tab begins to lead.
  await connection.sync();
  loaded();
  await settle();
  mock.timers.tick(LEADER_PATIENCE);
  assert.equal(tabs.taken, undefined);
});

test('a hidden tab does not take the lead', async () => {
  const tabs = tabsOf();
  const connection = start(clientOf(), tabs);
  await connection.sync();
  document.hidden = true;
  mock.timers.tick(LEADER_PATIENCE);
  assert.equal(tabs.taken, undefined);
});

test('a suspended tab that has lost the lead waits for it again', async () => {
  const client = clientOf();
  const tabs = tabsOf();
  const connection = start(client, tabs);
  tabs.lead.begin();
  await settle();
  const { lead } = tabs;
  tabs.lead = undefined;
  lead.end();
  assert.equal(tabs.lead, lead);
  await connection.sync();
  assert.equal(client.exchanges, 1);
  assert.equal(tabs.told.at(-1), 'wanted');
});

test('the leading tab responds before it exchanges', async () => {
  const client = clientOf();
  const tabs = tabsOf();
  start(client, tabs);
  tabs.lead.begin();
  await settle();
  tabs.told = [];
  await tabs.hear({ kind: 'wanted' });
  assert.equal(tabs.told[0], 'leading');
});

test('a tab that cannot store its entries sends them itself', async () => {
  const client = clientOf({ storage: 'full' });
  const connection = start(client, tabsOf());
  await connection.sync();
  assert.equal(client.exchanges, 1);
});

for (const hasWaiting of [true, false]) {
  const left = hasWaiting ? 'entries that wait are' : 'nothing is';
  test(`without a connection, ${left} left to the service worker`, async () => {
    const events = [];
    const register = async event => void events.push(event);
    globalThis.navigator = { serviceWorker: { ready: Promise.resolve({ sync: { register } }) } };
    const client = clientOf({ hasWaiting, exchange: async () => { throw new Unreachable(); } });
    const tabs = tabsOf();
    start(client, tabs);
    tabs.lead.begin();
    await settle();
    assert.deepEqual(events, hasWaiting ? ['habitat-send'] : []);
  });
}

for (const end of ['pause', 'stop']) {
  const when = end === 'stop' ? 'after' : 'during';
  test(`${when} the sign-out, an exchange that still runs fails without an error, and is not repeated`, async () => {
    const outcomes = [];
    const client = clientOf({
      exchange: () => {
        client.exchanges += 1;
        return new Promise((_, reject) => outcomes.push(reject));
      },
    });
    const tabs = tabsOf();
    const connection = start(client, tabs);
    tabs.lead.begin();
    await settle();
    const exchange = connection.sync();
    connection[end]();
    outcomes[0](new Error('The connection was closed.'));
    await exchange;
    await connection.sync();
    mock.timers.tick(300_000);
    assert.equal(client.exchanges, 1);
  });
}

test('after a sign-out that has failed, changes are exchanged again', async () => {
  const client = clientOf();
  const tabs = tabsOf();
  const connection = start(client, tabs);
  tabs.lead.begin();
  await settle();
  connection.pause();
  await connection.sync();
  assert.equal(client.exchanges, 1);
  connection.resume();
  await settle();
  assert.equal(client.exchanges, 2);
});

test('a tab that cannot read the copy at the begin of its lead exchanges changes', async () => {
  const load = async () => { throw new DOMException('lost', 'UnknownError'); };
  const client = clientOf({ copy: { load } });
  const tabs = tabsOf();
  start(client, tabs);
  tabs.lead.begin();
  await settle();
  assert.equal(client.exchanges, 1);
});

for (const [name, status] of [
  ['offline', { online: false, signedIn: true, syncing: false }],
  ['busy', { online: true, signedIn: true, syncing: true }],
]) {
  test(`a visible tab takes the lead of a suspended tab that was ${name}`, async () => {
    const client = clientOf();
    const tabs = tabsOf();
    const connection = start(client, tabs);
    await tabs.hear({ kind: 'status', status });
    connection.checkLead();
    assert.deepEqual(tabs.told, ['wanted']);
    mock.timers.tick(LEADER_PATIENCE);
    assert.ok(tabs.taken);
  });
}

test('a visible tab with nothing to do lets the leading tab rest', async () => {
  const tabs = tabsOf();
  start(clientOf(), tabs).checkLead();
  assert.deepEqual(tabs.told, []);
});

test('an exchange that ends after the sign-out does not store the person', async () => {
  const stored = [];
  globalThis.localStorage = { setItem: name => stored.push(name) };
  let end = () => {};
  const client = clientOf({ exchange: () => new Promise(resolve => { end = resolve; }) });
  const tabs = tabsOf();
  const connection = start(client, tabs);
  tabs.lead.begin();
  await settle();
  connection.stop();
  end();
  await settle();
  assert.deepEqual(stored, []);
});
