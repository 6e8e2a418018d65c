// A database in memory, for tests and for browsers without IndexedDB.

/** @typedef {import('./types').Database} Database */
/** @typedef {import('./types').Part} Part */
/** @typedef {import('./types').Operation} Operation */

/** @implements {Database} */
export class MemoryDatabase {
  /** @type {import('./types').Storage} */
  storage = 'none';
  /** @type {Record<Part, Map<string, any>>} */
  #parts = { records: new Map(), waiting: new Map(), photos: new Map(), meta: new Map() };
  #destroyOther;

  /** @param {() => Promise<void>} [destroyOther] deletes the database of the browser that this one replaces */
  constructor(destroyOther = async () => {}) {
    this.#destroyOther = destroyOther;
  }

  /** @param {Part} part */
  async all(part) {
    const values = [...this.#parts[part]];
    values.sort(([one], [other]) => (one < other ? -1 : 1));
    return new Map(values);
  }

  /**
   * @param {Part} part
   * @param {string} key
   */
  async get(part, key) {
    return this.#parts[part].get(key);
  }

  /** @param {readonly Operation[]} operations */
  async write(operations) {
    for (const { part, key, value } of operations) {
      if (value === undefined) this.#parts[part].delete(key);
      else this.#parts[part].set(key, value);
    }
  }

  close() {}

  async destroy() {
    for (const part of Object.values(this.#parts)) part.clear();
    await this.#destroyOther();
  }
}
