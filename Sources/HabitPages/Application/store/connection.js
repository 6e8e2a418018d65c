// The exchange with the server in a browser: its times, its tab and its status.

import { requestBackgroundSync } from './background-request.js';
import { Failure, SignedOut, Unreachable } from './requests.js';
import { Schedule } from './schedule.js';
import { Stream } from './stream.js';
import { UNDO_TIME } from './undo.js';
import { rememberAccount } from './remembered-account.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('./requests.js').Requests} Requests */
/** @typedef {import('./tabs.js').Message} Message */
/** @typedef {Pick<import('./tabs.js').Tabs, 'listen' | 'takeLead' | 'tell' | 'waitForLead'>} Tabs */
/** @typedef {import('./types').Status} Status */

/** The time after which a leading tab that does not respond is suspended, in milliseconds. */
const LEADER_PATIENCE = 8_000;

export class Connection {
  #changed;
  #client;
  /** Whether this tab has the lead and still reads the copy. */
  #isBeginning = false;
  #isLeading = false;
  /** Whether the person has signed out. */
  #isStopped = false;
  /** @type {import('./tabs.js').Lead} */
  #lead = { begin: () => void this.#beginLead(), end: () => this.#endLead() };
  /** The number of leads that this tab has begun or lost. */
  #leadCount = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #leaderTimer;
  #schedule = new Schedule(() => this.#exchange());
  #stream;
  #tabs;

  /**
   * @param {Client} client
   * @param {Tabs} tabs
   * @param {Requests} requests
   * @param {Status} status the status at the start
   * @param {() => void} changed called after each change of the status
   */
  constructor(client, tabs, requests, status, changed) {
    this.#client = client;
    this.#tabs = tabs;
    this.#stream = new Stream(requests.address('changes/stream'), () => void this.sync());
    this.status = status;
    this.#changed = changed;
  }

  /** Begins to exchange changes in one of the tabs. */
  start() {
    this.#tabs.listen(message => void this.#hear(message));
    this.#tabs.waitForLead(this.#lead);
    whenBack(() => void this.sync());
  }

  /** Exchanges changes now, here or in the tab that does it. */
  async sync() {
    if (this.#isStopped) return;
    // Another tab cannot read entries for which the device has no space.
    const isAlone = this.#client.storage !== 'kept';
    if (this.#isLeading || isAlone) await this.#schedule.run();
    else if (!this.#isBeginning) this.#askLeader();
  }

  /** Takes the lead of a tab that the device has suspended. The application calls it regularly. */
  checkLead() {
    if (document.hidden || this.#isLeading) return;
    const { online, signedIn, syncing } = this.status;
    const isIncomplete = !online || syncing || this.#client.hasWaiting;
    if (signedIn && isIncomplete) void this.sync();
  }

  /** Lets the leading tab exchange changes. If it does not respond, this tab takes the lead. */
  #askLeader() {
    this.#tabs.tell({ kind: 'wanted' });
    this.#leaderTimer ??= setTimeout(() => {
      this.#leaderTimer = undefined;
      // Only a tab that the person sees is certainly not suspended soon.
      if (!document.hidden) this.#tabs.takeLead(this.#lead);
    }, LEADER_PATIENCE);
  }

  #hearLeader() {
    clearTimeout(this.#leaderTimer);
    this.#leaderTimer = undefined;
  }

  /** Sends everything before the person signs out, also deletions that the person can still undo. */
  async sendAll() {
    try {
      // Another tab may send at the same time: the server recognizes a repetition.
      await this.#client.exchange(true);
    } catch (error) {
      this.#failed(error);
    }
  }

  /**
   * Begins no exchange during the sign-out. A running exchange may fail without an error: the browser deletes the copy
   * as soon as it has the server's response.
   */
  pause() {
    this.#isStopped = true;
    this.#schedule.stop();
  }

  /** Exchanges changes again, after a sign-out that has failed. */
  resume() {
    this.#isStopped = false;
    void this.sync();
  }

  /** Ends all exchanges after the sign-out. */
  stop() {
    this.pause();
    this.#isLeading = false;
    this.#hearLeader();
    this.#stream.close();
    this.#tabs.tell({ kind: 'signedOut' });
  }

  async #beginLead() {
    this.#hearLeader();
    const lead = this.#countLead();
    this.#isBeginning = true;
    try {
      // The tab that was closed may have written until its end.
      await this.#client.copy.load();
    } catch {
      // The exchange reads the copy again.
    }
    if (lead !== this.#leadCount) return;
    this.#isBeginning = false;
    this.#isLeading = true;
    await this.sync();
  }

  /** Another tab has taken the lead while the device had suspended this tab. */
  #endLead() {
    this.#countLead();
    this.#isBeginning = false;
    this.#isLeading = false;
    this.#schedule.stop();
    this.#stream.close();
    this.#tabs.waitForLead(this.#lead);
  }

  #countLead() {
    this.#leadCount += 1;
    return this.#leadCount;
  }

  /** @returns {Promise<number | null>} the seconds to wait before a repetition, or null for none */
  async #exchange() {
    if (this.#isStopped) return null;
    this.#set({ syncing: true });
    try {
      await this.#client.exchange();
    } catch (error) {
      return this.#isStopped ? null : this.#failed(error);
    } finally {
      // The exchange has also read the entries of the other tabs.
      this.#releaseLater();
    }
    // The person may have signed out during the exchange.
    if (this.#isStopped) return null;
    // The person may have changed the name or the time zone.
    rememberAccount(this.#client.account);
    this.#set({ syncing: false, online: true, signedIn: true });
    if (this.#isLeading) this.#stream.open();
    return null;
  }

  /** Sends the held deletions, also those of other tabs, when the person can no longer undo them. */
  #releaseLater() {
    const held = this.#client.heldRevisions;
    if (held.size === 0 || this.#isStopped) return;
    setTimeout(async () => {
      await this.#client.release(held);
      await this.sync();
    }, UNDO_TIME);
  }

  /**
   * @param {unknown} error
   * @returns {number | null}
   */
  #failed(error) {
    const isOnline = !(error instanceof Unreachable);
    const isSignedIn = !(error instanceof SignedOut);
    this.#set({ syncing: false, online: isOnline, signedIn: isSignedIn });
    if (!isOnline) {
      if (this.#client.hasWaiting) void requestBackgroundSync();
      return 0;
    }
    if (error instanceof Failure) return error.wait;
    if (isSignedIn) throw error;
    this.#stream.close();
    return null;
  }

  /** @param {Partial<Status>} status */
  #set(status) {
    this.status = { ...this.status, ...status };
    this.#tabs.tell({ kind: 'status', status: this.status });
    this.#changed();
  }

  /** @param {Message} message */
  async #hear(message) {
    if (message.kind === 'written') await this.#client.copy.reread(message.keys);
    if (message.kind === 'leading') this.#hearLeader();
    if (message.kind === 'wanted' && this.#isLeading) await this.#respond();
    if (message.kind === 'signedOut') location.reload();
    if (message.kind !== 'status') return;
    this.status = message.status;
    this.#changed();
  }

  /** Exchanges changes for another tab. */
  async #respond() {
    this.#tabs.tell({ kind: 'leading' });
    await this.sync();
  }
}

/**
 * Calls a function when the network or the page comes back.
 * @param {() => void} call
 */
function whenBack(call) {
  addEventListener('online', call);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) call();
  });
}
