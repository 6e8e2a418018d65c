import { html } from '../library.js';

// Lines in a square of 24 units.
const PATHS = {
  add: 'M12 5v14M5 12h14',
  back: 'M15 5l-7 7 7 7',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  camera: 'M4 8h3l2-3h6l2 3h3v11H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Z',
  check: 'M5 12.5l4.5 4.5L19 7',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3 2',
  close: 'M6 6l12 12M18 6 6 18',
  down: 'M6 9l6 6 6-6',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  forward: 'M9 5l7 7-7 7',
  habits: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  history: 'M4 5v4h4M4.6 9A8 8 0 1 1 4 13M12 8v4.5l3 1.5',
  items: 'M4 8h16v12H4zM4 8l2-4h12l2 4M12 4v4',
  leave: 'M14 4H5v16h9M10 12h10M16 8l4 4-4 4',
  map: 'M9 4 3 6.5V20l6-2.5 6 2.5 6-2.5V4l-6 2.5zM9 4v13.5M15 6.5V20',
  me: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20a7.5 7.5 0 0 1 15 0',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  people: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20a6.5 6.5 0 0 1 13 0'
    + 'M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.2a6.5 6.5 0 0 1 3.5 5.8',
  place: 'M12 21c4-5 7-8 7-11a7 7 0 0 0-14 0c0 3 3 6 7 11ZM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  posts: 'M4 5h16v14H4zM4 15l4-4 5 5 3-3 4 4M15 9.5h.01',
  remove: 'M5 12h14',
  reports: 'M4 20h16M7 16v-5M12 16V5M17 16V9',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20 20',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13',
  up: 'M6 15l6-6 6 6',
  warning: 'M12 4 2.5 20h19zM12 10v4M12 17h.01',
};

/** @typedef {keyof typeof PATHS} IconName */

/**
 * An icon without a name for screen readers: the element around it has one.
 * @param {{ name: IconName }} properties
 */
export function Icon({ name }) {
  return html`<svg class=${`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
}
