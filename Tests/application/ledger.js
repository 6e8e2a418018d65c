// The fate of the comments that a person has entered. Each comment is entered once.

import assert from 'node:assert/strict';

/** The comments of one person on the server and on the devices. */
export class Ledger {
  /** The comments that the server has stored. @type {Set<string>} */
  #stored = new Set();
  /** The comment of each event on the server. @type {Map<string, string>} */
  #current = new Map();
  /** The comments that were replaced unseen. @type {string[]} */
  #faults = [];
  /** The comments that the person has seen on a device. @type {Map<object, Set<string>>} */
  #seen = new Map();

  /** The person looks at a device, and acts with this knowledge. */
  look(device) {
    const seen = this.#seen.get(device.database) ?? new Set();
    this.#seen.set(device.database, seen);
    for (const { properties, problem } of device.client.copy.list('events')) {
      seen.add(properties.comment).add(problem?.theirs?.comment);
    }
    for (const { problem } of device.problems) seen.add(problem.theirs?.comment);
  }

  /** The server has stored or deleted an event that a device has sent. */
  stored(device, id, comment) {
    this.#requireSeen(device, id, comment);
    this.storedOnline(id, comment);
  }

  /** The server has stored or deleted an event of a single request. */
  storedOnline(id, comment) {
    if (comment) this.#stored.add(comment);
    this.#current.set(id, comment);
  }

  /**
   * A device may replace a comment only if the person has seen it there. The store takes an error here for one of the
   * network, so `requireKept` reports it.
   */
  #requireSeen(device, id, comment) {
    const replaced = this.#current.get(id);
    const isKept = !replaced || replaced === comment || this.#seen.get(device.database)?.has(replaced);
    if (!isKept) this.#faults.push(`the comment '${replaced}', which the person has not seen, became '${comment}'`);
  }

  /** A comment that waits no longer on a device must be on the server. */
  requireKept(device, before) {
    assert.deepEqual(this.#faults, []);
    const { waitingComments } = device;
    for (const comment of before) {
      assert.ok(waitingComments.has(comment) || this.#stored.has(comment), `the comment '${comment}' is lost`);
    }
  }
}
