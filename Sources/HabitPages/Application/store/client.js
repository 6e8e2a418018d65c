// The store without a browser: the copy, what the person enters, and the exchange with the server.

import { Copy } from './copy.js';
import { Edits } from './edits.js';
import { PersonDays } from './person-days.js';
import { Sync } from './sync.js';
import { instantOn } from './calendar.js';
import { discarding, insisting } from './problems.js';
import { keyOf } from './fields.js';
import { Failure } from './requests.js';
import { MAXIMUM_PHOTO, PhotoUnavailable, photoPath } from './photos.js';
import { newID } from './ids.js';
import { replacedEvent, savingEvent } from './events.js';

/** @typedef {import('./types').Account} Account */
/** @typedef {import('./types').Fields} Fields */
/** @typedef {import('./types').Operation} Operation */
/** @typedef {import('./types').Problem} Problem */
/** @typedef {import('./types').Surroundings} Surroundings */
/** @typedef {import('./types').Visible} Visible */

export class Client {
  #account;
  #edits;
  #hasReadSettings = false;
  #surroundings;
  #sync;

  /**
   * @param {Surroundings} surroundings
   * @param {Account} account the person, if the copy does not know more of the account
   * @param {() => void} [changed] called after each change of the copy
   */
  constructor(surroundings, account, changed) {
    this.#account = account;
    this.#surroundings = surroundings;
    this.copy = new Copy(surroundings, account.id, changed);
    this.#edits = new Edits(this.copy, surroundings);
    this.#sync = new Sync(this.copy, surroundings, account.id);
    this.days = new PersonDays(this.copy, surroundings, () => this.account);
  }

  /** @returns {Account} */
  get account() {
    const record = this.copy.records.get(`user/${this.#account.id}`);
    return { ...this.#account, ...record?.fields };
  }

  /**
   * Exchanges changes with the server, and reads what depends on them.
   * @param {boolean} [isLast] whether to send deletions that the person can still undo
   */
  async exchange(isLast = false) {
    await this.#sync.run(isLast);
    await this.days.read();
    if (!this.#hasReadSettings) await this.#readSettings();
    const lastSync = new Date(this.#surroundings.now()).toISOString();
    await this.copy.change(() => [{ part: 'meta', key: 'lastSync', value: lastSync }]);
  }

  /** Reads the settings of the server, which the operator changes rarely, once after each start. */
  async #readSettings() {
    const settings = await this.#surroundings.requests.json('GET', 'settings');
    await this.copy.change(() => [{ part: 'meta', key: 'settings', value: settings }]);
    this.#hasReadSettings = true;
  }

  /** Whether the server does not have all entries yet. */
  get hasWaiting() {
    return this.copy.waiting.size > 0;
  }

  /** The part of the copy that the device keeps. */
  get storage() {
    return this.#surroundings.database.storage;
  }

  /** The revisions of the deletions that are held. */
  get heldRevisions() {
    const held = [...this.copy.waiting.values()].filter(({ isHeld }) => isHeld);
    return new Set(held.map(({ revision }) => revision));
  }

  /**
   * Lets the next exchange send deletions.
   * @param {ReadonlySet<string>} revisions
   */
  async release(revisions) {
    await this.copy.change(() => {
      const released = [...this.copy.waiting.values()].filter(({ revision }) => revisions.has(revision));
      return released.map(entry => ({ part: 'waiting', key: entry.key, value: { ...entry, isHeld: false } }));
    });
  }

  /**
   * @param {string} collection
   * @param {string | null} id
   * @param {Fields} fields
   * @param {{dropsPhoto?: boolean}} [options] whether the event that replaces an event may lose its photo
   * @throws {PhotoUnavailable} if it would lose the photo otherwise
   */
  async save(collection, id, fields, options = {}) {
    let saved = id ?? newID();
    const replaced = collection === 'events' ? replacedEvent(this.copy, id, fields) : undefined;
    const photo = replaced && !options.dropsPhoto ? await this.#photoOf(replaced) : null;
    await this.copy.change(() => {
      if (collection !== 'events') return this.#edits.saving(collection, saved, fields);
      // While the photo was read, another save may have replaced the event: its day leads to the new one.
      const isGone = replaced && !this.copy.find('events', replaced.id);
      const { habit, day } = replaced?.properties ?? {};
      const values = isGone ? { habit, day, ...fields } : this.#withInstant(id, fields);
      const saving = savingEvent(this.copy, this.#edits, saved, values, photo);
      saved = saving.id;
      return saving.operations;
    });
    return saved;
  }

  /**
   * Returns the photo of an event, or null if the event has no photo.
   * @param {Visible} event
   * @returns {Promise<Blob | null>}
   * @throws {PhotoUnavailable} if the server has the photo and is not reached
   */
  async #photoOf(event) {
    const { database, requests } = this.#surroundings;
    const name = this.copy.waiting.get(keyOf('events', event.id))?.changes.photo;
    if (name) return await database.get('photos', name) ?? null;
    if (!event.properties.has_photo) return null;
    try {
      return await requests.blob(photoPath(event));
    } catch (error) {
      // Another device has removed the photo.
      if (error instanceof Failure && error.status === 404) return null;
      throw new PhotoUnavailable();
    }
  }

  /**
   * Adds the instant to a new event of today, the current day in the time zone of the account. The time of an event of
   * another day is not known.
   * @param {string | null} id
   * @param {Fields} fields
   */
  #withInstant(id, fields) {
    const { day, outcome = 'done', at } = fields;
    const isNow = id === null && at === undefined && outcome === 'done' && day === this.days.today;
    if (!isNow || !this.days.isClockRight) return fields;
    return { ...fields, at: instantOn(this.#surroundings.now(), day) };
  }

  /**
   * @param {string} collection
   * @param {string} id
   */
  async remove(collection, id) {
    return this.#edits.remove(collection, id);
  }

  /**
   * @param {string} collection
   * @param {string} id
   * @param {Blob | null} photo
   */
  async savePhoto(collection, id, photo) {
    if (photo && photo.size > MAXIMUM_PHOTO) throw new RangeError(`The photo has ${photo.size} bytes.`);
    const name = photo ? newID() : null;
    /** @type {Operation[]} */
    const storing = name ? [{ part: 'photos', key: name, value: photo }] : [];
    await this.copy.change(() => {
      // While a photo was made smaller, the record may have been deleted, or merged with that of another device.
      if (!this.copy.find(collection, id)) throw new Error(`${keyOf(collection, id)} does not exist.`);
      return [...storing, ...this.#edits.saving(collection, id, { photo: name })];
    });
  }

  /**
   * @param {Problem} problem
   * @param {'mine' | 'theirs' | 'discard'} decision
   */
  async resolve(problem, decision) {
    await this.copy.change(() => {
      const entry = this.copy.waiting.get(problem.key);
      if (!entry?.problem) return [];
      return decision === 'mine' ? insisting(this.copy, this.#edits, entry) : discarding(this.copy, entry);
    });
  }
}
