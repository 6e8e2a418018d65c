// Starts the program with a store of its own, for the tests of the exchange.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = join(REPOSITORY, process.env.HABITAT_BINARY ?? '.build/debug/habitat');
const program = process.env.HABITAT_BINARY?.startsWith('/') ? process.env.HABITAT_BINARY : PROGRAM;

/** The day of the server. */
export const TODAY = '2026-11-20';

/** A server on a free port, with its own store. */
export class Server {
  #folder = mkdtempSync(join(tmpdir(), 'habitat-'));
  #tokens = new Map();
  #process;

  /**
   * @param {string[]} users
   * @param {object[]} records further records that the operator loads
   */
  static async start(users, records = []) {
    const server = new Server();
    server.#load(users, records);
    await server.#serve();
    return server;
  }

  get #store() {
    return join(this.#folder, 'habitat.db');
  }

  #run(...parameters) {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
    return execFileSync(program, [...parameters, '--store', this.#store, '--quiet'], options);
  }

  /** Changes a setting of the store, as the operator. */
  set(name, value) {
    this.#run('setting', 'set', name, String(value));
  }

  #load(users, records) {
    const file = join(this.#folder, 'records.ndjson');
    const accounts = users.map(id => ({ kind: 'users', id, name: id, time_zone: 'Europe/Lisbon' }));
    const lines = [...accounts, ...records].map(record => JSON.stringify(record));
    writeFileSync(file, lines.join('\n'));
    this.#run('ingest', file);
    for (const user of users) {
      const created = this.#run('token', 'create', '--user', user, '--format', 'json');
      this.#tokens.set(user, JSON.parse(created).token);
    }
  }

  async #serve() {
    const options = ['--store', this.#store, '--port', '0', '--rate', '0', '--today', TODAY];
    this.#process = spawn(`${program}-server`, options, { stdio: ['ignore', 'pipe', 'ignore'] });
    const greeting = await new Promise((resolve, reject) => {
      this.#process.stdout.once('data', data => resolve(String(data)));
      this.#process.once('exit', code => reject(new Error(`The server has ended with status ${code}.`)));
    });
    this.root = new URL(greeting.match(/http:\/\/127\.0\.0\.1:\d+/)[0]);
  }

  /** Sends a request of a user, as `fetch` does. */
  async fetch(user, address, options = {}) {
    const headers = { ...options.headers, Authorization: `Bearer ${this.#tokens.get(user)}` };
    return fetch(address, { ...options, headers });
  }

  /** Returns a document of the API as a user gets it. */
  async get(user, path) {
    const answer = await this.fetch(user, new URL(path, this.root));
    return answer.json();
  }

  async stop() {
    const ended = new Promise(resolve => this.#process.once('exit', resolve));
    this.#process.kill();
    await ended;
    rmSync(this.#folder, { recursive: true });
  }
}
