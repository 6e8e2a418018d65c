// The requests that need a connection: they are no changes of records that the person owns.

import { address } from '../../root.js';

/**
 * Asks a user again who has declined. Only the user can change the declined request, so that it is not a change of it.
 * @param {string} user
 */
export async function requestAgain(user) {
  const headers = { 'Content-Type': 'application/json' };
  return send('POST', 'collections/follows/items', { headers, body: JSON.stringify({ followee: user }) });
}

/**
 * Hides the person and a user from each other.
 * @param {string} user
 */
export async function block(user) {
  return send('PUT', `user/blocks/${encodeURIComponent(user)}`);
}

/**
 * Ends the block of a user.
 * @param {string} user
 */
export async function unblock(user) {
  return send('DELETE', `user/blocks/${encodeURIComponent(user)}`);
}

/**
 * Sends a request and returns whether the server has accepted it.
 * @param {string} method
 * @param {string} path
 * @param {RequestInit} [options]
 */
async function send(method, path, options = {}) {
  try {
    const response = await fetch(address(path), { method, ...options });
    return response.ok;
  } catch {
    return false;
  }
}
