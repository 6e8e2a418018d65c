// The filter of the history: what it selects, and how the address of the page and a request contain it.

import { isDay } from '../../texts/formats.js';
import { distance } from './distance.js';

/** @typedef {'mine' | 'friends' | 'all'} Scope */
/** @typedef {import('./distance.js').Position} Position */

/**
 * The position is not in the address of the page, since addresses stay in the history of the browser.
 * @typedef {object} HistoryFilter
 * @property {Scope} scope whose events the history contains
 * @property {readonly string[]} habits the IDs of the habits; empty for all habits
 * @property {string} comment a text that the comment contains; empty for all events
 * @property {string} from the first day; empty without a limit
 * @property {string} to the last day; empty without a limit
 * @property {number} kilometers the greatest distance from the position
 * @property {Position | null} position the center, or null for events at any place or without a position
 */

export const SCOPES = /** @type {const} */ (['mine', 'friends', 'all']);
export const STANDARD_KILOMETERS = 5;
const METERS_PER_KILOMETER = 1000;
/** Half of the longest way around the Earth. */
const MOST_KILOMETERS = 20038;

/** @type {HistoryFilter} */
export const EMPTY_FILTER = {
  scope: 'mine', habits: [], comment: '', from: '', to: '', kilometers: STANDARD_KILOMETERS, position: null,
};

/**
 * Returns the filter that the address of the page contains. A value that is invalid is ignored.
 * @param {string} search the query of the address
 * @returns {HistoryFilter}
 */
export function filterOf(search) {
  const query = new URLSearchParams(search);
  const scope = SCOPES.find(name => name === query.get('scope')) ?? 'mine';
  const kilometers = Number(query.get('within') ?? STANDARD_KILOMETERS);
  return {
    scope,
    habits: query.getAll('habit'),
    comment: query.get('comment') ?? '',
    from: dayOf(query.get('from')),
    to: dayOf(query.get('to')),
    kilometers: isDistance(kilometers) ? kilometers : STANDARD_KILOMETERS,
    position: null,
  };
}

/**
 * Returns the query that stores a filter in the address of the page. It does not begin with `?`.
 * @param {HistoryFilter} filter
 */
export function searchOf(filter) {
  const query = new URLSearchParams();
  if (filter.scope !== 'mine') query.set('scope', filter.scope);
  for (const habit of filter.habits) query.append('habit', habit);
  if (filter.comment) query.set('comment', filter.comment);
  if (filter.from) query.set('from', filter.from);
  if (filter.to) query.set('to', filter.to);
  if (filter.kilometers !== STANDARD_KILOMETERS) query.set('within', String(filter.kilometers));
  return query.toString();
}

/**
 * Returns the query of a request for the events that the filter selects, newest first.
 * @param {HistoryFilter} filter
 * @param {number} limit the number of events of a page
 */
export function requestOf(filter, limit) {
  const query = new URLSearchParams({ scope: filter.scope, sortby: '-time', limit: String(limit), f: 'geojson' });
  if (filter.habits.length) query.set('filter', `habit IN (${filter.habits.map(quoted).join(', ')})`);
  if (filter.comment) query.set('comment-contains', filter.comment);
  if (filter.from || filter.to) query.set('datetime', `${filter.from || '..'}/${filter.to || '..'}`);
  if (filter.position) {
    query.set('near', filter.position.join(','));
    query.set('within', `${filter.kilometers}km`);
  }
  return query.toString();
}

/** @typedef {{id: string, geometry?: {coordinates: number[]} | null, properties: Record<string, any>}} EventRecord */

/**
 * Returns whether the filter selects an event. Its scope is not considered.
 * @param {HistoryFilter} filter
 * @returns {(event: EventRecord) => boolean}
 */
export function matcherOf(filter) {
  const habits = new Set(filter.habits);
  const comment = folded(filter.comment);
  const { position } = filter;
  const meters = filter.kilometers * METERS_PER_KILOMETER;
  return ({ geometry, properties }) => {
    if (habits.size && !habits.has(properties.habit)) return false;
    if (filter.from && properties.day < filter.from) return false;
    if (filter.to && properties.day > filter.to) return false;
    if (comment && !folded(properties.comment ?? '').includes(comment)) return false;
    if (!position) return true;
    if (!geometry) return false;
    const [longitude, latitude] = geometry.coordinates;
    return distance(position, [longitude, latitude]) <= meters;
  };
}

/**
 * Compares two events by day, instant and ID, all descending, as the server does.
 * @param {EventRecord} first
 * @param {EventRecord} second
 */
export function newestFirst(first, second) {
  return descending(first.properties.day, second.properties.day)
    || descending(instantOf(first), instantOf(second))
    || descending(first.id, second.id);
}

/**
 * @param {string | number} first
 * @param {string | number} second
 */
function descending(first, second) {
  if (first === second) return 0;
  return first > second ? -1 : 1;
}

/**
 * Returns the instant of an event. An event of which only the day is known follows the others of its day.
 * @param {EventRecord} event
 */
function instantOf({ properties }) {
  return properties.at ? Date.parse(properties.at) : -Infinity;
}

/**
 * Whether a number is a distance that the server accepts, in kilometers.
 * @param {number} kilometers
 */
export function isDistance(kilometers) {
  return kilometers > 0 && kilometers <= MOST_KILOMETERS;
}

/**
 * Returns a text without the difference between upper and lower case. It is the full case folding of Unicode, except
 * that the dotless i of Turkish equals i.
 * @param {string} original
 */
function folded(original) {
  const lower = original.normalize('NFC').toUpperCase().toLowerCase();
  return lower.replaceAll('ς', 'σ').normalize('NFC');
}

/**
 * Returns a text of CQL2, in which a quote is written twice.
 * @param {string} value
 */
function quoted(value) {
  return `'${value.replaceAll("'", "''")}'`;
}

/**
 * Returns a day, or an empty text if the value is not a day.
 * @param {string | null} value
 */
function dayOf(value) {
  return value && isDay(value) ? value : '';
}
