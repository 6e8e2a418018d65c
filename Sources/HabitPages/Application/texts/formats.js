// Days, numbers and lists in the language of the person. A day is a local date such as `2026-11-20`.

import { language, text } from './text.js';

const MILLISECONDS_PER_DAY = 86_400_000;
const MONDAY = 1;
const METERS_PER_KILOMETER = 1000;

/**
 * Whether a text of an address is a day that exists. `Date` also reads `2026-02-30`.
 * @param {string | null | undefined} text
 */
export function isDay(text) {
  if (!text || !/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T12:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/**
 * Returns a day as text.
 * @param {string} day
 * @param {Intl.DateTimeFormatOptions} options
 */
export function dayText(day, options) {
  const noon = new Date(`${day}T12:00:00Z`);
  return new Intl.DateTimeFormat(language(), { timeZone: 'UTC', ...options }).format(noon);
}

/**
 * Returns a day with its weekday, such as `Friday, 20 November`.
 * @param {string} day
 */
export function longDayText(day) {
  return dayText(day, { weekday: 'long', day: 'numeric', month: 'long' });
}

/**
 * Returns the day of a record for a list: `today`, `yesterday`, or the date.
 * @param {string} day
 * @param {string} today
 */
export function listDayText(day, today) {
  const distance = daysBetween(day, today);
  if (distance === 0) return text('day.today');
  if (distance === 1) return text('day.yesterday');
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  return dayText(day, { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) });
}

/**
 * Returns the time of an instant on this device.
 * @param {string | number} instant
 */
export function timeText(instant) {
  return new Intl.DateTimeFormat(language(), { hour: 'numeric', minute: '2-digit' }).format(new Date(instant));
}

/**
 * @param {number} number
 * @param {Intl.NumberFormatOptions} [options]
 */
export function numberText(number, options) {
  return new Intl.NumberFormat(language(), options).format(number);
}

/**
 * Returns a distance as text, such as `20 m` or `1.5 km`.
 * @param {number} meters
 */
export function distanceText(meters) {
  const isShort = meters < METERS_PER_KILOMETER;
  const value = isShort ? meters : meters / METERS_PER_KILOMETER;
  const unit = isShort ? 'meter' : 'kilometer';
  return numberText(value, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 });
}

/**
 * Returns texts as a list, such as `a, b and c`.
 * @param {string[]} parts
 */
export function listText(parts) {
  return new Intl.ListFormat(language(), { type: 'conjunction', style: 'narrow' }).format(parts);
}

/**
 * Returns the first day of the week that contains a day.
 * @param {string} day
 */
export function startOfWeek(day) {
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
  return addDays(day, -((weekday - firstWeekday() + 7) % 7));
}

/**
 * @param {string} day
 * @param {number} count
 */
export function addDays(day, count) {
  const date = new Date(Date.parse(`${day}T12:00:00Z`) + count * MILLISECONDS_PER_DAY);
  return date.toISOString().slice(0, 10);
}

/**
 * Returns the number of days from one day to another.
 * @param {string} from
 * @param {string} to
 */
export function daysBetween(from, to) {
  return Math.round((Date.parse(to) - Date.parse(from)) / MILLISECONDS_PER_DAY);
}

/** Returns the first weekday of the language, where 0 and 7 are Sunday. A browser without this data has Monday. */
function firstWeekday() {
  const locale = /** @type {{ weekInfo?: { firstDay: number }, getWeekInfo?: () => { firstDay: number } }} */ (
    new Intl.Locale(language())
  );
  const week = locale.getWeekInfo?.() ?? locale.weekInfo;
  return (week?.firstDay ?? MONDAY) % 7;
}
