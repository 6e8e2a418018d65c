// The places to which the navigation leads.

/** @typedef {import('../components/Icon.js').IconName} IconName */
/** @typedef {import('../routes.js').ViewName} ViewName */
/** @typedef {import('../texts/text.js').TextKey} TextKey */

/**
 * @typedef {object} Destination
 * @property {string} path the path below the root
 * @property {TextKey} label
 * @property {IconName} icon
 * @property {ViewName[]} views the views that this destination contains; empty for a page of the server
 * @property {string} [section] the part of the server that must be on
 * @property {string} [key] the second key of the shortcut, after `g`
 */

/** @type {Destination} */
const today = {
  path: 'days',
  label: 'nav.today',
  icon: 'check',
  views: ['today', 'event', 'newEvent'],
  section: 'habits',
  key: 't',
};
/** @type {Destination} */
const map = { path: 'map', label: 'nav.map', icon: 'map', views: [], key: 'm' };
/** @type {Destination} */
const items = {
  path: 'collections/items/items',
  label: 'nav.items',
  icon: 'items',
  views: [],
  section: 'items',
  key: 'i',
};
/** @type {Destination} */
const posts = {
  path: 'collections/posts/items',
  label: 'nav.posts',
  icon: 'posts',
  views: [],
  section: 'posts',
  key: 'p',
};

/**
 * The tabs of a phone. The tab "Me" follows them.
 * @type {Destination[]}
 */
export const tabs = [today, map, items, posts];

/**
 * The destinations of "Me".
 * @type {Destination[]}
 */
export const ownDestinations = [
  {
    path: 'habits',
    label: 'nav.habits',
    icon: 'habits',
    views: ['habits', 'newHabit', 'habit', 'editHabit'],
    section: 'habits',
    key: 'h',
  },
  { path: 'history', label: 'nav.history', icon: 'history', views: ['history'], section: 'habits', key: 'y' },
  { path: 'people', label: 'nav.people', icon: 'people', views: ['people', 'person'], key: 'e' },
  { path: 'reports', label: 'nav.reports', icon: 'reports', views: [], key: 'r' },
  { path: 'account', label: 'nav.account', icon: 'me', views: [], key: 'a' },
];

/**
 * Returns the destinations that a server has.
 * @param {Destination[]} destinations
 * @param {readonly string[] | undefined} sections the sections of `GET /settings`; all if they are unknown
 */
export function available(destinations, sections) {
  return destinations.filter(({ section }) => !section || !sections || sections.includes(section));
}
