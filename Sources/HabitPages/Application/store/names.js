// The names under which the browser keeps data. Servers with the same origin and different paths share its storage.

import { root } from '../root.js';

/**
 * Returns the name of something that belongs to this server.
 * @param {string} name
 * @param {string} path the path of the server
 */
export function storedName(name, path = root.pathname) {
  return path === '/' ? name : `${name}@${path}`;
}

/**
 * Returns the name of the database of a person.
 * @param {string} user
 */
export function databaseName(user) {
  return storedName(`habitat-${user}`);
}

/**
 * Whether the name of a database belongs to this server.
 * @param {string} name
 * @param {string} path the path of the server
 */
export function isOfServer(name, path = root.pathname) {
  if (!name.startsWith('habitat-')) return false;
  return path === '/' ? !name.includes('@/') : name.endsWith(`@${path}`);
}
