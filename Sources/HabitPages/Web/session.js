// The session: the cookie of the browser after a sign-in.

import { request, withQuery } from './api.js';
import { byId, dayText } from './dom.js';
import { texts } from './texts.js';

/// `user` is null if no user is signed in, and for the operator.
export const session = { user: null, signedIn: false, expires: null };

/// Uses `known`, the session of the browser's cookie, or null.
export function beginSession(known) {
  if (known) enter(known);
}

export async function signInWithToken(text) {
  // The application may have a copy of another person.
  await import('./sign-in.js');
  const response = await request('session', { method: 'POST', body: { token: text.trim() } });
  enter(await response.json());
}

export async function signOut() {
  try {
    await request('session', { method: 'DELETE' });
  } finally {
    endSession();
  }
}

export function endSession() {
  Object.assign(session, { user: null, signedIn: false, expires: null });
}

function enter({ user, expires_at: expires }) {
  Object.assign(session, { user, signedIn: true, expires });
}

/// Shows the signed-in user or the sign-in form.
export function showSession() {
  byId('signed-in').hidden = !session.signedIn;
  byId('sign-in').hidden = session.signedIn;
  byId('user').textContent = session.user ?? texts.operator;
  byId('user').title = session.expires ? texts.signedInUntil(dayText(session.expires)) : '';
}

/// Lets a link lead to the other ways to sign in, and from there back to the page with its filters.
export function prepareSignInLink() {
  const link = byId('other-sign-in');
  const page = new URL(link.href).searchParams.get('to');
  link.addEventListener('click', () => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    link.href = withQuery('sign-in', { to: page + location.hash, time_zone: zone });
  });
}
