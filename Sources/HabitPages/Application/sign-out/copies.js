// The copies of the application on this device, of all persons who have used this server here.

import { databaseName, isOfServer } from '../store/names.js';
import { deleteCachedPhotos } from '../store/caches.js';
import { forgetAccount, rememberedAccount } from '../store/remembered-account.js';

/** The time after which a browser that does not respond does not prevent the sign-out, in milliseconds. */
const PATIENCE = 5_000;

/**
 * Returns the number of entries that the server does not have yet, or undefined if the browser does not respond.
 * @returns {Promise<number | undefined>}
 */
export async function countWaiting() {
  const counts = (await databaseNames()).map(name => inTime(countIn(name)));
  let total = 0;
  for (const count of await Promise.all(counts)) {
    if (count === undefined) return undefined;
    total += count;
  }
  return total;
}

/** Deletes the copies. The other tabs of the application open the sign-in. */
export async function deleteCopies() {
  const names = await databaseNames();
  forgetAccount();
  for (const name of names) tellSignOut(name);
  await Promise.all([...names.map(name => inTime(deleteDatabase(name))), deleteCachedPhotos()]);
}

/** Returns the names of the databases of this server. Another server can have the same origin. */
async function databaseNames() {
  try {
    const databases = await indexedDB.databases();
    return databases.flatMap(({ name }) => name && isOfServer(name) ? [name] : []);
  } catch {
    // A browser that does not list its databases has the one of the last person.
    const account = rememberedAccount();
    return account ? [databaseName(account.id)] : [];
  }
}

/**
 * @param {string} name
 * @returns {Promise<number>}
 */
async function countIn(name) {
  const connection = await openExisting(name);
  if (!connection) return 0;
  try {
    if (!connection.objectStoreNames.contains('waiting')) return 0;
    return await result(connection.transaction('waiting').objectStore('waiting').count());
  } finally {
    connection.close();
  }
}

/**
 * Opens a database, or returns undefined if it does not exist. A new one would have no parts, so that the application
 * could not use it.
 * @param {string} name
 */
async function openExisting(name) {
  const request = indexedDB.open(name);
  let exists = true;
  request.onupgradeneeded = () => {
    exists = false;
    request.transaction?.abort();
  };
  try {
    return await result(request);
  } catch (error) {
    if (exists) throw error;
    return undefined;
  }
}

/** @param {string} name */
async function deleteDatabase(name) {
  await result(indexedDB.deleteDatabase(name));
}

/** @param {string} name */
function tellSignOut(name) {
  try {
    const channel = new BroadcastChannel(name);
    channel.postMessage({ kind: 'signedOut' });
    channel.close();
  } catch {
    // The other tabs find out with their next request.
  }
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
 * Returns a result, or undefined if it fails or takes too long.
 * @template Result
 * @param {Promise<Result>} work
 * @returns {Promise<Result | undefined>}
 */
function inTime(work) {
  return new Promise(resolve => {
    const end = () => resolve(undefined);
    const timer = setTimeout(end, PATIENCE);
    work.then(resolve, end).finally(() => clearTimeout(timer));
  });
}
