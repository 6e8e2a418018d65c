// The queue of waiting changes: edits change its entries, and requests send them in their order.

import { differences, isEqual, isWritable, keyOf } from './fields.js';
import { idToInsert } from './ids.js';

/** @typedef {import('./types').Fields} Fields */
/** @typedef {import('./types').Waiting} Waiting */
/** @typedef {import('./types').StoredRecord} StoredRecord */

/**
 * The record that an edit changes.
 * @typedef {object} Target
 * @property {string} key
 * @property {string} collection
 * @property {string} id
 * @property {StoredRecord | undefined} record what the server has, as far as this device knows
 * @property {Waiting | undefined} entry the change that already waits
 */
/** @typedef {{order: number, enteredAt: string, revision: string, isHeld?: boolean}} Stamp */

/** The maximum number of changes of a request. */
const MAXIMUM_CHANGES = 1000;

/**
 * Returns the entry after the person has changed fields, or undefined if the record is now as on the server.
 * A later edit replaces an earlier one and keeps its base and its position in the queue.
 * @param {Target} target
 * @param {Fields} fields
 * @param {Stamp} stamp
 * @returns {Waiting | undefined}
 */
export function edited(target, fields, stamp) {
  const { key, collection, id, record, entry } = target;
  const base = entry ? entry.base : baseOf(record);
  const writable = Object.entries(fields).filter(([name]) => isWritable(name));
  const changes = differencesFrom(base, { ...entry?.changes, ...Object.fromEntries(writable) });
  const problem = entry?.problem?.kind === 'conflict' ? entry.problem : undefined;
  const { order, enteredAt } = entry ?? stamp;
  const { revision } = stamp;
  const { sending } = entry ?? {};
  const isDone = base !== null && !sending && !problem && Object.keys(changes).length === 0;
  if (isDone) return undefined;
  return { key, collection, id, order, enteredAt, revision, removed: false, changes, base, sending, problem };
}

/**
 * Returns the entry after the person has deleted the record, or undefined if the server never had it.
 * A deletion goes to the end of the queue, after the changes that need the record.
 * @param {Target} target
 * @param {Stamp} stamp
 * @returns {Waiting | undefined}
 */
export function removed(target, stamp) {
  const { key, collection, id, record, entry } = target;
  const base = entry ? entry.base : baseOf(record);
  if (!base && !entry?.sending) return undefined;
  const problem = entry?.problem?.kind === 'conflict' ? entry.problem : undefined;
  const { changes = {}, sending } = entry ?? {};
  return { key, collection, id, ...stamp, removed: true, changes, base, sending, problem };
}

/**
 * Returns the entries in their order.
 * @param {Iterable<Waiting>} waiting
 */
export function inOrder(waiting) {
  return [...waiting].sort((one, other) => one.order - other.order || (one.key < other.key ? -1 : 1));
}

/**
 * Returns the entries to send next. A change of a new habit's event or pause waits while the habit has a problem.
 * @param {ReadonlyMap<string, Waiting>} waiting
 * @param {boolean} [isLast] whether to send held deletions, too
 * @returns {Waiting[]}
 */
export function sendable(waiting, isLast = false) {
  const entries = inOrder(waiting.values());
  const released = entries.filter(({ isHeld }) => isLast || !isHeld);
  const ready = released.filter(entry => !entry.problem && !isBlocked(entry, waiting));
  return ready.slice(0, MAXIMUM_CHANGES);
}

/**
 * Whether a change needs a habit that the server has refused.
 * @param {Waiting} entry
 * @param {ReadonlyMap<string, Waiting>} waiting
 */
function isBlocked(entry, waiting) {
  const habit = newHabitOf(entry, waiting);
  return habit?.problem !== undefined;
}

/**
 * Returns the waiting creation of the habit to which an entry belongs.
 * @param {Waiting} entry
 * @param {ReadonlyMap<string, Waiting>} waiting
 */
export function newHabitOf(entry, waiting) {
  const habit = entry.changes.habit ?? entry.base?.fields.habit;
  const creation = waiting.get(`habits/${habit}`);
  return creation && !creation.base ? creation : undefined;
}

/**
 * Returns the entry that inserts a deleted record again.
 * @param {Waiting} entry
 * @param {Fields} fields all fields of the record
 * @returns {Waiting}
 */
export function inserted(entry, fields) {
  const id = idToInsert(entry.collection, entry.id);
  const changes = differences(fields, {});
  return { ...entry, id, key: keyOf(entry.collection, id), base: null, changes };
}

/**
 * @param {StoredRecord | undefined} record
 * @returns {import('./types').Base | null}
 */
export function baseOf(record) {
  return record ? { fields: record.fields, version: record.version } : null;
}

/**
 * Returns the changes that differ from the base.
 * @param {import('./types').Base | null} base
 * @param {Fields} changes all changed fields, with the name of a waiting photo
 * @returns {Fields}
 */
export function differencesFrom(base, changes) {
  if (!base) return changes;
  // The copy does not contain photos, so a change of the photo always differs.
  const isSame = changes.photo === null && isEqual(base.fields.has_photo, false);
  const { photo, ...fields } = changes;
  const differing = differences(fields, base.fields);
  return photo === undefined || isSame ? differing : { ...differing, photo };
}
