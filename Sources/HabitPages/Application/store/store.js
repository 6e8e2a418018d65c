// The store of the application: the views read records from it, and save what the person enters.

import { Failure, Requests, SignedOut, Unreachable } from './requests.js';
import { PhotoAddresses, photoPath } from './photos.js';
import { findAccount, forgetAccount, rememberAccount } from './account.js';
import { Client } from './client.js';
import { Schedule } from './schedule.js';
import { Stream } from './stream.js';
import { Tabs } from './tabs.js';
import { Versions } from './versions.js';
import { deleteCachedPhotos } from './caches.js';
import { openDatabase } from './database.js';
import { keyOf } from './fields.js';
import { root } from '../root.js';
import { stateOf } from './state.js';

/** @typedef {import('./types').Fields} Fields */
/** @typedef {import('./types').Problem} Problem */
/** @typedef {import('./types').State} State */
/** @typedef {import('./types').StoreInterface} StoreInterface */
/** @typedef {import('./types').Visible} Visible */

/** How long a deletion can be taken back before it is sent, in milliseconds: a little longer than the button is shown. */
const UNDO_TIME = 7_000;
/** How often a page that stays open looks whether a new day has begun, in milliseconds. */
const DAY_CHECK = 30_000;

/**
 * Opens the store of the person who is signed in, or was the last one on this device if there is no network.
 * @returns {Promise<Store | null>} null if nobody is signed in
 */
export async function openStore() {
  const requests = new Requests(root);
  const found = await findAccount(requests);
  if (!found) return null;
  const database = await openDatabase(found.account.id);
  const store = new Store(found, { requests, database });
  await store.start();
  return store;
}

/** @implements {StoreInterface} */
class Store {
  #addresses = new PhotoAddresses();
  #client;
  #database;
  /** @type {Set<() => void>} */
  #listeners = new Set();
  #requests;
  #schedule = new Schedule(() => this.#exchange());
  /** @type {State | undefined} */
  #state;
  #status;
  #stream;
  #tabs;
  #versions = new Versions(() => this.#notify());
  #isLeading = false;

  /**
   * @param {{account: import('./types').Account, online: boolean, signedIn: boolean}} found
   * @param {{requests: Requests, database: import('./types').Database}} parts
   */
  constructor({ account, online, signedIn }, { requests, database }) {
    this.#status = { online, signedIn, syncing: false };
    this.#requests = requests;
    this.#database = database;
    const tabs = new Tabs(account.id);
    this.#tabs = tabs;
    const surroundings = {
      database,
      requests,
      now: () => Date.now(),
      undoTime: UNDO_TIME,
      exclusively: tabs.exclusively.bind(tabs),
      tell: /** @param {readonly import('./types').Operation[]} written */ written => {
        tabs.tell({ kind: 'written', keys: written.map(({ part, key }) => ({ part, key })) });
      },
    };
    this.#client = new Client(surroundings, account, () => this.#notify());
    this.#stream = new Stream(requests.address('changes/stream'), () => void this.sync());
  }

  /** Reads the copy, and begins to exchange changes. */
  async start() {
    await this.#client.copy.load();
    this.#tabs.listen(message => void this.#hear(message));
    this.#tabs.waitForLead(() => void this.#lead());
    setInterval(() => this.#checkDay(), DAY_CHECK);
    this.#versions.register(root).catch(() => {
      // Without the worker, the application needs a connection at its start.
    });
  }

  // MARK: What views read

  get state() {
    this.#state ??= stateOf(this.#client, { ...this.#status, newVersion: this.#versions.isNewVersionWaiting });
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

  // MARK: What the person enters

  /**
   * @param {string} collection
   * @param {string | null} id
   * @param {Fields} fields
   */
  async save(collection, id, fields) {
    return this.#entered(await this.#client.save(collection, id, fields));
  }

  /**
   * @param {string} collection
   * @param {string} id
   */
  async remove(collection, id) {
    const undo = this.#entered(await this.#client.remove(collection, id));
    setTimeout(() => void this.sync(), UNDO_TIME);
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

  /**
   * @template Result
   * @param {Result} result
   */
  #entered(result) {
    // Without this permission, a browser may delete entries that are not sent yet.
    if (!this.#status.online) void navigator.storage?.persist?.();
    void this.sync();
    return result;
  }

  // MARK: The exchange

  async sync() {
    if (this.#isLeading) await this.#schedule.run();
    else this.#tabs.tell({ kind: 'wanted' });
  }

  async #lead() {
    // The tab that was closed may have written until its end.
    await this.#client.copy.load();
    this.#isLeading = true;
    this.#schedule.watch();
    await this.sync();
  }

  /** @returns {Promise<number | null>} the seconds to wait before a repetition, or null for none */
  async #exchange() {
    this.#setStatus({ syncing: true });
    try {
      await this.#client.exchange();
      rememberAccount(this.#client.account);
      this.#setStatus({ syncing: false, online: true, signedIn: true });
      this.#stream.open();
      return null;
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** @param {unknown} error */
  #failed(error) {
    this.#setStatus({ syncing: false, online: !(error instanceof Unreachable), signedIn: !(error instanceof SignedOut) });
    if (error instanceof SignedOut) {
      this.#stream.close();
      return null;
    }
    if (error instanceof Unreachable) return 0;
    if (error instanceof Failure) return error.wait;
    throw error;
  }

  /** @param {Partial<{online: boolean, signedIn: boolean, syncing: boolean}>} status */
  #setStatus(status) {
    this.#status = { ...this.#status, ...status };
    this.#tabs.tell({ kind: 'status', status: this.#status });
    this.#notify();
  }

  /** @param {import('./tabs.js').Message} message */
  async #hear(message) {
    if (message.kind === 'written') await this.#client.copy.reread(message.keys);
    if (message.kind === 'wanted' && this.#isLeading) await this.sync();
    if (message.kind === 'signedOut') location.reload();
    if (message.kind !== 'status') return;
    this.#status = { ...this.#status, ...message.status };
    this.#notify();
  }

  // MARK: The end

  async signOut(discard = false) {
    // Another tab may send at the same time: the server recognizes a repetition.
    await this.#client.exchange(true).catch(error => this.#failed(error));
    const { waiting, problems } = this.state;
    if (waiting + problems.length > 0 && !discard) return 'waiting';
    try {
      await this.#requests.json('DELETE', 'session');
    } catch (error) {
      if (error instanceof Unreachable) return 'offline';
      if (!(error instanceof SignedOut)) throw error;
    }
    this.#stream.close();
    this.#isLeading = false;
    forgetAccount();
    this.#tabs.tell({ kind: 'signedOut' });
    await Promise.all([this.#database.destroy(), deleteCachedPhotos()]);
    return 'done';
  }

  reload() {
    this.#versions.reload();
  }

  // MARK: Listeners

  #checkDay() {
    if (this.state.today !== this.#client.days.today) void this.sync();
    this.#notify();
  }

  #notify() {
    this.#state = undefined;
    this.#addresses.release(this.#client.copy.photos);
    for (const listener of this.#listeners) listener();
  }
}
