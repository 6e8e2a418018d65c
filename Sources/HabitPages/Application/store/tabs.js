// Several tabs of one person: one tab exchanges changes with the server, and each tab reads the entries of the others.

import { storedName } from './names.js';
import { inTurn, Turns } from './turns.js';

/** @typedef {import('./types').Operation} Operation */
/** @typedef {import('./types').Status} Status */
/**
 * @typedef {{kind: 'written', keys: Operation[]} | {kind: 'status', status: Status} | {kind: 'wanted'}
 *   | {kind: 'leading'} | {kind: 'signedOut'}} Message
 */
/**
 * The functions that begin and end the lead of a tab.
 * @typedef {object} Lead
 * @property {() => void} begin this tab has to exchange changes
 * @property {() => void} end another tab has taken the lead
 */

export class Tabs {
  #name;
  #channel;
  #turns;
  /**
   * Ends the request of the lead that waits for the end of another tab.
   * @type {AbortController | undefined}
   */
  #waiting;

  /** @param {string} user */
  constructor(user) {
    this.#name = storedName(`habitat-${user}`);
    this.#turns = new Turns(`${this.#name}-write`);
    this.#channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(this.#name) : undefined;
  }

  /**
   * Runs work while no other tab runs work.
   * @template Result
   * @param {() => Promise<Result>} work
   * @returns {Promise<Result>}
   */
  async exclusively(work) {
    return this.#turns.run(work);
  }

  /**
   * Leads now, or after the leading tab is closed.
   * @param {Lead} lead
   */
  waitForLead(lead) {
    if (!navigator.locks) return lead.begin();
    this.#waiting = new AbortController();
    this.#requestLead({ signal: this.#waiting.signal }, lead);
  }

  /**
   * Takes the lead from a tab that does not respond, such as a tab that the device has suspended.
   * @param {Lead} lead
   */
  takeLead(lead) {
    this.#waiting?.abort();
    this.#requestLead({ steal: true }, lead);
  }

  /**
   * @param {LockOptions} options
   * @param {Lead} lead
   */
  #requestLead(options, lead) {
    let isLeading = false;
    const request = navigator.locks.request(`${this.#name}-lead`, options, () => {
      isLeading = true;
      lead.begin();
      // The lock ends with the tab, or if another tab takes it.
      return new Promise(() => {});
    });
    request.catch(() => {
      if (isLeading) lead.end();
    });
  }

  /** Ends the exchange of messages. */
  close() {
    this.#channel?.close();
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

/** A tab without storage, whose entries no other tab can read. */
export class LoneTab {
  /**
   * @template Result
   * @param {() => Promise<Result>} work
   * @returns {Promise<Result>}
   */
  async exclusively(work) {
    return inTurn(work);
  }

  /** @param {Lead} lead */
  waitForLead(lead) {
    lead.begin();
  }

  takeLead() {}

  tell() {}

  listen() {}
}
