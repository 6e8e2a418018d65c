// What a person has entered in the sheet of an event.

import { differences } from '../../store/fields.js';
import { characterCount } from '../../texts/characters.js';
import { text } from '../../texts/text.js';
import { newEntry } from './entries.js';

/** @typedef {import('../../store/types').Visible} Visible */

/**
 * The position of the device, of a photo, or of the event when the form was opened. The person can move it.
 * @typedef {object} Origin
 * @property {import('./coordinates.js').Coordinates} coordinates
 * @property {number} [accuracy] in meters
 */

/**
 * @typedef {object} Draft
 * @property {string} comment
 * @property {string} amount the text of the field
 * @property {'done' | 'skipped'} outcome
 * @property {string} day the day of an event; empty for a new event
 * @property {Visible['geometry']} geometry
 * @property {Origin | null} origin where the position comes from, or `null` without a position
 * @property {Blob | null | undefined} photo a new photo, `null` to remove the photo, or `undefined` to keep it
 */

/**
 * Returns the draft of an event, or of a new one.
 * @param {Visible | undefined} event
 * @param {Readonly<Record<string, any>>} habit the properties of the habit
 * @returns {Draft}
 */
export function draftOf(event, habit) {
  const { comment, amount, outcome, day } = event?.properties ?? {};
  const geometry = event?.geometry ?? null;
  const shownAmount = event ? amount : habit.target_amount;
  return {
    comment: comment ?? '',
    amount: shownAmount === null || shownAmount === undefined ? '' : String(shownAmount),
    outcome: outcome === 'skipped' ? 'skipped' : 'done',
    day: day ?? '',
    geometry,
    origin: geometry && { coordinates: geometry.coordinates },
    photo: undefined,
  };
}

/**
 * Returns the problems of a draft by field. A draft without problems can be saved.
 * @param {Draft} draft
 * @param {number} commentLimit
 * @returns {{ comment?: string, amount?: string }}
 */
export function problemsOf({ comment, amount }, commentLimit) {
  /** @type {{ comment?: string, amount?: string }} */
  const problems = {};
  const excess = characterCount(comment.trim()) - commentLimit;
  if (excess > 0) problems.comment = text('field.tooLong', { count: excess });
  if (Number.isNaN(amountOf(amount))) problems.amount = text('amount.invalid');
  return problems;
}

/** The fields of a new event before the person enters them. */
const NOTHING = { comment: null, amount: null, geometry: null };

/**
 * Returns the fields to save. A new event also has its habit and day. A change has only what the person has changed,
 * since another device may have changed the rest.
 * @param {Draft} draft
 * @param {object} target
 * @param {Visible | undefined} target.event
 * @param {string} target.habit
 * @param {string} target.day
 * @param {Draft | undefined} target.opened the draft when the form was opened, or `undefined` if it had no event then
 */
export function fieldsOf(draft, { event, habit, day, opened }) {
  const entered = enteredOf(draft);
  if (!event) return { ...newEntry(habit, day), ...entered };
  if (!opened) return differences(entered, NOTHING);
  const move = draft.day === opened.day ? {} : { day: draft.day };
  return { ...differences(entered, enteredOf(opened)), ...move };
}

/**
 * Returns the fields of a draft.
 * @param {Draft} draft
 */
function enteredOf({ comment, amount, outcome, geometry }) {
  return { comment: comment.trim() || null, amount: amountOf(amount), outcome, geometry };
}

/**
 * Returns the number of a field, `null` if it is empty, or `NaN` if it is not a number of at least 0.
 * @param {string} amount
 */
function amountOf(amount) {
  const digits = amount.trim().replace(',', '.');
  if (digits === '') return null;
  const number = Number(digits);
  return Number.isFinite(number) && number >= 0 ? number : NaN;
}
