// One exchange with the server: it receives changes, sends changes, and receives their effects.

import { Failure, SignedOut } from './requests.js';
import { lineOf, operationsOf, sendingOf } from './results.js';
import { receiving, rebasing } from './receive.js';
import { base64Of } from './photos.js';
import { sendable } from './queue.js';

/** @typedef {import('./types').Operation} Operation */
/** @typedef {import('./types').Sending} Sending */
/** @typedef {import('./types').Surroundings} Surroundings */
/** @typedef {import('./types').Waiting} Waiting */
/** @typedef {import('./copy.js').Copy} Copy */

/** The collections that the application copies, in the order of the references between records. */
const COLLECTIONS = 'user,users,habits,pauses,follows,events';
/** The number of past days whose events are copied. */
const COPIED_DAYS = 400;
const DAY = 86_400_000;
/** The largest request, in characters. The server waits 30 s for it, also if the connection is slow. */
const MAXIMUM_SIZE = 200_000;
/** The largest photo in base64 with the name of its member, in characters. */
const MAXIMUM_PHOTO_SIZE = 87_400;
/** The maximum number of requests with changes in one exchange. */
const MAXIMUM_ROUNDS = 500;

export class Sync {
  #copy;
  #surroundings;
  #user;

  /**
   * @param {Copy} copy
   * @param {Surroundings} surroundings
   * @param {string} user the owner of the copy
   */
  constructor(copy, surroundings, user) {
    this.#copy = copy;
    this.#surroundings = surroundings;
    this.#user = user;
  }

  /**
   * Exchanges changes until both sides are equal. It receives first: the token of the copy is valid only for its
   * person, so that nothing is sent for another person who has signed in since then.
   * @param {boolean} [isLast] whether to send deletions that the person can still undo
   */
  async run(isLast = false) {
    await this.#receive();
    if (!await this.#send(isLast)) return;
    await this.#receive();
  }

  async #receive() {
    let isComplete = false;
    while (!isComplete) {
      const token = this.#copy.meta.get('token');
      const page = await this.#page(token);
      if (this.#isOfOtherUser(page)) throw new SignedOut();
      await this.#copy.change(() => {
        // Another tab has received newer changes: this page could replace them.
        if (this.#copy.meta.get('token') !== token) return [];
        isComplete = !page.more;
        return receiving(this.#copy, page);
      });
    }
    await this.#copy.change(() => rebasing(this.#copy));
  }

  /**
   * Returns the next page of changes. A token that has expired begins a new copy.
   * @param {string | undefined} token
   */
  async #page(token) {
    const { requests, now } = this.#surroundings;
    const from = new Date(now() - COPIED_DAYS * DAY).toISOString().slice(0, 10);
    const anew = `changes?collections=${COLLECTIONS}&from=${from}`;
    if (!token) return requests.json('GET', anew);
    try {
      return await requests.json('GET', `changes?since=${encodeURIComponent(token)}`);
    } catch (error) {
      const isExpired = error instanceof Failure && (error.status === 410 || error.status === 400);
      if (!isExpired) throw error;
      return requests.json('GET', anew);
    }
  }

  /** @param {{changes: import('./types').Change[]}} page */
  #isOfOtherUser({ changes }) {
    const accounts = changes.filter(({ action, collection }) => action === 'put' && collection === 'user');
    return accounts.some(({ feature }) => feature?.id !== this.#user);
  }

  /**
   * Sends the waiting changes, and returns whether there were any.
   * @param {boolean} isLast
   */
  async #send(isLast) {
    let last = '';
    for (let round = 0; round < MAXIMUM_ROUNDS; round += 1) {
      const batch = await this.#prepare(isLast);
      const body = batch.map(({ line }) => line).join('\n');
      // The rest waits for a change that is not sent yet.
      if (batch.length === 0 || body === last) return round > 0;
      last = body;
      const headers = { 'Content-Type': 'application/x-ndjson' };
      const { results } = await this.#surroundings.requests.json('POST', 'changes', { body, headers });
      const steps = batch.map(({ key, sending }, index) => {
        return () => operationsOf(this.#copy, key, sending, results[index]);
      });
      await this.#copy.change(...steps);
    }
    return true;
  }

  /**
   * Marks the next changes as sent, before the request, because the response may be lost.
   * @param {boolean} isLast
   */
  async #prepare(isLast) {
    /** @type {{entry: Waiting, sending: Sending}[]} */
    const batch = [];
    await this.#copy.change(() => {
      /** @type {Operation[]} */
      const operations = [];
      let size = 0;
      for (const entry of sendable(this.#copy.waiting, isLast)) {
        const sending = sendingOf(entry);
        size += sizeOf(entry, sending);
        if (batch.length > 0 && size > MAXIMUM_SIZE) break;
        batch.push({ entry, sending });
        operations.push({ part: 'waiting', key: entry.key, value: { ...entry, sending } });
      }
      return operations;
    });
    return Promise.all(batch.map(async ({ entry, sending }) => {
      return { key: entry.key, sending, line: lineOf(entry, sending, await this.#photoOf(sending)) };
    }));
  }

  /**
   * Returns the photo of a change in base64, null to remove it, or undefined to keep it. The database has it, and the
   * memory not always: another tab may have stored the photo a moment ago.
   * @param {Sending} sending
   * @returns {Promise<string | null | undefined>}
   */
  async #photoOf({ fields }) {
    const name = fields?.photo;
    if (typeof name !== 'string') return name;
    const photo = await this.#surroundings.database.get('photos', name);
    return photo && base64Of(photo);
  }
}

/**
 * Returns the maximum size of a line, in characters.
 * @param {Waiting} entry
 * @param {Sending} sending
 */
function sizeOf(entry, sending) {
  const hasPhoto = typeof sending.fields?.photo === 'string';
  return lineOf(entry, sending, undefined).length + 1 + (hasPhoto ? MAXIMUM_PHOTO_SIZE : 0);
}
