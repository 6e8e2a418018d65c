// Small models of the storage of a browser: the local storage, and IndexedDB with the events that a full device and a new
// database cause.

/** The local storage of a browser. */
export class FakeStorage {
  #values = new Map();

  get length() {
    return this.#values.size;
  }

  getItem(name) {
    return this.#values.get(name) ?? null;
  }

  setItem(name, value) {
    this.#values.set(name, value);
  }

  removeItem(name) {
    this.#values.delete(name);
  }
}

/** Calls a handler of an object after the present work, as a browser does. */
function later(target, handler) {
  queueMicrotask(() => target[handler]?.());
}

/** The databases of a browser. */
export class FakeIndexedDB {
  /** The databases by name, each with its stores by name. @type {Map<string, Map<string, Map<string, any>>>} */
  databases = new Map();
  /** The name of the error of each write; `undefined` for none. @type {string | undefined} */
  writeError;
  /** Whether another tab keeps a deleted database open. */
  isOpenElsewhere = false;
  /** The number of times that the browser has closed all connections. */
  #closings = 0;
  /** The databases on the disk. @type {typeof this.databases} */
  #stored = new Map();

  /** Simulates a device that loses its power: the databases on the disk remain. */
  losePower() {
    this.databases = structuredClone(this.#stored);
  }

  /** Closes all connections, as WebKit does with a page in the background. */
  closeConnections() {
    this.#closings += 1;
  }

  open(name) {
    const request = {};
    queueMicrotask(() => this.#open(name, request));
    return request;
  }

  deleteDatabase(name) {
    const request = {};
    if (this.isOpenElsewhere) return request;
    this.databases.delete(name);
    later(request, 'onsuccess');
    return request;
  }

  #open(name, request) {
    const isNew = !this.databases.has(name);
    const stores = this.databases.get(name) ?? new Map();
    let isAborted = false;
    request.result = this.#connection(stores);
    request.transaction = { abort() { isAborted = true; } };
    if (isNew) request.onupgradeneeded?.();
    if (!isAborted) this.databases.set(name, stores);
    if (isAborted) request.error = new DOMException('aborted', 'AbortError');
    request[isAborted ? 'onerror' : 'onsuccess']?.();
  }

  #connection(stores) {
    const closings = this.#closings;
    return {
      objectStoreNames: { contains: name => stores.has(name) },
      createObjectStore: name => void stores.set(name, new Map()),
      transaction: (names, mode, options) => {
        if (closings !== this.#closings) throw new DOMException('closed', 'InvalidStateError');
        return this.#transaction(stores, options);
      },
      close() {},
    };
  }

  #transaction(stores, { durability = 'relaxed' } = {}) {
    const transaction = { error: null };
    const end = () => {
      if (!this.writeError) {
        if (durability === 'strict') this.#stored = structuredClone(this.databases);
        return transaction.oncomplete?.();
      }
      // The request fails first, and the error of the transaction is known when the transaction is aborted.
      transaction.onerror?.();
      transaction.error = new DOMException('failed', this.writeError);
      transaction.onabort?.();
    };
    const requested = result => {
      const request = { result };
      later(request, 'onsuccess');
      return request;
    };
    const written = work => {
      if (!this.writeError) work();
    };
    // As in a tab that the device suspends after its last request, the transaction does not end by itself.
    transaction.commit = () => queueMicrotask(end);
    transaction.objectStore = name => {
      const store = stores.get(name);
      if (!store) throw new DOMException(name, 'NotFoundError');
      return {
        get: key => requested(store.get(key)),
        getAll: () => requested([...store.values()]),
        getAllKeys: () => requested([...store.keys()]),
        count: () => requested(store.size),
        put: (value, key) => written(() => store.set(key, value)),
        delete: key => written(() => store.delete(key)),
      };
    };
    return transaction;
  }
}
