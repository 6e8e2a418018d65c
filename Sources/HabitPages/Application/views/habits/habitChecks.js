// The rules of the fields of a habit, which the server checks again.

import { characterCount } from '../../texts/characters.js';
import { amountOf } from './habitFields.js';

/** @typedef {import('./habitFields.js').HabitFields} HabitFields */

/** The longest period of a target, in days. */
const LONGEST_PERIOD = 9999;
/** The longest symbol, in bytes. A character can have any number of combining marks. */
const LONGEST_SYMBOL = 64;

/**
 * The problem of a field: the slug of the server's error with its values.
 * @typedef {{slug: string, parameters?: {limit: number}}} FieldProblem
 */

/** @typedef {Partial<Record<keyof HabitFields, FieldProblem>>} FormProblems */
/** @typedef {{title: number, reason: number, unit: number}} TextLimits */

/**
 * The limits of a server that has not been reached yet.
 * @type {TextLimits}
 */
export const STANDARD_LIMITS = { title: 20, reason: 30, unit: 20 };

/**
 * Checks the fields.
 * @param {HabitFields} form
 * @param {TextLimits} limits the longest texts, in characters
 * @param {readonly string[]} takenTitles the titles of the person's other habits
 * @returns {FormProblems} the problem of each invalid field
 */
export function problemsOf(form, limits, takenTitles) {
  /** @type {FormProblems} */
  const problems = {};
  const title = form.title.trim();
  if (!title) problems.title = { slug: 'title-empty' };
  else if (characterCount(title) > limits.title) problems.title = tooLong('title', limits);
  else if (isTaken(title, takenTitles)) problems.title = { slug: 'title-taken' };
  if (characterCount(form.reason.trim()) > limits.reason) problems.reason = tooLong('reason', limits);
  if (characterCount(form.unit.trim()) > limits.unit) problems.unit = tooLong('unit', limits);
  if (form.targetAmount && !isAmount(form.targetAmount)) problems.targetAmount = { slug: 'amount-invalid' };
  if (form.start && form.end && form.end < form.start) problems.end = { slug: 'end-before-start' };
  const symbol = form.symbol.trim();
  if (symbol && !isSymbol(symbol)) problems.symbol = { slug: 'symbol-invalid' };
  return { ...problems, ...scheduleProblems(form) };
}

/**
 * Returns the problem of a text that is too long.
 * @param {keyof TextLimits} name
 * @param {TextLimits} limits
 * @returns {FieldProblem}
 */
function tooLong(name, limits) {
  return { slug: `${name}-too-long`, parameters: { limit: limits[name] } };
}

/**
 * Checks the weekdays or the target.
 * @param {HabitFields} form
 * @returns {FormProblems}
 */
function scheduleProblems(form) {
  if (form.repeat === 'days') return form.days.length ? {} : { days: { slug: 'schedule-empty' } };
  const period = Number(form.periodDays);
  const times = Number(form.times);
  if (!isIntegerUpTo(LONGEST_PERIOD, period)) {
    return { periodDays: { slug: 'period-invalid', parameters: { limit: LONGEST_PERIOD } } };
  }
  if (!isIntegerUpTo(period, times)) return { times: { slug: 'times-invalid', parameters: { limit: period } } };
  return {};
}

/**
 * @param {number} limit
 * @param {number} number
 */
function isIntegerUpTo(limit, number) {
  return Number.isInteger(number) && number >= 1 && number <= limit;
}

/**
 * @param {string} title
 * @param {readonly string[]} takenTitles
 */
function isTaken(title, takenTitles) {
  const folded = title.normalize('NFC').toLowerCase();
  return takenTitles.some(taken => taken.normalize('NFC').toLowerCase() === folded);
}

/**
 * Returns whether a text is a number above 0.
 * @param {string} text
 */
function isAmount(text) {
  const amount = amountOf(text);
  return Number.isFinite(amount) && amount > 0;
}

/**
 * Returns whether a text is one visible character, such as an emoji.
 * @param {string} text
 */
function isSymbol(text) {
  const isShort = new TextEncoder().encode(text).length <= LONGEST_SYMBOL;
  const isInvisible = /^[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u.test(text);
  const changesDirection = /\p{Bidi_Control}/u.test(text);
  return isShort && !isInvisible && !changesDirection && characterCount(text) === 1;
}
