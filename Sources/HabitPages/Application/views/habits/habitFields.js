// The fields of the page that creates or changes a habit.

import { WEEKDAYS } from '../../texts/schedule.js';

/** The numbers of the colors of habits. */
export const TINTS = [1, 2, 3, 4, 5, 6];
const SCHEDULE = ['days', 'times', 'period_days'];

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
 * Returns the properties that the person has changed. Another device may have changed the others. The properties of the
 * schedule belong together.
 * @param {HabitFields} form fields without problems
 * @param {HabitFields} opened the fields when the form was opened
 */
export function changesOf(form, opened) {
  const properties = propertiesOf(form);
  const former = propertiesOf(opened);
  const changed = Object.keys(properties).filter(name => properties[name] !== former[name]);
  const isRescheduled = changed.some(name => SCHEDULE.includes(name));
  const names = isRescheduled ? [...changed, ...SCHEDULE] : changed;
  return Object.fromEntries(names.map(name => [name, properties[name]]));
}

/**
 * Reads an amount, which people write with a point or with a comma.
 * @param {string} text
 */
export function amountOf(text) {
  return Number(text.trim().replace(',', '.'));
}
