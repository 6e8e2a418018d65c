// Hears of the changes of other devices while the page is open.

export class Stream {
  #address;
  #changed;
  /** @type {EventSource | undefined} */
  #source;

  /**
   * @param {string} address
   * @param {() => void} changed called after a change, and when the connection was lost and is back
   */
  constructor(address, changed) {
    this.#address = address;
    this.#changed = changed;
  }

  /** Opens the stream, unless it is open. */
  open() {
    if (this.#source && this.#source.readyState !== EventSource.CLOSED) return;
    this.#source = new EventSource(this.#address);
    this.#source.addEventListener('open', this.#changed);
    this.#source.addEventListener('change', this.#changed);
  }

  close() {
    this.#source?.close();
    this.#source = undefined;
  }
}
