// The session: the cookie of the browser after a sign-in with a token, or the token of this tab after a sign-in with Google.

import { request, getJSON, token, withQuery } from './api.js';
import { byId, dayText } from './dom.js';

const NONCE = 'habitat.nonce';
const RETURN = 'habitat.return';

/// `user` is null if no user is signed in, and for the operator.
export const session = { user: null, signedIn: false, expires: null };

/// Returns the response of Google's sign-in in the fragment, or null. The function first removes the response from the URL and
/// restores the fragment from before the sign-in.
export function takeAnswer() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (!fragment.has('id_token') && !fragment.has('error')) return null;
  const answer = { idToken: fragment.get('id_token'), nonce: sessionStorage.getItem(NONCE) };
  history.replaceState(null, '', location.pathname + location.search + (sessionStorage.getItem(RETURN) ?? ''));
  sessionStorage.removeItem(NONCE);
  sessionStorage.removeItem(RETURN);
  return answer;
}

/// Exchanges the response of Google for a session. If `answer` is null, checks the token of this tab, and otherwise uses `known`, the
/// session of the browser's cookie, or null.
export async function beginSession(answer, known) {
  if (!answer && token.get()) return readSession();
  if (!answer) return known ? enter(known) : undefined;
  if (!answer.idToken) throw new Error('Google did not sign you in.');
  // Without a nonce, the sign-in was not started in this tab. A malicious link could sign the visitor in as another user.
  if (!answer.nonce) throw new Error('This sign-in was not started in this tab. Please sign in again.');
  token.forget();
  const response = await request('session', {
    method: 'POST',
    body: {
      id_token: answer.idToken, nonce: answer.nonce, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
  });
  const begun = await response.json();
  token.set(begun.token);
  enter(begun);
}

export async function signInWithToken(text) {
  token.forget();
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
  token.forget();
  Object.assign(session, { user: null, signedIn: false, expires: null });
}

async function readSession() {
  try {
    enter(await getJSON('session'));
  } catch (error) {
    if (error.status === 401) endSession();
    throw error;
  }
}

function enter({ user, expires_at: expires }) {
  Object.assign(session, { user, signedIn: true, expires });
}

/// Shows the signed-in user or the sign-in form.
export function showSession() {
  byId('signed-in').hidden = !session.signedIn;
  byId('sign-in').hidden = session.signedIn;
  byId('user').textContent = session.user ?? 'Operator';
  byId('user').title = session.expires ? `Signed in until ${dayText(session.expires)}` : '';
}

/// Shows the link for the sign-in with Google. The nonce binds the response to this tab.
export function offerGoogle(clientID) {
  if (!clientID) return;
  const link = byId('google');
  link.hidden = false;
  link.href = googleAddress(clientID, freshNonce());
  link.addEventListener('click', () => sessionStorage.setItem(RETURN, location.hash));
}

function googleAddress(clientID, nonce) {
  return withQuery('https://accounts.google.com/o/oauth2/v2/auth', {
    response_type: 'id_token', client_id: clientID, scope: 'openid email profile',
    redirect_uri: `${location.origin}${location.pathname}`, nonce,
  });
}

function freshNonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const nonce = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  sessionStorage.setItem(NONCE, nonce);
  return nonce;
}
