// The decisions of the person about the problems of waiting changes.

import { differencesFrom, inserted, newHabitOf } from './queue.js';
import { replacing } from './edits.js';
import { wantedFields } from './fields.js';

/** @typedef {import('./types').Operation} Operation */
/** @typedef {import('./types').Waiting} Waiting */
/** @typedef {import('./types').StoredRecord} StoredRecord */
/** @typedef {import('./copy.js').Copy} Copy */
/** @typedef {import('./edits.js').Edits} Edits */

/**
 * Returns the operations that discard a change. The record is then as on the server.
 * @param {Copy} copy
 * @param {Waiting} entry
 * @returns {Operation[]}
 */
export function discarding(copy, entry) {
  const { waiting } = copy;
  // The server cannot accept the events and pauses of a habit that it never gets.
  const parts = [...waiting.values()].filter(part => newHabitOf(part, waiting)?.key === entry.key);
  return [entry, ...parts].flatMap(part => replacing(part, undefined, part.key));
}

/**
 * Returns the operations that keep the own values. They are sent again.
 * @param {Copy} copy
 * @param {Edits} edits
 * @param {Waiting} entry
 * @returns {Operation[]}
 */
export function insisting(copy, edits, entry) {
  const { problem, key } = entry;
  const other = problem?.other ? copy.records.get(problem.other) : undefined;
  if (other) return insistingOnEvent(edits, entry, other);
  const again = { ...entry, problem: undefined };
  if (problem?.kind === 'refused') return replacing(entry, again, key);
  return replacing(entry, basedOn(again, copy.records.get(key)), key);
}

/**
 * @param {Waiting} entry
 * @param {StoredRecord | undefined} theirs
 * @returns {Waiting | undefined}
 */
function basedOn(entry, theirs) {
  if (!theirs) {
    const { has_photo, ...fields } = wantedFields(entry);
    const { photo } = entry.changes;
    return entry.removed ? undefined : inserted(entry, photo ? { ...fields, photo } : fields);
  }
  const base = { fields: theirs.fields, version: theirs.version };
  return { ...entry, base, changes: differencesFrom(base, entry.changes) };
}

/**
 * Moves the own values to the event that the habit already has on the day. The outcome of an event cannot change, so
 * an event with another outcome is replaced.
 * @param {Edits} edits
 * @param {Waiting} entry
 * @param {StoredRecord} other
 * @returns {Operation[]}
 */
function insistingOnEvent(edits, entry, other) {
  const { outcome = 'done', ...changes } = entry.changes;
  if (outcome === other.fields.outcome) {
    const saving = edits.saving(other.collection, other.id, changes);
    return [...saving, { part: 'waiting', key: entry.key }];
  }
  const { operations } = edits.removing(other.collection, other.id);
  const again = edits.later({ ...entry, problem: undefined });
  return [...operations, ...replacing(entry, again, entry.key)];
}
