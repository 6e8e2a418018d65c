// Gathers what decides about the days of habits.

/** @typedef {import('./types').Fields} Fields */
/** @typedef {import('./types').Visible} Visible */
/** @typedef {import('./types').StoredRecord} StoredRecord */
/** @typedef {import('./days.js').Known} Known */

/** The events and pauses of habits, by habit. */
export class Knowledge {
  /** @type {Map<string, Fields[]>} */
  #events = new Map();
  /** @type {Fields[]} */
  #pauses;

  /**
   * @param {Iterable<Fields>} events
   * @param {Iterable<Fields>} pauses of the person
   */
  constructor(events, pauses) {
    for (const event of events) {
      const events = this.#events.get(event.habit) ?? [];
      events.push(event);
      this.#events.set(event.habit, events);
    }
    this.#pauses = [...pauses];
  }

  /**
   * @param {Fields} habit
   * @param {Known['earlier']} [earlier]
   * @returns {Known}
   */
  of(habit, earlier) {
    const pauses = this.#pauses.filter(pause => !pause.habit || pause.habit === habit.id);
    return { habit, events: this.#events.get(habit.id) ?? [], pauses, earlier };
  }
}

/**
 * Returns the fields of the person's records in a list.
 * @param {readonly Visible[]} records
 * @param {string} user
 * @returns {Fields[]}
 */
export function ownFields(records, user) {
  return records.map(({ properties }) => properties).filter(properties => properties.user === user);
}

/**
 * Returns the fields of the person's records in a collection, as the server has them.
 * @param {ReadonlyMap<string, StoredRecord>} records
 * @param {string} collection
 * @param {string} user
 * @returns {Fields[]}
 */
export function storedFields(records, collection, user) {
  const own = [...records.values()].filter(record => record.collection === collection && record.fields.user === user);
  return own.map(record => record.fields);
}
