// Starts the application: the language, the copy of the person's records, and the view of the address.

import { signInAddress } from './components/SyncPill.js';
import { html, render } from './library.js';
import { Shell } from './shell/Shell.js';
import { openStore } from './store/store.js';
import { chooseLanguage, direction, loadTexts } from './texts/text.js';

async function start() {
  const store = await openStore();
  if (!store) {
    location.replace(signInAddress());
    return;
  }
  const language = chooseLanguage(navigator.languages);
  await loadTexts(language);
  document.documentElement.lang = language;
  document.documentElement.dir = direction();
  const parent = document.getElementById('app');
  if (parent) render(html`<${Shell} store=${store} />`, parent);
}

void start();
