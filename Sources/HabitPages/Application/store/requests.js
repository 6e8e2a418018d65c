// Requests to the server, and the errors that the application tells apart.

/** How long a request may take, in milliseconds. */
const PATIENCE = 30_000;

/** The server was not reached, or did not answer in time. */
export class Unreachable extends Error {}

/** The server does not know the person, or the session has ended. */
export class SignedOut extends Error {}

/** The server has answered with an error. */
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
   * Sends a request and returns the JSON document of the answer, or null for an answer without content or 304.
   * @param {string} method
   * @param {string} path below the root, such as `changes?since=…`
   * @param {{body?: string, headers?: Record<string, string>, onAnswer?: (answer: Response) => void}} [options]
   * @returns {Promise<any>}
   */
  async json(method, path, options = {}) {
    const { body, headers, onAnswer } = options;
    const answer = await this.#send(method, path, body, { Accept: 'application/json', ...headers });
    if (answer.status === 304 || answer.status === 204) return null;
    if (!answer.ok) throw await failure(answer);
    onAnswer?.(answer);
    try {
      return await answer.json();
    } catch {
      // The connection was lost in the middle of the answer.
      throw new Unreachable();
    }
  }

  /**
   * Returns the address of a path.
   * @param {string} path
   */
  address(path) {
    return new URL(path, this.#root).href;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {string | undefined} body
   * @param {Record<string, string>} headers
   */
  async #send(method, path, body, headers) {
    const control = new AbortController();
    const timer = setTimeout(() => control.abort(), PATIENCE);
    try {
      return await this.#fetch(this.address(path), { method, body, headers, signal: control.signal, cache: 'no-store' });
    } catch {
      throw new Unreachable();
    } finally {
      clearTimeout(timer);
    }
  }
}

/** @param {Response} answer */
async function failure(answer) {
  if (answer.status === 401) return new SignedOut();
  const problem = await answer.json().catch(() => ({}));
  const wait = Number(answer.headers.get('Retry-After'));
  return new Failure(answer.status, problem.slug ?? '', Number.isFinite(wait) ? wait : 0);
}
