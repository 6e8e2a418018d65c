// Starts the application: the language, the copy of the person's records, and the view of the address.

import { signInAddress } from './components/SyncPill.js';
import { html, render } from './library.js';
import { Shell } from './shell/Shell.js';
import { StartProblem } from './shell/StartProblem.js';
import { openStore } from './store/store.js';
import { chooseLanguage, direction, loadTexts } from './texts/text.js';

async function start() {
  const language = chooseLanguage(navigator.languages);
  const [content] = await Promise.all([open(), loadTexts(language)]);
  if (!content) return;
  document.documentElement.lang = language;
  document.documentElement.dir = direction();
  const parent = document.getElementById('app');
  if (parent) render(content(), parent);
}

/**
 * Opens the store. Without a person, it opens the sign-in.
 * @returns {Promise<(() => import('preact-htm').Content) | undefined>} makes the content of the page
 */
async function open() {
  try {
    const store = await openStore();
    if (store) return () => html`<${Shell} store=${store} />`;
    location.replace(signInAddress());
    return undefined;
  } catch (error) {
    console.warn(error);
    return () => html`<${StartProblem} error=${error} />`;
  }
}

void start();
