// A database of a device that can run out of space: it keeps in memory what it cannot store, so that entries are sent.

/** @typedef {import('./types').Database} Database */
/** @typedef {import('./types').Operation} Operation */
/** @typedef {import('./types').Part} Part */

/** The names of the errors of a full device. Chromium also has the second one if the disk is full. */
const NO_SPACE = ['QuotaExceededError', 'UnknownError'];
/** The parts with the entries of the person, which the server does not have. */
export const ENTERED = ['waiting', 'photos'];

/** @implements {Database} */
export class OverflowDatabase {
  #database;
  #hasReleased = false;
  #release;
  /**
   * The values without space in the database, by part and key.
   * @type {Map<string, Operation>}
   */
  #unsaved = new Map();

  /**
   * @param {Database} database
   * @param {() => Promise<void>} release deletes what the device can do without
   */
  constructor(database, release) {
    this.#database = database;
    this.#release = release;
  }

  /** @returns {import('./types').Storage} */
  get storage() {
    return this.#unsaved.size > 0 ? 'full' : this.#database.storage;
  }

  /** @param {Part} part */
  async all(part) {
    const values = await this.#database.all(part);
    const unsaved = [...this.#unsaved.values()].filter(operation => operation.part === part);
    if (unsaved.length === 0) return values;
    for (const { key, value } of unsaved) {
      if (value === undefined) values.delete(key);
      else values.set(key, value);
    }
    return new Map([...values].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /**
   * @param {Part} part
   * @param {string} key
   */
  async get(part, key) {
    const unsaved = this.#unsaved.get(nameOf({ part, key }));
    return unsaved ? unsaved.value : this.#database.get(part, key);
  }

  /** @param {readonly Operation[]} operations */
  async write(operations) {
    const wanted = new Map(this.#unsaved);
    for (const operation of operations) wanted.set(nameOf(operation), operation);
    const all = [...wanted.values()];
    if (await this.#store(all)) {
      this.#unsaved.clear();
      return;
    }
    // The records of the server are larger, and the server has them. The token of the copy stays with them.
    const entered = all.filter(({ part }) => ENTERED.includes(part));
    const isEnteredStored = await this.#store(entered);
    const left = isEnteredStored ? all.filter(operation => !entered.includes(operation)) : all;
    this.#unsaved = new Map(left.map(operation => [nameOf(operation), operation]));
  }

  close() {
    this.#database.close();
  }

  async destroy() {
    this.#unsaved.clear();
    await this.#database.destroy();
  }

  /**
   * Stores values, and returns whether the device has space for them.
   * @param {readonly Operation[]} operations
   * @returns {Promise<boolean>}
   */
  async #store(operations) {
    try {
      await this.#database.write(operations);
      return true;
    } catch (error) {
      if (!isNoSpace(error)) throw error;
    }
    if (this.#hasReleased) return false;
    this.#hasReleased = true;
    await this.#release();
    return this.#store(operations);
  }
}

/** @param {unknown} error */
function isNoSpace(error) {
  return error instanceof Error && NO_SPACE.includes(error.name);
}

/** @param {{part: Part, key: string}} value */
function nameOf({ part, key }) {
  return `${part} ${key}`;
}
