// The addresses of the views. Each view has one, so that it can be reloaded, shared and reached with the back button.

import { useEffect, useState } from './library.js';
import { address, root } from './root.js';

/**
 * @typedef {'today' | 'habits' | 'newHabit' | 'habit' | 'editHabit' | 'history' | 'people' | 'person'} PageName
 */
/** @typedef {PageName | 'event' | 'newEvent' | 'unknown'} ViewName */
/**
 * @typedef {object} Route
 * @property {ViewName} name
 * @property {string} path the path below the root, such as `days/2026-11-20`
 * @property {string} query such as `?comment=rain`; empty without parameters
 * @property {Record<string, string>} parameters the variable parts of the path, and the query
 */

/** @type {[string, ViewName][]} */
const PATTERNS = [
  ['days', 'today'],
  ['days/:day', 'today'],
  ['habits', 'habits'],
  ['habits/new', 'newHabit'],
  ['habits/:habit', 'habit'],
  ['habits/:habit/edit', 'editHabit'],
  ['history', 'history'],
  ['people', 'people'],
  ['people/:person', 'person'],
  ['events/new', 'newEvent'],
  ['events/:event', 'event'],
];

/** @type {Route} */
const UNKNOWN = { name: 'unknown', path: '', query: '', parameters: {} };

const CHANGED = 'habitat-route';

/**
 * Returns the route of an address, or `undefined` if another server, or a page of the server, has this address.
 * @param {URL} url
 * @returns {Route | undefined}
 */
export function routeOf(url) {
  if (url.origin !== root.origin || !url.pathname.startsWith(root.pathname)) return undefined;
  const path = url.pathname.slice(root.pathname.length);
  for (const [pattern, name] of PATTERNS) {
    const parts = match(pattern, path);
    if (!parts) continue;
    const parameters = { ...Object.fromEntries(url.searchParams), ...parts };
    return { name, path, query: url.search, parameters };
  }
  return undefined;
}

/**
 * Opens a view.
 * @param {string} path the path below the root
 * @param {{ replace?: boolean, below?: string }} [options] `below` is the view under a sheet
 */
export function navigate(path, options = {}) {
  const state = { below: options.below };
  if (options.replace) history.replaceState(state, '', address(path));
  else history.pushState(state, '', address(path));
  dispatchEvent(new Event(CHANGED));
}

/**
 * Closes the sheet of the current address and opens the view under it.
 * @param {string} fallback the path of the view if the page was opened with the sheet
 */
export function leaveSheet(fallback) {
  if (history.state?.below) history.back();
  else navigate(fallback, { replace: true });
}

/** Returns the route of the page, and renders again when it changes. */
export function useRoute() {
  const [route, setRoute] = useState(currentRoute);
  useEffect(() => {
    const update = () => setRoute(currentRoute());
    addEventListener('popstate', update);
    addEventListener(CHANGED, update);
    return () => {
      removeEventListener('popstate', update);
      removeEventListener(CHANGED, update);
    };
  }, []);
  return route;
}

/** @returns {Route & { below?: Route }} the route of the page and, for a sheet, that of the view under it */
function currentRoute() {
  const route = routeOf(new URL(location.href)) ?? UNKNOWN;
  const below = history.state?.below;
  return below ? { ...route, below: routeOf(new URL(address(below))) } : route;
}

/**
 * Returns the variable parts of a path, or `undefined` if it does not match.
 * @param {string} pattern
 * @param {string} path
 */
function match(pattern, path) {
  const names = pattern.split('/');
  const values = path.split('/');
  if (names.length !== values.length) return undefined;
  /** @type {Record<string, string>} */
  const parts = {};
  for (const [index, name] of names.entries()) {
    const value = decode(values[index]);
    if (name.startsWith(':') && value) parts[name.slice(1)] = value;
    else if (name !== value) return undefined;
  }
  return parts;
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
