/** The types of the store. Views use those of the first part. */

/** The values of a record: the properties of its feature, and `geometry`. */
export type Fields = Record<string, any>;

/** A record as views see it: the copy of the server's feature with the waiting changes of this device. */
export interface Visible {
  readonly id: string;
  /** `habits`, `events`, `pauses`, `follows`, `users`, `items` … */
  readonly collection: string;
  readonly geometry: { readonly type: string; readonly coordinates: any } | null;
  readonly properties: Readonly<Record<string, any>>;
  /** The server's version, or `undefined` if the server does not have the record yet. */
  readonly version?: string;
  /** Whether a change of the record is not saved on the server yet. */
  readonly waiting?: true;
  /** Why the change is not saved, if the person has to decide. */
  readonly problem?: Problem;
}

/** A change that the person has to decide about. `store.resolve` ends it. */
export interface Problem {
  readonly key: string;
  readonly collection: string;
  readonly id: string;
  /** A conflict has a change of another device; a refused change breaks a rule of the server. */
  readonly kind: 'conflict' | 'refused';
  /** What this device has, or `null` if it has deleted the record. */
  readonly mine: Fields | null;
  /** What the server has in a conflict, or `null` if the record was deleted there. */
  readonly theirs: Fields | null;
  /** The fields that both have changed. It is empty if one side has deleted the record. */
  readonly fields: readonly string[];
  /** The code of the server's problem, such as `title-taken`. */
  readonly slug: string;
  /** The field that the server refuses. */
  readonly field?: string;
  /** The values of the problem, such as the limit of a text. */
  readonly parameters: Readonly<Record<string, any>>;
  /** The server's sentence, for a slug without an own text. */
  readonly detail: string;
}

/** The account of the person, as in `GET /user`. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly time_zone: string;
  readonly [member: string]: any;
}

/** What the pill and the cards of the application show. A change makes a new object. */
export interface State {
  /** Whether the last request has reached the server. */
  readonly online: boolean;
  /** Whether the server knows the person. If not, entries wait until the person signs in again. */
  readonly signedIn: boolean;
  /** Whether the first copy is complete. Until then lists may be incomplete. */
  readonly loaded: boolean;
  /** Whether changes are being sent or received. */
  readonly syncing: boolean;
  /** The number of records with a change that is not saved on the server, without those with a problem. */
  readonly waiting: number;
  /** When the oldest of them was entered, in RFC 3339, or `null`. */
  readonly waitingSince: string | null;
  readonly problems: readonly Problem[];
  /** When the copy was complete for the last time, in RFC 3339, or `null`. */
  readonly lastSync: string | null;
  readonly account: Account;
  /** The current day in the time zone of the account. */
  readonly today: string;
  /** The limits of texts and photos, as in `GET /settings`. */
  readonly settings: Readonly<Record<string, any>>;
  /** What this device keeps. If it is not `kept`, entries are lost when the page is closed before they are sent. */
  readonly storage: Storage;
  /** Whether a new version of the application waits: show "New version" with a button for `store.reload()`. */
  readonly newVersion: boolean;
}

/** `kept`: the device keeps everything; `full`: it has no space left; `none`: the browser permits no storage. */
export type Storage = 'kept' | 'full' | 'none';

/** The habits of the person on the days of a range, in the form of `GET /days`. */
export interface Days {
  readonly from: string;
  readonly to: string;
  readonly today: string;
  readonly habits: readonly HabitDays[];
}

export interface HabitDays {
  readonly id: string;
  readonly title: string;
  readonly unit: string | null;
  readonly target_amount: number | null;
  /** `On track`, `Near goal`, `Inactive` or `New`, as of the last sync. */
  readonly status: string;
  /** The streak as of the last sync. */
  readonly streak: number;
  readonly completion_rate: number | null;
  /** The days on which the habit is due or paused, or has an event or a target, in ascending order. */
  readonly days: readonly DayEntry[];
}

export interface DayEntry {
  readonly day: string;
  readonly due: boolean;
  readonly paused?: boolean;
  readonly outcome?: 'done' | 'skipped' | 'missed' | 'unplanned' | 'open';
  /** The ID of the event. */
  readonly event?: string;
  readonly amount?: number;
  readonly progress?: { readonly done: number; readonly target: number; readonly period_days: number };
}

/** How the store can be used: `Store` in store.js. */
export interface StoreInterface {
  readonly state: State;
  records(collection: string): readonly Visible[];
  find(collection: string, id: string): Visible | undefined;
  /**
   * Inserts a record (`id` null: a new UUID) or changes fields of it. Resolves with its ID after the local write. A new
   * outcome replaces an event, and the new event gets its photo. Without a connection to read the photo, the promise is
   * rejected with `PhotoUnavailable`, except with `dropsPhoto`.
   */
  save(collection: string, id: string | null, fields: Fields, options?: { dropsPhoto?: boolean }): Promise<string>;
  /** Deletes a record and resolves with a function that brings it back. */
  remove(collection: string, id: string): Promise<() => Promise<void>>;
  days(from: string, to: string): Days;
  /** Keeps the own values, takes the values of the server, or discards the change, which is the same for the record. */
  resolve(problem: Problem, decision: 'mine' | 'theirs' | 'discard'): Promise<void>;
  /** Sets the photo of an event, at most 65,535 bytes, or removes it. */
  savePhoto(collection: string, id: string, photo: Blob | null): Promise<void>;
  /** Returns an address for `<img>` (an object URL while the photo waits), or `null` without a photo. */
  photoAddress(record: Visible, width?: number): string | null;
  /** Sends and receives now. */
  sync(): Promise<void>;
  /** Signs out and deletes the copy. Resolves with `waiting` if entries would be lost and `discard` is not true. */
  signOut(discard?: boolean): Promise<'done' | 'waiting' | 'offline'>;
  /** Starts the version of the application that waits. */
  reload(): void;
  subscribe(listener: () => void): () => void;
}

/* The second part: the types inside the store. */

/** The status of the exchange with the server. */
export interface Status {
  readonly online: boolean;
  readonly signedIn: boolean;
  readonly syncing: boolean;
}

/** A record of the server as the copy keeps it. `fields` has the properties and `geometry`. */
export interface StoredRecord {
  readonly key: string;
  readonly collection: string;
  readonly id: string;
  readonly fields: Fields;
  readonly version: string;
}

/** The values and the version on which a change is based. */
export interface Base {
  readonly fields: Fields;
  readonly version: string;
}

/** A change that was sent, and whose result this device does not know yet. It is repeated until the result arrives. */
export interface Sending {
  readonly action: 'put' | 'delete';
  /** The sent values; null for a deletion. */
  readonly fields: Fields | null;
  readonly version?: string;
}

/** The change of one record that waits. There is at most one for each record. */
export interface Waiting {
  readonly key: string;
  readonly collection: string;
  readonly id: string;
  /** The position in the queue. */
  readonly order: number;
  readonly enteredAt: string;
  /** It differs after each edit. */
  readonly revision: string;
  readonly removed: boolean;
  /** Whether a deletion is not sent yet, so that the person can undo it. */
  readonly isHeld?: boolean;
  /** The fields that differ from the base. `photo` is the name of a waiting photo, or null to remove the photo. */
  readonly changes: Fields;
  /** null: the record is new. */
  readonly base: Base | null;
  readonly sending?: Sending;
  readonly problem?: WaitingProblem;
}

export interface WaitingProblem {
  readonly kind: 'conflict' | 'refused';
  readonly theirs: Fields | null;
  readonly fields: readonly string[];
  readonly slug: string;
  readonly field?: string;
  readonly parameters: Record<string, any>;
  readonly detail: string;
  /** The key of the other event of the habit and day. */
  readonly other?: string;
}

/** A part of the database: `records` and `waiting` by `COLLECTION/ID`, `photos` by their names, and `meta`. */
export type Part = 'records' | 'waiting' | 'photos' | 'meta';

/** Stores a value, or deletes it if the value is undefined. */
export interface Operation {
  readonly part: Part;
  readonly key: string;
  readonly value?: any;
}

/** The database of one person on this device. `database.js`, `overflow.js` and `memory.js` implement it. */
export interface Database {
  /** What the device has kept of the values that were written. */
  readonly storage: Storage;
  /** Returns all values of a part by their keys, in ascending order of the keys. */
  all(part: Part): Promise<Map<string, any>>;
  get(part: Part, key: string): Promise<any>;
  /** Does all operations or, if one fails, none. */
  write(operations: readonly Operation[]): Promise<void>;
  close(): void;
  /** Deletes everything. */
  destroy(): Promise<void>;
}

/** What the store needs from its surroundings. Tests replace it. */
export interface Surroundings {
  readonly database: Database;
  /** Sends requests below the address of the server. */
  readonly requests: import('./requests.js').Requests;
  /** Milliseconds since 1970. */
  now(): number;
  /** Whether deletions wait until `Client.release`, so that the person can undo them. */
  readonly holdsDeletions: boolean;
  /** Runs work while no other tab and no other call runs work. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Tells the other tabs which values were written. */
  tell(operations: readonly Operation[]): void;
}

/** A line of `GET /changes`. */
export interface Change {
  readonly action: 'put' | 'delete' | 'clear';
  readonly collection: string;
  readonly id?: string;
  readonly user?: string;
  readonly feature?: Feature;
  readonly version?: string;
}

export interface Feature {
  readonly id: string;
  readonly properties: Record<string, any>;
  readonly geometry: any;
}

/** A result of `POST /changes`. */
export interface ChangeResult {
  readonly number: number;
  readonly result: 'created' | 'updated' | 'unchanged' | 'deleted' | 'conflict' | 'refused';
  readonly version?: string;
  readonly feature?: Feature | null;
  readonly problem?: { slug?: string; detail?: string; field?: string; parameters?: Record<string, any> };
}
