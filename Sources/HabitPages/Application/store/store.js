// The store of the application: the views read records from it, and save what the person enters.

import { PhotoAddresses, photoPath } from './photos.js';
import { Requests, SignedOut, Unreachable } from './requests.js';
import { findAccount } from './account.js';
import { Client } from './client.js';
import { Connection } from './connection.js';
import { LoneTab, Tabs } from './tabs.js';
import { Versions } from './versions.js';
import { deleteCachedPhotos } from './caches.js';
import { forgetAccount } from './remembered-account.js';
import { keyOf } from './fields.js';
import { openDatabase } from './database.js';
import { root } from '../root.js';
import { setPerson } from './person.js';
import { stateOf } from './state.js';

/** @typedef {import('./types').Fields} Fields */
/** @typedef {import('./types').Operation} Operation */
/** @typedef {import('./types').Problem} Problem */
/** @typedef {import('./types').State} State */
/** @typedef {import('./types').StoreInterface} StoreInterface */
/** @typedef {import('./types').Visible} Visible */

/** The time between two checks for a new day and for a suspended leading tab, in milliseconds. */
const CHECK_PAUSE = 30_000;

/**
 * Opens the store of the person who is signed in. Without a network, it is the last person on this device.
 * @returns {Promise<Store | null>} null if no person is signed in
 */
export async function openStore() {
  const requests = new Requests(root);
  const found = await findAccount(requests);
  if (!found) return null;
  requests.person = found.account.id;
  setPerson(found.account.id);
  const database = await openDatabase(found.account.id);
  const store = new Store(found, requests, database);
  await store.start();
  return store;
}

/** @implements {StoreInterface} */
class Store {
  #addresses = new PhotoAddresses();
  #client;
  #connection;
  #database;
  /** @type {Set<() => void>} */
  #listeners = new Set();
  #requests;
  /** @type {State | undefined} */
  #state;
  #versions = new Versions(() => this.#notify());

  /**
   * @param {{account: import('./types').Account, online: boolean, signedIn: boolean}} found
   * @param {Requests} requests
   * @param {import('./types').Database} database
   */
  constructor({ account, online, signedIn }, requests, database) {
    this.#requests = requests;
    this.#database = database;
    const tabs = database.storage === 'none' ? new LoneTab() : new Tabs(account.id);
    const notify = () => this.#notify();
    this.#client = new Client({
      database,
      requests,
      now: () => Date.now(),
      holdsDeletions: true,
      exclusively: work => tabs.exclusively(work),
      tell: written => tabs.tell({ kind: 'written', keys: written.map(({ part, key }) => ({ part, key })) }),
    }, account, notify);
    this.#connection = new Connection(this.#client, tabs, requests, { online, signedIn, syncing: false }, notify);
  }

  /** Reads the copy, and begins to exchange changes. */
  async start() {
    await this.#client.copy.load();
    this.#connection.start();
    setInterval(() => this.#check(), CHECK_PAUSE);
    this.#versions.register(root).catch(() => {
      // Without the worker, the application needs a connection at its start.
    });
  }

  get state() {
    const status = { ...this.#connection.status, newVersion: this.#versions.isNewVersionWaiting };
    this.#state ??= stateOf(this.#client, status);
    return this.#state;
  }

  /** @param {string} collection */
  records(collection) {
    return this.#client.copy.list(collection);
  }

  /**
   * @param {string} collection
   * @param {string} id
   */
  find(collection, id) {
    return this.#client.copy.find(collection, id);
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  days(from, to) {
    return this.#client.days.of(from, to);
  }

  /**
   * @param {Visible} record
   * @param {number} [width]
   */
  photoAddress(record, width) {
    const { copy } = this.#client;
    const name = copy.waiting.get(keyOf(record.collection, record.id))?.changes.photo;
    const photo = name && copy.photos.get(name);
    if (photo) return this.#addresses.of(name, photo);
    return record.properties.has_photo && record.version ? this.#requests.address(photoPath(record, width)) : null;
  }

  /** @param {() => void} listener */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * @param {string} collection
   * @param {string | null} id
   * @param {Fields} fields
   * @param {{dropsPhoto?: boolean}} [options]
   */
  async save(collection, id, fields, options) {
    return this.#entered(await this.#client.save(collection, id, fields, options));
  }

  /**
   * @param {string} collection
   * @param {string} id
   */
  async remove(collection, id) {
    const undo = this.#entered(await this.#client.remove(collection, id));
    return async () => this.#entered(await undo());
  }

  /**
   * @param {string} collection
   * @param {string} id
   * @param {Blob | null} photo
   */
  async savePhoto(collection, id, photo) {
    this.#entered(await this.#client.savePhoto(collection, id, photo));
  }

  /**
   * @param {Problem} problem
   * @param {'mine' | 'theirs' | 'discard'} decision
   */
  async resolve(problem, decision) {
    this.#entered(await this.#client.resolve(problem, decision));
  }

  async sync() {
    await this.#connection.sync();
  }

  async signOut(discard = false) {
    await this.#connection.sendAll();
    const { waiting, problems } = this.state;
    if (waiting + problems.length > 0 && !discard) {
      // The attempt may have failed.
      void this.sync();
      return 'waiting';
    }
    this.#connection.pause();
    try {
      await this.#requests.json('DELETE', 'session');
    } catch (error) {
      if (!(error instanceof SignedOut)) {
        this.#connection.resume();
        if (error instanceof Unreachable) return 'offline';
        throw error;
      }
    }
    forgetAccount();
    this.#connection.stop();
    await Promise.all([this.#database.destroy(), deleteCachedPhotos()]);
    return 'done';
  }

  reload() {
    this.#versions.reload();
  }

  /**
   * Sends an entry, after it is stored.
   * @template Result
   * @param {Result} result
   */
  #entered(result) {
    // Without this permission, a browser may delete entries that are not sent yet.
    if (!this.#connection.status.online) void navigator.storage?.persist?.();
    void this.sync();
    return result;
  }

  #check() {
    this.#connection.checkLead();
    if (this.state.today === this.#client.days.today) return;
    this.#notify();
    void this.sync();
  }

  #notify() {
    this.#state = undefined;
    this.#addresses.release(this.#client.copy.photos);
    for (const listener of this.#listeners) listener();
  }
}
