// The Background Sync of a browser: the service worker sends the entries that wait, also if the page is closed.

import { Client } from './client.js';
import { openDatabase } from './database.js';
import { Requests } from './requests.js';
import { root } from '../root.js';
import { Tabs } from './tabs.js';

/**
 * Sends the entries of the person who is signed in. If it fails, the browser repeats it later.
 * @throws {Error} if the server is not reached, or the database cannot be read
 */
export async function sendInBackground() {
  const requests = new Requests(root);
  // A service worker cannot read the local storage, so it requests the account.
  const account = await requests.json('GET', 'user');
  requests.person = account.id;
  const database = await openDatabase(account.id);
  // The database in memory has no entries: a success would end the repetitions.
  if (database.storage === 'none') throw new Error('The database cannot be read.');
  const tabs = new Tabs(account.id);
  const client = new Client({
    database,
    requests,
    now: () => Date.now(),
    holdsDeletions: true,
    exclusively: work => tabs.exclusively(work),
    tell: written => tabs.tell({ kind: 'written', keys: written.map(({ part, key }) => ({ part, key })) }),
  }, account);
  try {
    await client.copy.load();
    // An open page may send at the same time: the server recognizes a repetition.
    if (client.copy.waiting.size > 0) await client.exchange();
  } finally {
    tabs.close();
    database.close();
  }
}
