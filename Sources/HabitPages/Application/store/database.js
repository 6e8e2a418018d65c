// The database of one person in IndexedDB. `types.d.ts` describes the interface `Database`.

import { deleteCachedPhotos } from './caches.js';
import { MemoryDatabase } from './memory.js';
import { databaseName } from './names.js';
import { ENTERED, OverflowDatabase } from './overflow.js';

/** @typedef {import('./types').Database} Database */
/** @typedef {import('./types').Part} Part */
/** @typedef {import('./types').Operation} Operation */

/** @type {Part[]} */
const PARTS = ['records', 'waiting', 'photos', 'meta'];

/** The time after which a browser that does not open the database is one that stores nothing, in milliseconds. */
const PATIENCE = 8_000;

/**
 * Opens the database of a person, which no other person of the device reads. If the browser permits no storage, the
 * database is in memory.
 * @param {string} user
 * @returns {Promise<Database>}
 */
export async function openDatabase(user) {
  const name = databaseName(user);
  try {
    const database = await inTime(openIndexed(name));
    return new OverflowDatabase(database, deleteCachedPhotos);
  } catch {
    return new MemoryDatabase(() => deleteUnreadable(name));
  }
}

/**
 * Deletes a database that could not be opened. It can contain a copy of an earlier visit.
 * @param {string} name
 */
async function deleteUnreadable(name) {
  try {
    await inTime(result(indexedDB.deleteDatabase(name)));
  } catch {
    // A browser that permits no storage has nothing to delete.
  }
}

/**
 * @param {string} name
 * @returns {Promise<Database>}
 */
async function openIndexed(name) {
  const database = new IndexedDatabase(name, await connect(name, { creates: true }));
  // A damaged database opens, and fails at the first read.
  await database.get('meta', 'token');
  return database;
}

/**
 * @param {string} name
 * @param {{creates: boolean}} options whether to create a database that does not exist
 */
async function connect(name, { creates }) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    if (!creates) return request.transaction?.abort();
    for (const part of PARTS) request.result.createObjectStore(part);
  };
  return result(request);
}

/** @implements {Database} */
class IndexedDatabase {
  /** @type {import('./types').Storage} */
  storage = 'kept';
  #name;
  /** @type {IDBDatabase} */
  #connection;
  #isClosed = false;
  /** @type {Promise<void> | undefined} */
  #reconnecting;

  /**
   * @param {string} name
   * @param {IDBDatabase} connection
   */
  constructor(name, connection) {
    this.#name = name;
    this.#connection = connection;
    this.#use(connection);
  }

  /** @param {IDBDatabase} connection */
  #use(connection) {
    this.#connection = connection;
    // Another tab deletes the database when the person signs out.
    connection.onversionchange = () => this.close();
  }

  /**
   * Begins a transaction. A browser may close the connection of a page in the background, which then connects again.
   * @param {Part | Part[]} parts
   * @param {IDBTransactionMode} [mode]
   * @param {IDBTransactionOptions} [options]
   */
  async #transaction(parts, mode, options) {
    try {
      return this.#connection.transaction(parts, mode, options);
    } catch (error) {
      const isLost = error instanceof Error && error.name === 'InvalidStateError';
      if (!isLost || this.#isClosed) throw error;
    }
    this.#reconnecting ??= this.#reconnect().finally(() => { this.#reconnecting = undefined; });
    await this.#reconnecting;
    return this.#connection.transaction(parts, mode, options);
  }

  async #reconnect() {
    this.#use(await connect(this.#name, { creates: false }));
  }

  /** @param {Part} part */
  async all(part) {
    const store = (await this.#transaction(part)).objectStore(part);
    const [keys, values] = await Promise.all([result(store.getAllKeys()), result(store.getAll())]);
    return new Map(keys.map((key, index) => [String(key), values[index]]));
  }

  /**
   * @param {Part} part
   * @param {string} key
   */
  async get(part, key) {
    const transaction = await this.#transaction(part);
    return result(transaction.objectStore(part).get(key));
  }

  /** @param {readonly Operation[]} operations */
  async write(operations) {
    if (operations.length === 0) return;
    const hasEntry = operations.some(({ part, value }) => ENTERED.includes(part) && value !== undefined);
    // An entry is on the disk before the application shows it, so that a device that loses its power keeps it.
    const durability = hasEntry ? 'strict' : 'relaxed';
    const transaction = await this.#transaction(PARTS, 'readwrite', { durability });
    for (const { part, key, value } of operations) {
      const store = transaction.objectStore(part);
      if (value === undefined) store.delete(key);
      else store.put(value, key);
    }
    // The transaction of a tab that the device suspends would block the other tabs until the tab commits it.
    transaction.commit();
    await completion(transaction);
  }

  close() {
    this.#isClosed = true;
    this.#connection.close();
  }

  async destroy() {
    this.close();
    try {
      await inTime(result(indexedDB.deleteDatabase(this.#name)));
    } catch {
      // Another tab that the device has suspended still has the database open. The browser deletes it with that tab.
    }
  }
}

/**
 * Returns a result, or fails if it takes too long.
 * @template Result
 * @param {Promise<Result>} work
 * @returns {Promise<Result>}
 */
function inTime(work) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The browser does not respond.')), PATIENCE);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * @template Value
 * @param {IDBRequest<Value>} request
 * @returns {Promise<Value>}
 */
function result(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @param {IDBTransaction} transaction
 * @returns {Promise<void>}
 */
function completion(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    // The failure of a request also aborts the transaction, which has no error before.
    transaction.onabort = () => reject(transaction.error);
  });
}
