// Decides when changes are exchanged again: after a failure, and after a call during an exchange.

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 300_000;

export class Schedule {
  #exchange;
  #isRunning = false;
  #isWanted = false;
  #failures = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {() => Promise<number | null>} exchange returns null after a success or if it must not be repeated, and
   *   otherwise the seconds that the server asks to wait, or 0
   */
  constructor(exchange) {
    this.#exchange = exchange;
  }

  /** Exchanges now. A call during an exchange causes one more. */
  async run() {
    this.#isWanted = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    clearTimeout(this.#timer);
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        const wait = await this.#exchangeOnce();
        if (wait === null) this.#failures = 0;
        else return this.#repeatAfter(wait * 1000);
      }
    } finally {
      this.#isRunning = false;
    }
  }

  /** Exchanges. An unexpected error, for example of the database, may also be temporary. */
  async #exchangeOnce() {
    try {
      return await this.#exchange();
    } catch (error) {
      this.#repeatAfter(0);
      throw error;
    }
  }

  /**
   * Repeats the exchange after a pause that doubles with each failure.
   * @param {number} least milliseconds
   */
  #repeatAfter(least) {
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#failures);
    this.#failures += 1;
    // Devices that have lost the server together do not return together.
    const delay = Math.max(least, pause * (0.5 + Math.random() / 2));
    this.#timer = setTimeout(() => void this.run(), delay);
  }

  /** Ends the wait for a repetition. */
  stop() {
    clearTimeout(this.#timer);
  }
}
