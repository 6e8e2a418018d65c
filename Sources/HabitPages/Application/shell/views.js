// The component of each view. Each gets the store and the route.

import { EditHabitView } from '../views/habits/EditHabitView.js';
import { HabitsView } from '../views/habits/HabitsView.js';
import { HabitView } from '../views/habits/HabitView.js';
import { HistoryView } from '../views/history/HistoryView.js';
import { PeopleView } from '../views/people/PeopleView.js';
import { PersonView } from '../views/people/PersonView.js';
import { Today } from '../views/today/Today.js';
import { Unknown } from './Unknown.js';

/** @typedef {import('../routes.js').Route} Route */
/** @typedef {import('../store/types').StoreInterface} StoreInterface */
/** @typedef {(properties: { store: StoreInterface, route: Route }) => import('preact-htm').Content} View */

/** @type {Partial<Record<import('../routes.js').ViewName, View>>} */
const views = {
  today: Today,
  habits: HabitsView,
  newHabit: EditHabitView,
  habit: HabitView,
  editHabit: EditHabitView,
  history: HistoryView,
  people: PeopleView,
  person: PersonView,
};

/**
 * Returns the component of a view.
 * @param {import('../routes.js').ViewName} name
 * @returns {View}
 */
export function viewNamed(name) {
  return views[name] ?? Unknown;
}
