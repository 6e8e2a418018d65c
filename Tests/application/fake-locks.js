// A small model of the Web Locks of a browser, for locks that only one holder has.

/** The locks of a browser: requests wait in their order, and one can steal a lock. */
export class FakeLocks {
  /** The requests by the name of their lock; the first one holds it. @type {Map<string, object[]>} */
  #queues = new Map();

  /** Returns the locks as one tab has them. */
  of(clientId) {
    return {
      request: (name, ...rest) => this.#request(clientId, name, rest.length > 1 ? rest[0] : {}, rest.at(-1)),
      query: async () => this.#held(),
    };
  }

  #held() {
    const held = [];
    for (const [name, [holder]] of this.#queues) if (holder) held.push({ name, clientId: holder.clientId });
    return { held };
  }

  #request(clientId, name, options, work) {
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    return new Promise((resolve, reject) => {
      const request = { clientId, work, resolve, reject };
      const leave = () => {
        if (queue.indexOf(request) > 0) this.#remove(queue, request, new DOMException('aborted', 'AbortError'));
      };
      options.signal?.addEventListener('abort', leave);
      if (options.steal) {
        queue.shift()?.reject(new DOMException('stolen', 'AbortError'));
        queue.unshift(request);
      } else {
        queue.push(request);
      }
      if (queue[0] === request) this.#begin(queue);
    });
  }

  #remove(queue, request, error) {
    queue.splice(queue.indexOf(request), 1);
    request.reject(error);
  }

  async #begin(queue) {
    const [holder] = queue;
    try {
      holder.resolve(await holder.work());
    } catch (error) {
      holder.reject(error);
    }
    // The lock may have been stolen.
    if (queue[0] !== holder) return;
    queue.shift();
    if (queue.length > 0) this.#begin(queue);
  }
}
