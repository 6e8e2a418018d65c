// A device of a person in a test: the store without a browser, with a network that can fail.

import { Client } from '../../Sources/HabitPages/Application/store/client.js';
import { MemoryDatabase } from '../../Sources/HabitPages/Application/store/memory.js';
import { Requests, SignedOut, Unreachable } from '../../Sources/HabitPages/Application/store/requests.js';
import { inTurn } from '../../Sources/HabitPages/Application/store/turns.js';
import { TODAY } from './server.js';

/** The ways in which a request can fail. */
export const FAULTS = ['lost request', 'lost answer', 'repeated', 'signed out'];

export class Device {
  /** The faults of the next requests; `undefined` for none. @type {(string | undefined)[]} */
  faults = [];
  /** The requests that this device has sent, for messages of tests. @type {string[]} */
  sent = [];

  /** Whether the device reads the days of the server, which takes a part of the time. */
  readsDays = true;
  /** @type {import('./ledger.js').Ledger | undefined} */
  ledger;

  /** @param {boolean} holdsDeletions whether deletions wait until they are released */
  constructor(server, user, database = new MemoryDatabase(), holdsDeletions = false) {
    this.server = server;
    this.user = user;
    this.database = database;
    const send = (address, options) => this.#send(address, options);
    const requests = new Requests(server.root, send);
    requests.person = user;
    const surroundings = {
      database,
      requests,
      now: () => Date.parse(`${TODAY}T12:00:00Z`),
      holdsDeletions,
      exclusively: inTurn,
      tell: () => {},
    };
    this.client = new Client(surroundings, { id: user, name: user, time_zone: 'Europe/Lisbon' });
  }

  /** Returns the device after a restart of the browser: only its database is the same. */
  async restarted() {
    const device = new Device(this.server, this.user, this.database);
    device.ledger = this.ledger;
    device.readsDays = this.readsDays;
    await device.client.copy.load();
    return device;
  }

  async #send(address, options) {
    this.sent.push(`${options.method} ${address}`);
    if (!this.readsDays && new URL(address).pathname === '/days') return new Response(null, { status: 304 });
    const fault = this.faults.shift();
    if (fault === 'lost request') throw new TypeError('the network has lost the request');
    if (fault === 'signed out') return new Response('{}', { status: 401 });
    const answer = await this.server.fetch(this.user, address, options);
    if (options.method === 'POST') await this.#record(options.body, answer.clone());
    if (fault === 'lost answer') {
      await answer.arrayBuffer();
      throw new TypeError('the network has lost the answer');
    }
    if (fault !== 'repeated') return answer;
    await answer.arrayBuffer();
    return this.server.fetch(this.user, address, options);
  }

  /** Records in the ledger the events that the server has stored or deleted, also if this device gets no response. */
  async #record(body, answer) {
    const { results = [] } = await answer.json();
    const lines = body.split('\n').map(line => JSON.parse(line));
    for (const { number, id, result } of results) {
      const { collection, feature } = lines[number - 1];
      const isStored = ['created', 'updated', 'deleted'].includes(result);
      if (isStored && collection === 'events') this.ledger?.stored(this, id, feature?.properties.comment);
    }
  }

  /** Exchanges changes, and returns whether it has succeeded. */
  async exchange() {
    try {
      await this.client.exchange();
      return true;
    } catch (error) {
      this.failure = error;
      if (error instanceof Unreachable || error instanceof SignedOut) return false;
      throw error;
    }
  }

  /** Returns the comments that wait. */
  get waitingComments() {
    const comments = [...this.client.copy.waiting.values()].map(entry => !entry.removed && entry.changes.comment);
    return new Set(comments.filter(Boolean));
  }

  get problems() {
    return [...this.client.copy.waiting.values()].filter(entry => entry.problem);
  }

  /** Returns the own visible records of a collection by ID. */
  records(collection) {
    const own = this.client.copy.list(collection).filter(({ properties }) => properties.user === this.user);
    return new Map(own.map(record => [record.id, record]));
  }
}
