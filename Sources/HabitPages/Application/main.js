// Starts the application: the language, the copy of the person's records, and the view of the address.

import { html, render } from './library.js';
import { findPerson } from './person.js';
import { address, root } from './root.js';
import { Shell } from './shell/Shell.js';
import { openStore } from './store/store.js';
import { chooseLanguage, direction, loadTexts } from './texts/text.js';

async function start() {
  const person = await findPerson();
  if (!person) {
    location.replace(address(`sign-in?to=${encodeURIComponent(location.pathname)}`));
    return;
  }
  await loadTexts(chooseLanguage(navigator.languages));
  document.documentElement.lang = chooseLanguage(navigator.languages);
  document.documentElement.dir = direction();
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const store = await openStore({ user: person, timeZone });
  const parent = document.getElementById('application');
  if (parent) render(html`<${Shell} store=${store} />`, parent);
}

/** Registers the worker that makes the application available offline. */
function registerWorker() {
  const scope = root.pathname;
  navigator.serviceWorker?.register(address('service-worker.js'), { scope }).catch(() => {
    // Without the worker, the application needs a connection at its start.
  });
}

void start();
registerWorker();
