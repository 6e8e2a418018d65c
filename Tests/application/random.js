// Random numbers that a seed repeats.

export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 to below 1: mulberry32. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** @param {number} count */
  below(count) {
    return Math.floor(this.next() * count);
  }

  /** @param {number} share from 0 to 1 */
  chance(share) {
    return this.next() < share;
  }

  pick(values) {
    return values[this.below(values.length)];
  }
}
