// The turns of several tabs that write: only one of them writes at a time, and none waits for a suspended tab.

/** The time after which a waiting tab looks which tab writes, in milliseconds. A write takes a moment. */
const MOMENT = 1_000;
/** The time after which a tab that still writes is suspended, in milliseconds. */
const PATIENCE = 30_000;

export class Turns {
  #locks = navigator.locks;
  #name;
  /** Whether this tab writes: it is then not suspended. */
  #isWriting = false;

  /** @param {string} name the name of the lock */
  constructor(name) {
    this.#name = name;
  }

  /**
   * Runs work while no other tab runs work. It takes the turn of a tab that the device has suspended during its work:
   * `Copy` therefore reads again after a suspension.
   * @template Result
   * @param {() => Promise<Result>} work
   * @returns {Promise<Result>}
   */
  async run(work) {
    if (!this.#locks) return inTurn(work);
    /** @type {Promise<Result> | undefined} */
    let result;
    const begin = async () => {
      this.#isWriting = true;
      result = work();
      await result.finally(() => { this.#isWriting = false; });
    };
    await this.#wait(begin, MOMENT);
    while (!result) {
      const writer = await this.#writer();
      await this.#wait(begin, PATIENCE);
      if (!result && !this.#isWriting) await this.#replace(writer, begin);
    }
    return result;
  }

  /**
   * Waits for the own turn, and then for the end of the work.
   * @param {() => Promise<unknown>} begin
   * @param {number} patience the time to wait for the turn, in milliseconds
   */
  async #wait(begin, patience) {
    const control = new AbortController();
    const timer = setTimeout(() => control.abort(), patience);
    let hasBegun = false;
    const own = () => {
      hasBegun = true;
      return begin();
    };
    try {
      await this.#locks.request(this.#name, { signal: control.signal }, own);
    } catch (error) {
      // The caller has the error of the work. The request also fails if another tab takes the turn of this one.
      if (!hasBegun && !control.signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Takes the turn of a suspended tab, unless another tab has the turn now. Waiting tabs do so one after the other, so
   * that none takes the turn of a tab that has just taken it.
   * @param {string | undefined} writer the suspended tab
   * @param {() => Promise<unknown>} begin
   */
  async #replace(writer, begin) {
    /** @type {Promise<unknown> | undefined} */
    let turn;
    await this.#locks.request(`${this.#name}-replace`, async () => {
      if (await this.#writer() !== writer) return;
      await new Promise(hasBegun => {
        const own = () => {
          hasBegun(undefined);
          return begin();
        };
        turn = this.#locks.request(this.#name, { steal: true }, own).catch(hasBegun);
      });
    });
    await turn;
  }

  /** Returns the tab that has the turn, or undefined. */
  async #writer() {
    const { held = [] } = await this.#locks.query();
    return held.find(({ name }) => name === this.#name)?.clientId;
  }
}

/** @type {Promise<unknown>} */
let last = Promise.resolve();

/**
 * Runs work after all earlier work of this page.
 * @template Result
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export function inTurn(work) {
  const result = last.then(work);
  last = result.catch(() => {});
  return result;
}
