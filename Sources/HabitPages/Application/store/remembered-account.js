// The account of the last person on this device, with which the application opens without a connection.

import { readStored, removeStored, writeStored } from './device-storage.js';
import { storedName } from './names.js';

/** @typedef {import('./types').Account} Account */

const REMEMBERED = storedName('habitat-account');
const SIGN_IN = storedName('habitat-sign-in');

/** @param {Account} account */
export function rememberAccount({ id, name, time_zone }) {
  writeStored(REMEMBERED, JSON.stringify({ id, name, time_zone }));
}

/**
 * Remembers the account of the person whom the server has named.
 * @param {Account} account
 */
export function confirmAccount(account) {
  rememberAccount(account);
  removeStored(SIGN_IN);
}

export function forgetAccount() {
  removeStored(REMEMBERED);
  removeStored(SIGN_IN);
}

/** Notes that the sign-in is open. Another person than the stored one may sign in. */
export function noteSignIn() {
  if (rememberedAccount()) writeStored(SIGN_IN, 'open');
}

/** Whether the sign-in was open after the server has named the person for the last time. */
export function isSignInNoted() {
  return readStored(SIGN_IN) !== null;
}

/** @returns {Account | null} */
export function rememberedAccount() {
  try {
    return JSON.parse(readStored(REMEMBERED) ?? 'null');
  } catch {
    return null;
  }
}
