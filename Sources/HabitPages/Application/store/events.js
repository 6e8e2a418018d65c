// The rules of events: a habit has one event for each day, and the outcome of an event does not change.

import { newID } from './ids.js';

/** @typedef {import('./types').Fields} Fields */
/** @typedef {import('./types').Operation} Operation */
/** @typedef {import('./copy.js').Copy} Copy */
/** @typedef {import('./edits.js').Edits} Edits */

/**
 * Returns what saves an event. If the habit has another event on the day, that event is changed. If the outcome
 * changes, another event replaces it.
 * @param {Copy} copy
 * @param {Edits} edits
 * @param {string} id
 * @param {Fields} fields
 * @returns {{id: string, operations: Operation[]}} the ID of the event
 */
export function savingEvent(copy, edits, id, fields) {
  const stored = find(copy, event => event.id === id) ?? find(copy, event => isSameDay(event.properties, fields));
  if (!stored) return { id, operations: [...releasing(copy, fields), ...edits.saving('events', id, fields)] };
  const isNew = !stored.version;
  const isOtherOutcome = fields.outcome !== undefined && fields.outcome !== (stored.properties.outcome ?? 'done');
  if (isNew || !isOtherOutcome) return { id: stored.id, operations: edits.saving('events', stored.id, fields) };
  const replacement = newID();
  const { operations } = edits.removing('events', stored.id);
  const values = { ...stored.properties, geometry: stored.geometry, ...fields };
  const saving = edits.saving('events', replacement, values);
  return { id: replacement, operations: [...operations, ...saving] };
}

/**
 * Sends the deletion of the former event of the day before the new event.
 * @param {Copy} copy
 * @param {Fields} fields
 * @returns {Operation[]}
 */
function releasing(copy, fields) {
  const deletions = [...copy.waiting.values()].filter(({ removed }) => removed);
  const ofDay = deletions.filter(({ base }) => base && isSameDay(base.fields, fields));
  return ofDay.map(entry => ({ part: 'waiting', key: entry.key, value: { ...entry, isHeld: false } }));
}

/**
 * @param {Copy} copy
 * @param {(event: import('./types').Visible) => boolean} matches
 */
function find(copy, matches) {
  return copy.list('events').find(matches);
}

/**
 * @param {Fields} one
 * @param {Fields} other
 */
function isSameDay(one, other) {
  return one.habit !== undefined && one.habit === other.habit && one.day === other.day;
}
