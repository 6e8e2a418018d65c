// The fields of the page that creates or changes a habit, with the rules that the server checks again.

import { characterCount } from '../../texts/characters.js';
import { WEEKDAYS } from '../../texts/schedule.js';

/** The numbers of the colors of habits. */
export const TINTS = [1, 2, 3, 4, 5, 6];
/** The longest period of a target, in days. */
const LONGEST_PERIOD = 9999;
/** The longest symbol, in bytes. A character can have any number of combining marks. */
const LONGEST_SYMBOL = 64;

/**
 * The contents of the fields. Numbers and dates are texts, because a field can contain anything.
 * @typedef {object} HabitFields
 * @property {string} title
 * @property {string} reason
 * @property {'days'|'times'} repeat whether the habit has weekdays or a target
 * @property {string[]} days the chosen weekdays
 * @property {string} times
 * @property {string} periodDays
 * @property {string} targetAmount
 * @property {string} unit
 * @property {string} start
 * @property {string} end
 * @property {string} remindAt
 * @property {number|null} tint
 * @property {string} symbol
 */

/**
 * What is wrong with a field: the slug of the server's error with its values.
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
 * Returns the fields of a new habit, which is due every day.
 * @param {string} today
 * @returns {HabitFields}
 */
export function newForm(today) {
  return {
    title: '',
    reason: '',
    repeat: 'days',
    days: [...WEEKDAYS],
    times: '3',
    periodDays: '7',
    targetAmount: '',
    unit: '',
    start: today,
    end: '',
    remindAt: '',
    tint: null,
    symbol: '',
  };
}

/**
 * Returns the fields of a stored habit.
 * @param {Readonly<Record<string, any>>} habit the properties of the habit
 * @returns {HabitFields}
 */
export function formOf(habit) {
  const hasTarget = habit.times !== null && habit.times !== undefined;
  return {
    title: habit.title,
    reason: habit.reason ?? '',
    repeat: hasTarget ? 'times' : 'days',
    days: habit.days ? habit.days.split(' ') : [...WEEKDAYS],
    times: String(habit.times ?? 3),
    periodDays: String(habit.period_days ?? 7),
    targetAmount: habit.target_amount ? String(habit.target_amount) : '',
    unit: habit.unit ?? '',
    start: habit.start ?? '',
    end: habit.end ?? '',
    remindAt: habit.remind_at ?? '',
    tint: habit.tint ?? null,
    symbol: habit.symbol ?? '',
  };
}

/**
 * Returns the properties of the habit that the fields describe.
 * @param {HabitFields} form fields without problems
 * @returns {Record<string, string|number|null>}
 */
export function propertiesOf(form) {
  const hasTarget = form.repeat === 'times';
  const chosenDays = WEEKDAYS.filter(name => form.days.includes(name));
  return {
    title: form.title.trim(),
    reason: form.reason.trim() || null,
    days: hasTarget ? null : chosenDays.join(' '),
    times: hasTarget ? Number(form.times) : null,
    period_days: hasTarget ? Number(form.periodDays) : null,
    target_amount: form.targetAmount ? amountOf(form.targetAmount) : null,
    unit: form.unit.trim() || null,
    start: form.start || null,
    end: form.end || null,
    remind_at: form.remindAt || null,
    tint: form.tint,
    symbol: form.symbol.trim() || null,
  };
}

/**
 * Returns the properties that the fields change.
 * @param {HabitFields} form fields without problems
 * @param {Readonly<Record<string, any>>} stored the properties of the stored habit
 */
export function changesOf(form, stored) {
  const changes = Object.entries(propertiesOf(form)).filter(([name, value]) => value !== (stored[name] ?? null));
  return Object.fromEntries(changes);
}

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
  else if (characterCount(title) > limits.title) problems.title = { slug: 'title-too-long', parameters: { limit: limits.title } };
  else if (isTaken(title, takenTitles)) problems.title = { slug: 'title-taken' };
  if (characterCount(form.reason.trim()) > limits.reason) {
    problems.reason = { slug: 'reason-too-long', parameters: { limit: limits.reason } };
  }
  if (characterCount(form.unit.trim()) > limits.unit) problems.unit = { slug: 'unit-too-long', parameters: { limit: limits.unit } };
  if (form.targetAmount && !isAmount(form.targetAmount)) problems.targetAmount = { slug: 'amount-invalid' };
  if (form.start && form.end && form.end < form.start) problems.end = { slug: 'end-before-start' };
  const symbol = form.symbol.trim();
  if (symbol && !isSymbol(symbol)) problems.symbol = { slug: 'symbol-invalid' };
  return { ...problems, ...scheduleProblems(form) };
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
  if (!isIntegerUpTo(LONGEST_PERIOD, period)) return { periodDays: { slug: 'period-invalid', parameters: { limit: LONGEST_PERIOD } } };
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
 * Reads an amount, which people write with a point or with a comma.
 * @param {string} text
 */
function amountOf(text) {
  return Number(text.trim().replace(',', '.'));
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
