// The days of the person: the days of the server, and the days that this device computes.

import { agrees, computedDays } from './days.js';
import { dayIn, dayOf, numberOf } from './calendar.js';
import { Knowledge, ownFields, storedFields } from './knowledge.js';
import { keyOf } from './fields.js';
import { overlaid } from './overlay.js';

/** @typedef {import('./types').Account} Account */
/** @typedef {import('./types').Days} Days */
/** @typedef {import('./types').HabitDays} HabitDays */
/** @typedef {import('./types').Surroundings} Surroundings */
/** @typedef {import('./copy.js').Copy} Copy */
/** @typedef {import('./days.js').Known} Known */

/** The days that are read before and after today, without a wish of a view. */
const DAYS_BEFORE = 91;
const DAYS_AFTER = 14;
/** The maximum number of days of a request. */
const MAXIMUM_DAYS = 400;
/** The difference of two clocks that are both right, in milliseconds. */
const CLOCK_TOLERANCE = 60_000;
const SCHEDULE_FIELDS = ['days', 'times', 'period_days'];

/**
 * The last days of the server, in the part `meta` of the database.
 * @typedef {object} ServerDays
 * @property {Days} document
 * @property {string} tag the version of the document
 * @property {string} path the request
 * @property {string[]} exact the habits whose days this device computes as the server does
 * @property {number} skew the days by which the clock of the server is ahead of that of this device
 */

export class PersonDays {
  #copy;
  #surroundings;
  #account;
  #before = DAYS_BEFORE;
  #after = DAYS_AFTER;
  /**
   * The days of the ranges that views show, until the copy changes.
   * @type {Map<string, Days>}
   */
  #known = new Map();
  #knownGeneration = -1;

  /**
   * @param {Copy} copy
   * @param {Surroundings} surroundings
   * @param {() => Account} account
   */
  constructor(copy, surroundings, account) {
    this.#copy = copy;
    this.#surroundings = surroundings;
    this.#account = account;
  }

  get today() {
    return dayOf(this.#ownToday + (this.#serverDays?.skew ?? 0));
  }

  /** Whether the clocks of the server and of this device agree. */
  get isClockRight() {
    return (this.#serverDays?.skew ?? 0) === 0;
  }

  get #ownToday() {
    return this.#ownDay(this.#surroundings.now());
  }

  /** @param {number} instant milliseconds since 1970 */
  #ownDay(instant) {
    return numberOf(dayIn(instant, this.#account().time_zone));
  }

  /**
   * Returns the days by which the clock of the server is ahead. Around midnight, two right clocks have different days:
   * this device then keeps its day, since it may have no connection on the whole next day.
   * @param {number} today the day of the server
   * @param {number} begin the begin of the request: the response may be slow
   */
  #skewOf(today, begin) {
    const now = this.#surroundings.now();
    const isRight = [begin - CLOCK_TOLERANCE, now + CLOCK_TOLERANCE].some(instant => this.#ownDay(instant) === today);
    return isRight ? 0 : today - this.#ownDay(now);
  }

  /** @returns {ServerDays | undefined} */
  get #serverDays() {
    return this.#copy.meta.get('days');
  }

  /** Reads the days of the server. */
  async read() {
    const begin = this.#surroundings.now();
    const today = numberOf(this.today);
    const path = `days?from=${dayOf(today - this.#before)}&to=${dayOf(today + this.#after)}`;
    const last = this.#serverDays;
    /** @type {Record<string, string>} */
    const headers = last?.path === path ? { 'If-None-Match': last.tag } : {};
    let tag = '';
    const onResponse = /** @param {Response} response */ response => { tag = response.headers.get('ETag') ?? ''; };
    const document = await this.#surroundings.requests.json('GET', path, { headers, onResponse });
    if (!document) return;
    const skew = this.#skewOf(numberOf(document.today), begin);
    const exact = this.#exact(document);
    await this.#copy.change(() => [{ part: 'meta', key: 'days', value: { document, tag, path, exact, skew } }]);
  }

  /**
   * Returns the days of a range, with the waiting changes.
   * @param {string} from
   * @param {string} to
   * @returns {Days}
   */
  of(from, to) {
    const { today } = this;
    const { generation } = this.#copy;
    if (this.#knownGeneration !== generation) this.#known.clear();
    this.#knownGeneration = generation;
    const key = `${from} ${to} ${today}`;
    const known = this.#known.get(key);
    if (known) return known;
    this.#wish(from, to);
    const days = this.#computed({ from, to, today });
    this.#known.set(key, days);
    return days;
  }

  /**
   * @param {{from: string, to: string, today: string}} range
   * @returns {Days}
   */
  #computed(range) {
    const { id: user } = this.#account();
    const [habits, events, pauses] = ['habits', 'events', 'pauses'].map(name => ownFields(this.#copy.list(name), user));
    const knowledge = new Knowledge(events, pauses);
    const days = habits.map(habit => this.#daysOf(knowledge.of(habit, this.#earlier(habit.id)), range));
    return { ...range, habits: days.sort(byTitle) };
  }

  /**
   * @param {Known} known
   * @param {{from: string, to: string, today: string}} range
   * @returns {HabitDays}
   */
  #daysOf(known, range) {
    const own = computedDays(known, range);
    const theirs = this.#serverDays?.document.habits.find(({ id }) => id === own.id);
    if (!this.#serverDays || !theirs || this.#serverDays.exact.includes(own.id)) return own;
    const { from, to, today: asOf } = this.#serverDays.document;
    const { today } = range;
    const hasNewPause = known.pauses.some(({ id }) => this.#copy.waiting.has(keyOf('pauses', id)));
    const isRescheduled = known.earlier !== undefined || hasNewPause;
    const inRange = theirs.days.filter(({ day }) => day >= range.from && day <= range.to);
    return overlaid(own, { ...theirs, days: inRange }, { from, to, asOf, today }, isRescheduled);
  }

  /**
   * Returns the habit before a waiting change of its schedule.
   * @param {string} id
   * @returns {Known['earlier']}
   */
  #earlier(id) {
    const entry = this.#copy.waiting.get(keyOf('habits', id));
    const isRescheduled = SCHEDULE_FIELDS.some(field => field in (entry?.changes ?? {}));
    if (!entry?.base || !isRescheduled) return undefined;
    const entered = numberOf(dayIn(Date.parse(entry.enteredAt), this.#account().time_zone));
    return { fields: entry.base.fields, since: dayOf(entered + (this.#serverDays?.skew ?? 0)) };
  }

  /**
   * Returns the habits whose days this device computes as the server does.
   * @param {Days} document
   */
  #exact(document) {
    const { id: user } = this.#account();
    const { records } = this.#copy;
    const [habits, events, pauses] = ['habits', 'events', 'pauses'].map(name => storedFields(records, name, user));
    const knowledge = new Knowledge(events, pauses);
    const own = new Map(habits.map(habit => [habit.id, computedDays(knowledge.of(habit), document)]));
    /** @param {HabitDays} theirs */
    const isExact = theirs => {
      const computed = own.get(theirs.id);
      return computed !== undefined && agrees(computed, theirs);
    };
    return document.habits.filter(isExact).map(({ id }) => id);
  }

  /**
   * Extends the days that are read next.
   * @param {string} from
   * @param {string} to
   */
  #wish(from, to) {
    const today = numberOf(this.today);
    const before = Math.max(this.#before, today - numberOf(from));
    const after = Math.max(this.#after, numberOf(to) - today);
    if (before + after >= MAXIMUM_DAYS) return;
    this.#before = before;
    this.#after = after;
  }
}

/**
 * @param {HabitDays} one
 * @param {HabitDays} other
 */
function byTitle(one, other) {
  return one.title.localeCompare(other.title) || (one.id < other.id ? -1 : 1);
}
