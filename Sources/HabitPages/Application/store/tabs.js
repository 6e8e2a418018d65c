// Several tabs of one person: one tab exchanges changes with the server, and each tab reads the entries of the others.

import { storedName } from './names.js';

/** @typedef {import('./types').Operation} Operation */
/** @typedef {import('./connection.js').Status} Status */
/**
 * @typedef {{kind: 'written', keys: Operation[]} | {kind: 'status', status: Status} | {kind: 'wanted'}
 *   | {kind: 'signedOut'}} Message
 */

export class Tabs {
  #name;
  #channel;

  /** @param {string} user */
  constructor(user) {
    this.#name = storedName(`habitat-${user}`);
    this.#channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(this.#name) : undefined;
  }

  /**
   * Runs work while no other tab runs work.
   * @template Result
   * @param {() => Promise<Result>} work
   * @returns {Promise<Result>}
   */
  async exclusively(work) {
    return navigator.locks ? navigator.locks.request(`${this.#name}-write`, work) : inTurn(work);
  }

  /**
   * Calls `lead` when this tab has to exchange changes: now, or after the leading tab is closed.
   * @param {() => void} lead
   */
  waitForLead(lead) {
    if (!navigator.locks) return lead();
    void navigator.locks.request(`${this.#name}-lead`, () => {
      lead();
      // The lock ends with the tab.
      return new Promise(() => {});
    });
  }

  /** @param {Message} message */
  tell(message) {
    this.#channel?.postMessage(message);
  }

  /** @param {(message: Message) => void} listener */
  listen(listener) {
    this.#channel?.addEventListener('message', ({ data }) => listener(data));
  }
}

/** @type {Promise<unknown>} */
let last = Promise.resolve();

/**
 * Runs work after all earlier work of this page.
 * @template Result
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export function inTurn(work) {
  const result = last.then(work);
  last = result.catch(() => {});
  return result;
}
