// Sends requests to the server of the page, and to no other server.

import { texts } from './texts.js';

/// An error response of the server (application/problem+json), or a network error with status 0.
export class Problem extends Error {
  constructor(status, { title, detail, slug, field } = {}) {
    super(sentence(detail || title || texts.serverStatus(status)));
    Object.assign(this, { status, slug, field });
  }
}

/// Returns a text as a sentence. The descriptions of the server have no period and begin with a lower-case letter.
export const sentence = text => text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith('.') ? '' : '.');

export const isAbort = error => error.name === 'AbortError';

/// Sends a request with the cookie of the session.
///
/// Only the path and the query of `address` are used. The host in a link of the server can differ from the host of the
/// page, for example behind a proxy.
export async function request(address, { method = 'GET', body, signal } = {}) {
  const url = new URL(address, document.baseURI);
  const headers = {};
  if (body) headers['Content-Type'] = 'application/json';
  let response;
  try {
    response = await fetch(url.pathname + url.search, {
      method, headers, signal, body: body && JSON.stringify(body), credentials: 'same-origin',
    });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new Problem(0, { detail: texts.serverUnavailable });
  }
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})));
  return response;
}

export async function getJSON(path, parameters = {}, signal) {
  const response = await request(withQuery(path, parameters), { signal });
  return response.json();
}

/// Returns the features of all pages, at most `most`, and whether the collection has more features.
export async function getFeatures(path, parameters, most, signal) {
  const features = [];
  let address = withQuery(path, parameters);
  while (address && features.length < most) {
    const page = await getJSON(address, {}, signal);
    features.push(...page.features);
    address = page.links?.find(link => link.rel === 'next')?.href;
  }
  return { features: features.slice(0, most), more: Boolean(address) || features.length > most };
}

/// Appends the non-empty parameters. A space is encoded as %20, because some servers do not decode + as a space.
export function withQuery(path, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value != null && value !== '');
  return given.length ? `${path}?${String(new URLSearchParams(given)).replaceAll('+', '%20')}` : path;
}
