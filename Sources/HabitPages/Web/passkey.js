// Signs a person in with a passkey, and adds passkeys (Web Authentication).

import { isAbort, request } from './api.js';
import { byId } from './dom.js';
import { texts } from './texts.js';

/// The address of the server, below which this file is `static/VERSION/passkey.js`.
const root = new URL('../..', import.meta.url);

/// Whether the browser has passkeys, and the page has the domain for which they are valid.
export const hasPasskeys = domain =>
  window.isSecureContext && window.PublicKeyCredential !== undefined && location.hostname === domain;

/// Returns the options of a sign-in with a new challenge. The time limit in them is the lifetime of the challenge.
const beginSignIn = () => post('sign-in/passkey/challenge');

/// Returns the signature of a passkey that the person chooses.
///
/// With the mediation `conditional`, the browser offers the passkeys in the autofill of a field, and waits without a
/// time limit. Otherwise it shows a dialog.
function choosePasskey(options, { mediation, signal } = {}) {
  return navigator.credentials.get({
    mediation, signal, publicKey: { ...options, challenge: bytesOf(options.challenge) },
  });
}

/// Signs a person in with the signature of a passkey, and sets the cookie of the session.
async function finishSignIn(credential) {
  await post('sign-in/passkey', {
    id: textOf(credential.rawId),
    client_data: textOf(credential.response.clientDataJSON),
    authenticator_data: textOf(credential.response.authenticatorData),
    signature: textOf(credential.response.signature),
    user_handle: textOf(credential.response.userHandle),
  });
}

/// Adds a passkey of the signed-in user, and returns it. `label` may be null.
export async function addPasskey(label) {
  const options = await post('passkeys/challenge');
  const credential = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytesOf(options.challenge),
      user: { ...options.user, id: bytesOf(options.user.id) },
      excludeCredentials: options.excludeCredentials.map(known => ({ ...known, id: bytesOf(known.id) })),
    },
  });
  return post('passkeys', {
    id: textOf(credential.rawId),
    client_data: textOf(credential.response.clientDataJSON),
    authenticator_data: textOf(credential.response.getAuthenticatorData()),
    public_key: textOf(credential.response.getPublicKey()),
    label,
  });
}

/// Returns the sentence that explains an error of the browser or of the server.
export function explain(error) {
  if (error.name === 'NotAllowedError') return texts.passkeyNotUsed;
  if (error.name === 'InvalidStateError') return texts.passkeyExists;
  return error.message;
}

/// Sends JSON with the cookie of the session, and returns the JSON of the response.
async function post(path, body) {
  const response = await request(new URL(path, root), { method: 'POST', body });
  return response.json();
}

/// Decodes base64url.
function bytesOf(text) {
  const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(characters, character => character.charCodeAt(0));
}

/// Encodes bytes as base64url without padding. An absent buffer is empty.
function textOf(buffer) {
  const characters = Array.from(new Uint8Array(buffer ?? 0), byte => String.fromCharCode(byte));
  return btoa(characters.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/// The part of the lifetime of a challenge after which the autofill gets a new one, so that the person has time for the
/// sign-in.
const renewal = 0.8;

/// The passkeys in the autofill of a field, which the browser offers until the person signs in or uses the button.
class Autofill {
  /// `finish` signs the person in with a signature, and returns whether it has succeeded.
  constructor(finish) {
    this.finish = finish;
    this.isActive = false;
    this.request = null;
    this.run = Promise.resolve();
  }

  begin() {
    this.isActive = true;
    this.run = this.offer();
  }

  /// Ends the request of the browser, which permits only one at a time.
  async end() {
    this.isActive = false;
    this.request?.abort();
    await this.run;
  }

  async offer() {
    while (this.isActive) {
      let credential;
      try {
        credential = await this.choose();
      } catch (error) {
        if (isAbort(error)) continue;
        // The button shows the problem if the person uses it.
        return;
      }
      if (await this.finish(credential)) return;
    }
  }

  /// Returns the signature of the chosen passkey, or throws an `AbortError` before the challenge expires.
  async choose() {
    const request = new AbortController();
    this.request = request;
    const options = await beginSignIn();
    const timer = setTimeout(() => request.abort(), options.timeout * renewal);
    try {
      return await choosePasskey(options, { mediation: 'conditional', signal: request.signal });
    } finally {
      clearTimeout(timer);
    }
  }
}

/// Shows the field for the autofill if the browser has it, and offers the passkeys.
async function offerAutofill(autofill) {
  if (!await window.PublicKeyCredential.isConditionalMediationAvailable?.()) return;
  byId('passkey-autofill').hidden = false;
  autofill.begin();
}

/// Shows the button of the sign-in page, which leads to the page of `data-target` after a sign-in.
function offerSignIn(section) {
  const button = byId('passkey-sign-in');
  const problem = byId('passkey-problem');
  const show = error => {
    problem.textContent = explain(error);
    problem.hidden = false;
  };
  const finish = async credential => {
    try {
      await finishSignIn(credential);
      location.assign(section.dataset.target);
      return true;
    } catch (error) {
      show(error);
      return false;
    }
  };
  const autofill = new Autofill(finish);
  const signIn = async () => {
    problem.hidden = true;
    button.disabled = true;
    const hasAutofill = autofill.isActive;
    await autofill.end();
    let isSignedIn = false;
    try {
      isSignedIn = await finish(await choosePasskey(await beginSignIn()));
    } catch (error) {
      show(error);
    }
    button.disabled = false;
    if (hasAutofill && !isSignedIn) autofill.begin();
  };
  section.hidden = false;
  button.addEventListener('click', signIn);
  byId('passkey-autofill').addEventListener('submit', event => {
    event.preventDefault();
    signIn();
  });
  offerAutofill(autofill);
}

/// Shows the form of the account page that adds a passkey, and shows the page with the passkey afterward.
function offerAddition(form) {
  const button = byId('passkey-add');
  const problem = byId('passkey-problem');
  form.hidden = false;
  form.addEventListener('submit', async event => {
    event.preventDefault();
    problem.hidden = true;
    button.disabled = true;
    try {
      await addPasskey(byId('passkey-label').value || null);
      location.reload();
    } catch (error) {
      problem.textContent = explain(error);
      problem.hidden = false;
      button.disabled = false;
    }
  });
}

const section = byId('passkey');
if (section && hasPasskeys(section.dataset.domain)) offerSignIn(section);
const form = byId('new-passkey');
if (form && hasPasskeys(form.dataset.domain)) offerAddition(form);
