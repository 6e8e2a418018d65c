// Requests to the server that sent the page, and to no other.

const TOKEN = 'habitat.token';

export const token = {
  get: () => sessionStorage.getItem(TOKEN),
  set: text => sessionStorage.setItem(TOKEN, text),
  forget: () => sessionStorage.removeItem(TOKEN),
};

/// What went wrong, as application/problem+json tells it.
export class Problem extends Error {
  constructor(status, { title, detail, slug, field } = {}) {
    super(detail || title || `The server answered with status ${status}.`);
    Object.assign(this, { status, slug, field });
  }
}

export const isAbort = error => error.name === 'AbortError';

/// Sends the token along. The server may name itself differently in its links (behind a proxy): only the path counts, so
/// that the token goes nowhere else.
export async function request(address, { method = 'GET', body, signal } = {}) {
  const url = new URL(address, location.origin);
  const headers = {};
  if (token.get()) headers.Authorization = `Bearer ${token.get()}`;
  if (body) headers['Content-Type'] = 'application/json';
  let response;
  try {
    response = await fetch(url.pathname + url.search, {
      method, headers, signal, body: body && JSON.stringify(body), credentials: 'omit',
    });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new Problem(0, { detail: 'The server cannot be reached.' });
  }
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})));
  return response;
}

export async function getJSON(path, parameters = {}, signal) {
  const response = await request(withQuery(path, parameters), { signal });
  return response.json();
}

/// The features of all pages, up to `most`, and whether there are more.
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

/// Leaves out what is empty. A space is written %20: not everybody reads + as one.
export function withQuery(path, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value != null && value !== '');
  return given.length ? `${path}?${String(new URLSearchParams(given)).replaceAll('+', '%20')}` : path;
}
