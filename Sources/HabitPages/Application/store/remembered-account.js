// The account of the last person on this device, with which the application opens without a connection.

import { readStored, removeStored, writeStored } from './device-storage.js';
import { storedName } from './names.js';

/** @typedef {import('./types').Account} Account */

const REMEMBERED = storedName('habitat-account');

/** @param {Account} account */
export function rememberAccount({ id, name, time_zone }) {
  writeStored(REMEMBERED, JSON.stringify({ id, name, time_zone }));
}

export function forgetAccount() {
  removeStored(REMEMBERED);
}

/** @returns {Account | null} */
export function rememberedAccount() {
  try {
    return JSON.parse(readStored(REMEMBERED) ?? 'null');
  } catch {
    return null;
  }
}
