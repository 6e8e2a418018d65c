// Requests to the server, and the errors that the application distinguishes.

import { headerOf } from './person.js';

/** The time after which a response must begin, in milliseconds, without the time for the body of the request. */
const PATIENCE = 30_000;
/** The speed of the slowest connection for which a request waits, in characters per millisecond: 40 kbit/s. */
const SLOWEST = 5;
/** The time after which a response must end, in milliseconds: a slow connection needs long for the first copy. */
const LONG_PATIENCE = 300_000;
/** The time after which a small file must begin, and after which it must end, in milliseconds: an entry waits for it. */
const SHORT_PATIENCE = 8_000;

/** The server was not reached, or did not respond in time. */
export class Unreachable extends Error {}

/** The server does not know the person, the session has ended, or another person has signed in. */
export class SignedOut extends Error {}

/** The response of the server is an error. */
export class Failure extends Error {
  /**
   * @param {number} status
   * @param {string} slug
   * @param {number} wait the seconds after which the request can be repeated, or 0
   */
  constructor(status, slug, wait) {
    super(`${status} ${slug}`);
    this.status = status;
    this.slug = slug;
    this.wait = wait;
  }
}

/** Sends requests below the address of the server. */
export class Requests {
  /**
   * The person of the requests. Until the application knows the person, the session decides.
   * @type {string | undefined}
   */
  person;
  #root;
  #fetch;

  /**
   * @param {URL} root
   * @param {(address: string, options: RequestInit) => Promise<Response>} send by default `fetch`
   */
  constructor(root, send = (address, options) => fetch(address, options)) {
    this.#root = root;
    this.#fetch = send;
  }

  /**
   * Sends a request and returns the JSON document of the response, or null for 204 and 304.
   * @param {string} method
   * @param {string} path below the root, such as `changes?since=…`
   * @param {{body?: string, headers?: Record<string, string>, onResponse?: (response: Response) => void}} [options]
   * @returns {Promise<any>}
   */
  async json(method, path, options = {}) {
    const { body, headers, onResponse } = options;
    const control = new AbortController();
    const sent = { method, body, headers: { Accept: 'application/json', ...headers } };
    const patience = PATIENCE + (body?.length ?? 0) / SLOWEST;
    const response = await this.#send(path, sent, control, patience);
    if (response.status === 304 || response.status === 204) return null;
    if (!response.ok) throw await inTime(failure(response), control, PATIENCE);
    onResponse?.(response);
    return inTime(response.json(), control, LONG_PATIENCE);
  }

  /**
   * Returns the bytes of a small file, such as a photo. An entry is not stored before, so the wait is short.
   * @param {string} path below the root
   * @returns {Promise<Blob>}
   */
  async blob(path) {
    const control = new AbortController();
    const response = await this.#send(path, { method: 'GET' }, control, SHORT_PATIENCE);
    if (!response.ok) throw await inTime(failure(response), control, SHORT_PATIENCE);
    return inTime(response.blob(), control, SHORT_PATIENCE);
  }

  /**
   * Sends a request for the person.
   * @param {string} path
   * @param {{method: string, body?: string, headers?: Record<string, string>}} options
   * @param {AbortController} control
   * @param {number} patience the time after which the response must begin, in milliseconds
   */
  async #send(path, options, control, patience) {
    const headers = { ...headerOf(this.person), ...options.headers };
    const sent = this.#fetch(this.address(path), { ...options, headers, signal: control.signal, cache: 'no-store' });
    return inTime(sent, control, patience);
  }

  /**
   * Returns the address of a path.
   * @param {string} path
   */
  address(path) {
    return new URL(path, this.#root).href;
  }
}

/**
 * Returns a part of a response, and ends the request if the part takes too long or the connection is lost.
 * @template Result
 * @param {Promise<Result>} part
 * @param {AbortController} control
 * @param {number} patience in milliseconds
 * @returns {Promise<Result>}
 */
async function inTime(part, control, patience) {
  const timer = setTimeout(() => control.abort(), patience);
  try {
    return await part;
  } catch {
    throw new Unreachable();
  } finally {
    clearTimeout(timer);
  }
}

/** @param {Response} response */
async function failure(response) {
  if (response.status === 401) return new SignedOut();
  const problem = await response.json().catch(() => ({}));
  if (problem.slug === 'other-user') return new SignedOut();
  const wait = Number(response.headers.get('Retry-After'));
  return new Failure(response.status, problem.slug ?? '', Number.isFinite(wait) ? wait : 0);
}
