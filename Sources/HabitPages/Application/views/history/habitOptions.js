// The habits that the filter offers.

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('../../store/types').Visible} Visible */
/** @typedef {import('./HabitChoice.js').HabitOption} HabitOption */

/**
 * Returns the habits whose events a scope contains, by user and title. Own habits are first.
 * @param {StoreInterface} store
 * @param {import('./historyFilter.js').Scope} scope
 * @returns {HabitOption[]}
 */
export function habitOptions(store, scope) {
  const person = store.state.account.id;
  const isOwn = (/** @type {Visible} */ { properties }) => (properties.user ?? person) === person;
  const isInScope = (/** @type {Visible} */ habit) => scope === 'all' || isOwn(habit) === (scope === 'mine');
  const options = store.records('habits').filter(isInScope).map(habit => {
    const { title, user } = habit.properties;
    return { id: habit.id, title, ...(isOwn(habit) ? {} : { userName: nameOf(store, user) }) };
  });
  return options.sort(compareOptions);
}

/**
 * Returns the name of a user, or the ID of a user without a name.
 * @param {StoreInterface} store
 * @param {string} user
 * @returns {string}
 */
export function nameOf(store, user) {
  return store.find('users', user)?.properties.name || user;
}

/**
 * @param {HabitOption} first
 * @param {HabitOption} second
 */
function compareOptions(first, second) {
  return (first.userName ?? '').localeCompare(second.userName ?? '') || first.title.localeCompare(second.title);
}
