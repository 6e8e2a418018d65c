// The habits of the person, without those of other users.

/** @typedef {import('../../store/types').Visible} Visible */

/**
 * Returns whether a record belongs to the person. A new record that the server does not have yet has no owner.
 * @param {Visible} record
 * @param {string} person the ID of the person
 */
export function isOwn({ properties }, person) {
  return (properties.user ?? person) === person;
}

/**
 * Returns the habits of the person by rank, then by title.
 * @param {readonly Visible[]} habits
 * @param {string} person the ID of the person
 */
export function ownHabits(habits, person) {
  return habits.filter(habit => isOwn(habit, person)).sort(compareHabits);
}

/**
 * Returns the habits of the person that have not ended, in their order.
 * @param {import('../../store/types').StoreInterface} store
 */
export function activeHabits(store) {
  const { account, today } = store.state;
  return ownHabits(store.records('habits'), account.id).filter(habit => !hasEnded(habit, today));
}

/**
 * @param {Visible} first
 * @param {Visible} second
 */
function compareHabits(first, second) {
  const ranks = (first.properties.rank ?? Infinity) - (second.properties.rank ?? Infinity);
  if (ranks) return ranks;
  return first.properties.title.localeCompare(second.properties.title) || first.id.localeCompare(second.id);
}

/**
 * Returns whether a habit has ended before a day.
 * @param {Visible} habit
 * @param {string} today
 */
export function hasEnded({ properties }, today) {
  return Boolean(properties.end) && properties.end < today;
}

/**
 * Returns the path of the view of a habit.
 * @param {string} id
 */
export function habitPath(id) {
  return `habits/${encodeURIComponent(id)}`;
}
