// A server in memory for tests of one request: it stores events, and knows who is signed in.

/** The document of the days of a person without habits. */
const DAYS = { from: '2026-11-20', to: '2026-11-20', today: '2026-11-20', habits: [] };

export class SmallServer {
  /** The changes that were sent, by person. @type {Map<string, object[]>} */
  sent = new Map();
  /** Called before a request, with its method and path. @type {(request: string) => void} */
  before = () => {};

  /** @param {string} person the person who is signed in */
  constructor(person) {
    this.person = person;
  }

  /** Responds as `fetch` does. */
  send = async (address, { method, body, headers }) => {
    const { pathname } = new URL(address);
    this.before(`${method} ${pathname}`);
    const expected = headers['Habitat-User'];
    if (expected !== undefined && decodeURIComponent(expected) !== this.person) {
      return Response.json({ slug: 'other-user' }, { status: 412 });
    }
    if (method === 'POST') return Response.json({ results: this.#store(body) });
    if (pathname === '/changes') return Response.json({ changes: this.changes, more: false, token: this.person });
    if (pathname === '/user') return Response.json({ id: this.person, name: this.person, time_zone: 'UTC' });
    return Response.json(pathname === '/days' ? DAYS : {});
  };

  /** The first copy of the person. */
  get changes() {
    const feature = { id: this.person, properties: { id: this.person }, geometry: null };
    return [{ action: 'put', collection: 'user', feature, version: '1' }];
  }

  #store(body) {
    const changes = body.split('\n').map(line => JSON.parse(line));
    this.sent.set(this.person, [...this.sent.get(this.person) ?? [], ...changes]);
    return changes.map((change, index) => ({ number: index + 1, result: 'created', version: '1' }));
  }
}
