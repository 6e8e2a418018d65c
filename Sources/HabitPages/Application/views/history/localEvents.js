// The history from the copy on this device.

import { matcherOf, newestFirst } from './historyFilter.js';

/** @typedef {import('../../store/types').Visible} Visible */
/** @typedef {import('./historyFilter.js').HistoryFilter} HistoryFilter */
/** @typedef {import('./historyFilter.js').Scope} Scope */

/**
 * Returns the events of the copy that a filter selects, newest first.
 * @param {object} copy
 * @param {readonly Visible[]} copy.events
 * @param {readonly Visible[]} copy.habits
 * @param {string} copy.person the ID of the person
 * @param {HistoryFilter} filter
 * @returns {Visible[]}
 */
export function localEvents({ events, habits, person }, filter) {
  // The events of a habit that was deleted offline stay in the copy until the server has deleted them.
  const known = new Set(habits.map(({ id }) => id));
  const visible = events.filter(({ properties }) => known.has(properties.habit));
  const inScope = eventsOf(visible, filter.scope, person);
  return inScope.filter(matcherOf(filter)).sort(newestFirst);
}

/**
 * @param {Visible[]} events
 * @param {Scope} scope
 * @param {string} person
 */
function eventsOf(events, scope, person) {
  if (scope === 'all') return events;
  const isOwn = (/** @type {Visible} */ { properties }) => (properties.user ?? person) === person;
  if (scope === 'mine') return events.filter(isOwn);
  return newestOfHabits(events.filter(event => !isOwn(event)));
}

/**
 * Returns the newest event of each habit.
 * @param {Visible[]} events
 */
function newestOfHabits(events) {
  /** @type {Map<string, Visible>} */
  const newest = new Map();
  for (const event of events) {
    const { habit } = event.properties;
    const former = newest.get(habit);
    if (!former || newestFirst(event, former) < 0) newest.set(habit, event);
  }
  return [...newest.values()];
}
