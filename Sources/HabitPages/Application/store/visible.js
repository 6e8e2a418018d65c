// The records that views show: those of the server with the waiting changes.

import { inOrder } from './queue.js';
import { wantedFields } from './fields.js';

/** @typedef {import('./types').Problem} Problem */
/** @typedef {import('./types').StoredRecord} StoredRecord */
/** @typedef {import('./types').Visible} Visible */
/** @typedef {import('./types').Waiting} Waiting */

/** The collections whose records belong to one user. */
const OWNED = new Set(['habits', 'events', 'pauses']);

/**
 * The views of records without a waiting change, which stay the same objects.
 * @type {WeakMap<StoredRecord, Visible>}
 */
const plainViews = new WeakMap();

/**
 * Returns the visible records of a collection.
 * @param {string} collection
 * @param {ReadonlyMap<string, StoredRecord>} records
 * @param {ReadonlyMap<string, Waiting>} waiting
 * @param {string} user the person, who owns new records
 * @returns {Visible[]}
 */
export function visibleRecords(collection, records, waiting, user) {
  /** @type {Visible[]} */
  const visible = [];
  for (const record of records.values()) {
    if (record.collection === collection && !waiting.has(record.key)) visible.push(plainView(record));
  }
  for (const entry of inOrder(waiting.values())) {
    if (entry.collection === collection && !entry.removed) visible.push(waitingView(entry, user));
  }
  return visible.filter(({ properties }) => !isOfRemovedHabit(properties, waiting));
}

/**
 * The server deletes the events and pauses of a habit with the habit.
 * @param {Readonly<Record<string, any>>} properties
 * @param {ReadonlyMap<string, Waiting>} waiting
 */
function isOfRemovedHabit({ habit }, waiting) {
  return typeof habit === 'string' && waiting.get(`habits/${habit}`)?.removed === true;
}

/**
 * Returns the fields that the server adds to a new record of the person.
 * @param {string} collection
 * @param {string} user
 */
export function ownerOf(collection, user) {
  return OWNED.has(collection) ? { user } : {};
}

/**
 * @param {StoredRecord} record
 * @returns {Visible}
 */
function plainView(record) {
  const known = plainViews.get(record);
  if (known) return known;
  const { id, collection, version, fields } = record;
  const { geometry, ...properties } = fields;
  const view = { id, collection, version, geometry, properties };
  plainViews.set(record, view);
  return view;
}

/**
 * @param {Waiting} entry
 * @param {string} user
 * @returns {Visible}
 */
function waitingView(entry, user) {
  const { id, collection, base } = entry;
  const { geometry = null, ...fields } = wantedFields(entry);
  const properties = { id, ...ownerOf(collection, user), ...fields };
  const problem = entry.problem && problemOf(entry);
  return { id, collection, version: base?.version, geometry, properties, waiting: true, problem };
}

/**
 * Returns the problem of an entry as views see it.
 * @param {Waiting} entry an entry with a problem
 * @returns {Problem}
 */
export function problemOf(entry) {
  const { key, collection, id, removed, problem } = entry;
  if (!problem) throw new Error(`${key} has no problem`);
  return { ...problem, key, collection, id, mine: removed ? null : wantedFields(entry) };
}
