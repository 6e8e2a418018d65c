// The copy of the person's records in memory and in the database of the device.

import { visibleRecords } from './visible.js';

/** @typedef {import('./types').Operation} Operation */
/** @typedef {import('./types').StoredRecord} StoredRecord */
/** @typedef {import('./types').Surroundings} Surroundings */
/** @typedef {import('./types').Visible} Visible */
/** @typedef {import('./types').Waiting} Waiting */

/**
 * The time after which the device has suspended a tab that reads, in milliseconds. It is shorter than the time after
 * which `Turns` takes the turn of another tab.
 */
const LONGEST_READ = 20_000;

export class Copy {
  /**
   * The records as the server has them.
   * @type {Map<string, StoredRecord>}
   */
  records = new Map();
  /** @type {Map<string, Waiting>} */
  waiting = new Map();
  /**
   * The photos that wait, by their names.
   * @type {Map<string, Blob>}
   */
  photos = new Map();
  /** @type {Map<string, any>} */
  meta = new Map();
  /** A number that differs after each change. */
  generation = 0;

  #surroundings;
  /** @type {Map<string, readonly Visible[]>} */
  #lists = new Map();
  /**
   * The visible records of a collection by ID.
   * @type {Map<string, Map<string, Visible>>}
   */
  #found = new Map();
  #changed;

  /**
   * @param {Surroundings} surroundings
   * @param {string} user the owner of the copy
   * @param {() => void} changed called after each change
   */
  constructor(surroundings, user, changed = () => {}) {
    this.#surroundings = surroundings;
    this.user = user;
    this.#changed = changed;
  }

  /** Reads everything from the database. */
  async load() {
    await this.#surroundings.exclusively(() => this.#read());
    this.#changed();
  }

  async #read() {
    const { database } = this.#surroundings;
    // The device may suspend the tab here. The records are then newer than the token, and are read again.
    const meta = await database.all('meta');
    this.records = await database.all('records');
    this.waiting = await database.all('waiting');
    this.photos = await database.all('photos');
    this.meta = meta;
    this.#touch();
  }

  /**
   * Changes the copy. Other tabs wait, and the steps see the entries of other tabs.
   * @param {(() => readonly Operation[])[]} steps each returns the values to write, and sees those of earlier steps
   * @returns {Promise<void>}
   */
  async change(...steps) {
    const { exclusively, now, tell } = this.#surroundings;
    const isDone = await exclusively(async () => {
      const begin = now();
      await this.#readNewer();
      if (now() - begin > LONGEST_READ) return false;
      /** @type {Operation[]} */
      const written = [];
      for (const step of steps) {
        const operations = step();
        this.#apply(operations);
        written.push(...operations);
      }
      // The transaction begins before another tab can change the database.
      await this.#write(written);
      tell(written);
      return true;
    });
    // The device had suspended this tab: another tab may have taken its turn, and changed the copy since then.
    if (!isDone) return this.change(...steps);
    this.#changed();
  }

  /** Reads what another tab or the service worker may have written, and the records on which its entries are based. */
  async #readNewer() {
    const { database } = this.#surroundings;
    if (await database.get('meta', 'token') !== this.meta.get('token')) return this.#read();
    this.waiting = await database.all('waiting');
    for (const key of this.waiting.keys()) {
      const record = await database.get('records', key);
      if (record) this.records.set(key, record);
      else this.records.delete(key);
    }
    this.#touch();
  }

  /** @param {readonly Operation[]} operations */
  async #write(operations) {
    const { database } = this.#surroundings;
    try {
      await database.write(operations);
    } catch (error) {
      // For example, the device has no space left. The memory must not promise more than the database keeps.
      await this.#read();
      throw error;
    }
  }

  /**
   * Reads values that another tab has written.
   * @param {readonly Operation[]} written
   */
  async reread(written) {
    const { database, exclusively } = this.#surroundings;
    await exclusively(async () => {
      const operations = [];
      for (const { part, key } of written) {
        operations.push({ part, key, value: await database.get(part, key) });
      }
      this.#apply(operations);
    });
    this.#changed();
  }

  /**
   * Returns the visible records of a collection, the same list until the copy changes.
   * @param {string} collection
   */
  list(collection) {
    const known = this.#lists.get(collection);
    if (known) return known;
    const visible = visibleRecords(collection, this.records, this.waiting, this.user);
    this.#lists.set(collection, visible);
    return visible;
  }

  /**
   * Returns a visible record.
   * @param {string} collection
   * @param {string} id
   */
  find(collection, id) {
    if (!this.#found.has(collection)) {
      const list = this.list(collection);
      this.#found.set(collection, new Map(list.map(record => [record.id, record])));
    }
    return this.#found.get(collection)?.get(id);
  }

  /** @param {readonly Operation[]} operations */
  #apply(operations) {
    for (const { part, key, value } of operations) {
      if (value === undefined) this[part].delete(key);
      else this[part].set(key, value);
    }
    if (operations.length > 0) this.#touch();
  }

  #touch() {
    this.generation += 1;
    this.#lists.clear();
    this.#found.clear();
  }
}
