// The component of each view. Each gets the store and the route.

import { Today } from '../views/today/Today.js';
import { Unknown } from './Unknown.js';

/** @typedef {import('../routes.js').Route} Route */
/** @typedef {import('../store/types').StoreInterface} StoreInterface */
/** @typedef {(properties: { store: StoreInterface, route: Route }) => import('preact-htm').Content} View */

/** @type {Partial<Record<import('../routes.js').ViewName, View>>} */
const views = {
  today: Today,
};

/**
 * Returns the component of a view.
 * @param {import('../routes.js').ViewName} name
 * @returns {View}
 */
export function viewNamed(name) {
  return views[name] ?? Unknown;
}
