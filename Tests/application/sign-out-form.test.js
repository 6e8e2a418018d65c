// The form of a page of the server that signs out, in a browser that is simulated.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { openDatabase } from '../../Sources/HabitPages/Application/store/database.js';
import { FakeIndexedDB } from './fake-browser.js';

/** The actions of the browser. */
let log = [];
/** Sends the form, and waits until the browser has left the page. */
let signOut;

const form = {
  action: 'http://localhost/sign-out',
  addEventListener: (_, listener) => {
    signOut = () => new Promise(resolve => {
      form.left = resolve;
      listener({ preventDefault() {} });
    });
  },
  submit() {
    log.push('form');
    form.left();
  },
};

before(async () => {
  globalThis.localStorage = {
    getItem: () => JSON.stringify({ id: 'ann' }),
    removeItem: name => void log.push(`remove ${name.split('@')[0]}`),
  };
  globalThis.location = {
    href: form.action,
    assign() {
      log.push('home');
      form.left();
    },
  };
  globalThis.document = { querySelectorAll: () => [form] };
  await import('../../Sources/HabitPages/Application/sign-out/main.js');
});
beforeEach(async () => {
  log = [];
  globalThis.indexedDB = new FakeIndexedDB();
  await openDatabase('ann');
});
const { fetch } = globalThis;
after(() => {
  globalThis.fetch = fetch;
  for (const name of ['localStorage', 'location', 'document', 'indexedDB']) delete globalThis[name];
});

test('the copies are deleted after the end of the session', async () => {
  globalThis.fetch = async () => new Response();
  await signOut();
  assert.deepEqual(log, ['remove habitat-account', 'remove habitat-sign-in', 'home']);
  assert.equal(indexedDB.databases.size, 0);
});

test('the copies are deleted although the response of the server is lost', async () => {
  globalThis.fetch = async () => { throw new TypeError('the network has lost the response'); };
  await signOut();
  assert.deepEqual(log, ['remove habitat-account', 'remove habitat-sign-in', 'form']);
  assert.equal(indexedDB.databases.size, 0);
});
