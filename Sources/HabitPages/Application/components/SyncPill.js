import { html } from '../library.js';
import { address } from '../root.js';
import { navigate } from '../routes.js';
import { useStore } from '../store/useStore.js';
import { text } from '../texts/text.js';

/** @typedef {import('../store/types').State} State */
/** @typedef {import('../store/types').StoreInterface} StoreInterface */

/**
 * The pill that shows whether all entries have reached the server. Screen readers announce its changes politely. A tap
 * does what the state needs: it leads to the problems or to the sign-in, or synchronizes.
 * @param {{ store: StoreInterface }} properties
 */
export function SyncPill({ store }) {
  const state = useStore(store, ({ state }) => state);
  const kind = kindOf(state);
  const label = labelOf(kind, state);
  // The content of a button is not announced, so the live region follows it.
  return html`
    <button type="button" class=${`pill pill-${kind}`} onClick=${() => act(kind, store)}>${label}</button>
    <span class="unseen" role="status" aria-live="polite">${label}</span>`;
}

/** @typedef {'problem' | 'signed-out' | 'offline' | 'saving' | 'saved'} Kind */

/**
 * @param {State} state
 * @returns {Kind}
 */
function kindOf({ online, signedIn, waiting, problems }) {
  if (problems.length > 0) return 'problem';
  if (!signedIn) return 'signed-out';
  if (!online) return 'offline';
  return waiting > 0 ? 'saving' : 'saved';
}

/**
 * @param {Kind} kind
 * @param {State} state
 */
function labelOf(kind, { waiting, problems }) {
  switch (kind) {
    case 'problem': return text('sync.review', { count: problems.length });
    case 'signed-out': return waiting > 0 ? text('sync.notSaved', { count: waiting }) : text('sync.signedOut');
    case 'offline': return waiting > 0 ? text('sync.offlineWaiting', { count: waiting }) : text('sync.offline');
    case 'saving': return text('sync.saving', { count: waiting });
    case 'saved': return text('sync.saved');
  }
}

/**
 * @param {Kind} kind
 * @param {StoreInterface} store
 */
function act(kind, store) {
  if (kind === 'problem') showProblems();
  else if (kind === 'signed-out') location.assign(signInAddress());
  else void store.sync();
}

/** Opens Today, whose first part are the problems. */
function showProblems() {
  navigate('days');
  scrollTo(0, 0);
}

/** The address of the sign-in, which leads back to the current page. */
export function signInAddress() {
  return address(`sign-in?to=${encodeURIComponent(location.pathname)}`);
}
