// The copy of the person's records in memory: what the server has, with the waiting changes applied.

import { inOrder } from './queue.js';
import { wantedFields } from './fields.js';

/** @typedef {import('./types').Operation} Operation */
/** @typedef {import('./types').Problem} Problem */
/** @typedef {import('./types').StoredRecord} StoredRecord */
/** @typedef {import('./types').Surroundings} Surroundings */
/** @typedef {import('./types').Visible} Visible */
/** @typedef {import('./types').Waiting} Waiting */

export class Copy {
  /**
   * What the server has.
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
  /**
   * The views of records without a waiting change.
   * @type {WeakMap<StoredRecord, Visible>}
   */
  #plain = new WeakMap();
  #changed;

  /**
   * @param {Surroundings} surroundings
   * @param {() => void} changed called after each change
   */
  constructor(surroundings, changed = () => {}) {
    this.#surroundings = surroundings;
    this.#changed = changed;
  }

  /** Reads everything from the database. */
  async load() {
    const { database } = this.#surroundings;
    this.records = await database.all('records');
    this.waiting = await database.all('waiting');
    this.photos = await database.all('photos');
    this.meta = await database.all('meta');
    this.#touch();
    this.#changed();
  }

  /**
   * Changes the copy. No other tab changes it meanwhile, and the steps see what other tabs have entered.
   * @param {(() => readonly Operation[])[]} steps each returns what to write, and sees what the earlier ones have written
   */
  async change(...steps) {
    const { database, exclusively, tell } = this.#surroundings;
    await exclusively(async () => {
      this.waiting = await database.all('waiting');
      this.#touch();
      /** @type {Operation[]} */
      const written = [];
      for (const step of steps) {
        const operations = step();
        this.#apply(operations);
        written.push(...operations);
      }
      await this.#write(written);
      tell(written);
    });
    this.#changed();
  }

  /** @param {readonly Operation[]} operations */
  async #write(operations) {
    const { database } = this.#surroundings;
    try {
      await database.write(operations);
    } catch (error) {
      // For example, the device has no space left. The memory must not promise more than the database keeps.
      await this.load();
      throw error;
    }
  }

  /**
   * Reads values that another tab has written.
   * @param {readonly Operation[]} written
   */
  async reread(written) {
    const { database } = this.#surroundings;
    const operations = [];
    for (const { part, key } of written) {
      operations.push({ part, key, value: await database.get(part, key) });
    }
    this.#apply(operations);
    this.#changed();
  }

  /**
   * Returns the visible records of a collection, the same list until the copy changes.
   * @param {string} collection
   */
  list(collection) {
    const known = this.#lists.get(collection);
    if (known) return known;
    const visible = this.#visible(collection);
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

  /**
   * @param {string} collection
   * @returns {Visible[]}
   */
  #visible(collection) {
    /** @type {Visible[]} */
    const visible = [];
    for (const record of this.records.values()) {
      if (record.collection !== collection || this.waiting.has(record.key)) continue;
      if (!this.#isOfRemovedHabit(record.fields)) visible.push(this.#plainView(record));
    }
    for (const entry of inOrder(this.waiting.values())) {
      if (entry.collection !== collection || entry.removed) continue;
      const view = this.#waitingView(entry);
      if (!this.#isOfRemovedHabit(view.properties)) visible.push(view);
    }
    return visible;
  }

  /**
   * The server deletes the events and pauses of a habit with it.
   * @param {Record<string, any>} fields
   */
  #isOfRemovedHabit(fields) {
    return typeof fields.habit === 'string' && this.waiting.get(`habits/${fields.habit}`)?.removed === true;
  }

  /**
   * @param {StoredRecord} record
   * @returns {Visible}
   */
  #plainView(record) {
    const known = this.#plain.get(record);
    if (known) return known;
    const { id, collection, version, fields: { geometry, ...properties } } = record;
    const view = { id, collection, version, geometry, properties };
    this.#plain.set(record, view);
    return view;
  }

  /**
   * @param {Waiting} entry
   * @returns {Visible}
   */
  #waitingView(entry) {
    const { id, collection, base } = entry;
    const { geometry = null, ...properties } = wantedFields(entry);
    const problem = entry.problem && problemOf(entry);
    return { id, collection, version: base?.version, geometry, properties: { id, ...properties }, waiting: true, problem };
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

/**
 * Returns the problem of an entry as views see it.
 * @param {Waiting} entry an entry with a problem
 * @returns {Problem}
 */
export function problemOf(entry) {
  const { key, collection, id, removed, problem } = entry;
  if (!problem) throw new Error(`${key} has no problem`);
  return { ...problem, key, collection, id, mine: removed ? null : wantedFields(entry) };
}
