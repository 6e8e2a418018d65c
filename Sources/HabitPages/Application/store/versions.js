// The service worker, and the new version of the application that waits for the person.

export class Versions {
  /** @type {ServiceWorker | null} */
  #waiting = null;
  #found;

  /** @param {() => void} found called when a new version waits */
  constructor(found) {
    this.#found = found;
  }

  get isNewVersionWaiting() {
    return this.#waiting !== null;
  }

  /**
   * Registers the service worker, which makes the application work offline.
   * @param {URL} root
   */
  async register(root) {
    const { serviceWorker } = navigator;
    if (!serviceWorker) return;
    // A reload in one tab starts the new version in all of them, since the files of the earlier version are gone.
    let isControlled = serviceWorker.controller !== null;
    serviceWorker.addEventListener('controllerchange', () => {
      // The browser removes the worker when the person signs out.
      if (!serviceWorker.controller) return;
      if (isControlled) location.reload();
      isControlled = true;
    });
    const registration = await serviceWorker.register(new URL('service-worker.js', root), { scope: root.pathname });
    this.#look(registration);
    registration.addEventListener('updatefound', () => {
      registration.installing?.addEventListener('statechange', () => this.#look(registration));
    });
    // A browser looks for a new version only when a page is opened, and an installed application stays open for days.
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) registration.update().catch(() => {});
    });
  }

  /** @param {ServiceWorkerRegistration} registration */
  #look({ waiting }) {
    // Without a controller, this is the first version, which needs no reload.
    if (!waiting || !navigator.serviceWorker.controller) return;
    this.#waiting = waiting;
    this.#found();
  }

  /** Starts the new version. */
  reload() {
    this.#waiting?.postMessage('activate');
  }
}
