// The rules of events: a habit has one event for each day, the outcome of an event does not change, and its instant
// belongs to its day.

import { keyOf } from './fields.js';
import { newID } from './ids.js';

/** @typedef {import('./types').Fields} Fields */
/** @typedef {import('./types').Operation} Operation */
/** @typedef {import('./types').Visible} Visible */
/** @typedef {import('./copy.js').Copy} Copy */
/** @typedef {import('./edits.js').Edits} Edits */

/**
 * Returns what saves an event. If the habit has another event on the day of a new event, that event is changed. If the
 * outcome changes, another event replaces it.
 * @param {Copy} copy
 * @param {Edits} edits
 * @param {string} id
 * @param {Fields} fields
 * @param {Blob | null} [photo] the photo of the replaced event, which the new event gets
 * @returns {{id: string, operations: Operation[]}} the ID of the event
 */
export function savingEvent(copy, edits, id, fields, photo = null) {
  const stored = storedEvent(copy, id, fields);
  if (!stored) return { id, operations: [...releasing(copy, fields), ...edits.saving('events', id, fields)] };
  const changes = { ...fields, ...instantOf(copy, stored, fields) };
  const moved = { ...stored.properties, ...fields };
  const released = isSameDay(stored.properties, moved) ? [] : releasing(copy, moved);
  if (!isReplaced(copy, stored, fields)) {
    return { id: stored.id, operations: [...released, ...edits.saving('events', stored.id, changes)] };
  }
  const replacement = newID();
  const { operations } = edits.removing('events', stored.id);
  /** @type {Fields} */
  const values = { ...stored.properties, geometry: stored.geometry, ...changes };
  if (photo) {
    values.photo = newID();
    operations.push({ part: 'photos', key: values.photo, value: photo });
  }
  const saving = edits.saving('events', replacement, values);
  return { id: replacement, operations: [...released, ...operations, ...saving] };
}

/**
 * Returns the event that a save deletes, because a new event with another outcome replaces it.
 * @param {Copy} copy
 * @param {string | null} id
 * @param {Fields} fields
 */
export function replacedEvent(copy, id, fields) {
  const stored = storedEvent(copy, id, fields);
  return stored && isReplaced(copy, stored, fields) ? stored : undefined;
}

/**
 * Returns the event that a save changes.
 * @param {Copy} copy
 * @param {string | null} id
 * @param {Fields} fields
 */
function storedEvent(copy, id, fields) {
  return find(copy, event => event.id === id) ?? find(copy, event => isSameDay(event.properties, fields));
}

/**
 * The outcome of an event that the server has, or may have, does not change.
 * @param {Copy} copy
 * @param {Visible} stored
 * @param {Fields} fields
 */
function isReplaced(copy, { id, version, properties }, { outcome }) {
  if (outcome === undefined || outcome === (properties.outcome ?? 'done')) return false;
  const isOnItsWay = copy.waiting.get(keyOf('events', id))?.sending !== undefined;
  return Boolean(version) || isOnItsWay;
}

/**
 * Returns the instant of an event that moves to another day: it belongs to the day. An event that moves back to the day
 * that the server has gets its instant back.
 * @param {Copy} copy
 * @param {Visible} stored
 * @param {Fields} fields
 */
function instantOf(copy, { id, properties }, { day, at }) {
  if (day === undefined || day === properties.day || at !== undefined) return {};
  const base = copy.records.get(keyOf('events', id))?.fields;
  return { at: base?.day === day ? base?.at ?? null : null };
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
 * @param {(event: Visible) => boolean} matches
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
