// The field of the page that the server has refused.

/** @typedef {import('./habitFields.js').HabitFields} HabitFields */

/**
 * The fields of the page by the names that the server uses.
 * @type {Record<string, keyof HabitFields>}
 */
const FIELDS = {
  title: 'title',
  reason: 'reason',
  days: 'days',
  times: 'times',
  period_days: 'periodDays',
  target_amount: 'targetAmount',
  unit: 'unit',
  start: 'start',
  end: 'end',
  remind_at: 'remindAt',
  symbol: 'symbol',
};

/**
 * Returns the field that the server has refused, or `undefined` if the page has no such field.
 * @param {import('../../store/types').Problem} problem
 */
export function refusedField({ field }) {
  return field === undefined ? undefined : FIELDS[field];
}
