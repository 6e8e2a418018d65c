// A script of the pages of the server: with the sign-out, it deletes the copies of the application on this device.
//
// The server can delete them only if its public URL has no path. Without this script, the form works as before.

import { askToDiscard } from './question.js';
import { countWaiting, deleteCopies } from './copies.js';
import { root } from '../root.js';

for (const form of document.querySelectorAll('form')) {
  const path = new URL(form.action, location.href).pathname;
  if (path.endsWith('/sign-out')) form.addEventListener('submit', event => void signOut(event, form));
}

/**
 * Signs out, unless the person keeps entries that are not sent yet.
 * @param {Event} event
 * @param {HTMLFormElement} form
 */
async function signOut(event, form) {
  event.preventDefault();
  const waiting = await countWaiting();
  if (waiting !== 0 && !await askToDiscard(waiting)) return;
  const isEnded = await endSession(form);
  // The server may have ended the session although its response was lost. The person has decided about the entries.
  await deleteCopies();
  if (isEnded) location.assign(root.href);
  // The browser sends the form again, and shows an error.
  else form.submit();
}

/**
 * Ends the session, before other tabs can make new copies.
 * @param {HTMLFormElement} form
 */
async function endSession(form) {
  try {
    const response = await fetch(form.action, { method: 'POST', redirect: 'manual' });
    // The server leads to its first page.
    return response.ok || response.type === 'opaqueredirect';
  } catch {
    return false;
  }
}
