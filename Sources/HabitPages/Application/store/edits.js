// What the person enters: it becomes waiting changes.

import { edited, newHabitOf, removed } from './queue.js';
import { keyOf, wantedFields } from './fields.js';
import { meet, reconcile } from './merge.js';
import { idToInsert, newID } from './ids.js';

/** @typedef {import('./types').Fields} Fields */
/** @typedef {import('./types').Operation} Operation */
/** @typedef {import('./types').Waiting} Waiting */
/** @typedef {import('./copy.js').Copy} Copy */

export class Edits {
  #copy;
  #surroundings;
  #lastOrder = 0;

  /**
   * @param {Copy} copy
   * @param {Pick<import('./types').Surroundings, 'now' | 'holdsDeletions'>} surroundings
   */
  constructor(copy, surroundings) {
    this.#copy = copy;
    this.#surroundings = surroundings;
  }

  /**
   * Changes fields of a record, or inserts a record.
   * @param {string} collection
   * @param {string} id
   * @param {Fields} fields
   */
  async save(collection, id, fields) {
    await this.#copy.change(() => this.saving(collection, id, fields));
  }

  /**
   * @param {string} collection
   * @param {string} id
   * @param {Fields} fields
   * @returns {Operation[]}
   */
  saving(collection, id, fields) {
    const target = this.#target(collection, id);
    const entry = edited(target, fields, this.#stamp());
    return replacing(target.entry, entry && this.settle(entry), target.key);
  }

  /**
   * Deletes a record.
   * @param {string} collection
   * @param {string} id
   * @returns {Promise<() => Promise<void>>} brings the record back
   */
  async remove(collection, id) {
    /** @type {() => Operation[]} */
    let undo = () => [];
    await this.#copy.change(() => {
      const { operations, undoing } = this.removing(collection, id, this.#surroundings.holdsDeletions);
      undo = undoing;
      return operations;
    });
    return () => this.#copy.change(undo);
  }

  /**
   * @param {string} collection
   * @param {string} id
   * @param {boolean} [isHeld] whether the deletion is not sent yet
   * @returns {{operations: Operation[], undoing: () => Operation[]}}
   */
  removing(collection, id, isHeld = false) {
    const target = this.#target(collection, id);
    const { entry, record } = target;
    const deletion = removed(target, { ...this.#stamp(), isHeld });
    const operations = replacing(entry, deletion && this.settle(deletion), target.key);
    if (collection === 'habits' && !deletion) operations.push(...this.#removingParts(target.key));
    const before = operations.map(({ part, key }) => ({ part, key, value: this.#copy[part].get(key) }));
    const fields = entry ? wantedFields(entry) : record?.fields ?? {};
    return { operations, undoing: () => deletion ? this.#restoring(collection, id, fields) : before };
  }

  /**
   * Takes back a deletion that waits. A record that the server has deleted is inserted again.
   * @param {string} collection
   * @param {string} id
   * @param {Fields} fields the fields of the record
   */
  #restoring(collection, id, fields) {
    const key = keyOf(collection, id);
    const exists = this.#copy.waiting.has(key) || this.#copy.records.has(key);
    return exists ? this.saving(collection, id, {}) : this.saving(collection, idToInsert(collection, id), fields);
  }

  /**
   * Removes the new events and pauses of a new habit, which the server could not accept without it.
   * @param {string} habitKey
   */
  #removingParts(habitKey) {
    const { waiting } = this.#copy;
    const parts = [...waiting.values()].filter(entry => newHabitOf(entry, waiting)?.key === habitKey);
    return parts.flatMap(entry => replacing(entry, undefined, entry.key));
  }

  /**
   * Merges an edited entry that had a conflict with the record of the server.
   * @param {Waiting} entry
   */
  settle(entry) {
    const { problem } = entry;
    if (problem?.kind !== 'conflict' || entry.sending) return entry;
    const other = problem.other && this.#copy.records.get(problem.other);
    // A change of the other event that waits would be lost.
    if (other && this.#copy.waiting.has(other.key)) return entry;
    if (other && !entry.removed) return meet(entry, other);
    return reconcile({ ...entry, problem: undefined }, this.#copy.records.get(entry.key));
  }

  /**
   * Moves an entry to the end of the queue.
   * @param {Waiting} entry
   * @returns {Waiting}
   */
  later(entry) {
    return { ...entry, ...this.#stamp(), enteredAt: entry.enteredAt };
  }

  /**
   * @param {string} collection
   * @param {string} id
   */
  #target(collection, id) {
    const key = keyOf(collection, id);
    return { key, collection, id, record: this.#copy.records.get(key), entry: this.#copy.waiting.get(key) };
  }

  /** @returns {import('./queue.js').Stamp} */
  #stamp() {
    const orders = [...this.#copy.waiting.values()].map(entry => entry.order);
    // Several edits of one change follow each other.
    this.#lastOrder = Math.max(this.#lastOrder, ...orders) + 1;
    const enteredAt = new Date(this.#surroundings.now()).toISOString();
    return { order: this.#lastOrder, enteredAt, revision: newID() };
  }
}

/**
 * Returns the operations that replace an entry, and delete a photo that no longer waits.
 * @param {Waiting | undefined} before
 * @param {Waiting | undefined} after
 * @param {string} key the key of `before`
 * @returns {Operation[]}
 */
export function replacing(before, after, key) {
  /** @type {Operation[]} */
  const operations = [];
  if (!after || after.key !== key) operations.push({ part: 'waiting', key });
  if (after) operations.push({ part: 'waiting', key: after.key, value: after });
  const photo = before?.changes.photo;
  if (photo && photo !== after?.changes.photo) operations.push({ part: 'photos', key: photo });
  return operations;
}
