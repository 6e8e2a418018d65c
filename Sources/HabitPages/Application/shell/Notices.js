import { signInAddress } from '../components/SyncPill.js';
import { html } from '../library.js';
import { useStore } from '../store/useStore.js';
import { text } from '../texts/text.js';

/**
 * The notices of all views: the end of the session, a device that keeps nothing, and a new version of the application.
 * @param {{ store: import('../store/types').StoreInterface }} properties
 */
export function Notices({ store }) {
  const { newVersion, signedIn, storage, waiting } = useStore(store, ({ state }) => state);
  const signInText = waiting > 0 ? text('notice.signInToSave', { count: waiting }) : text('notice.signIn');
  return html`
    ${!signedIn && html`
      <div class="notice" role="status">
        <p>${signInText}</p>
        <a class="button is-primary" href=${signInAddress()}>${text('action.signIn')}</a>
      </div>`}
    ${storage !== 'kept' && html`
      <div class="notice" role="status"><p>${text(storage === 'full' ? 'notice.full' : 'notice.noStorage')}</p></div>`}
    ${newVersion && html`
      <div class="notice" role="status">
        <p>${text('notice.newVersion')}</p>
        <button type="button" class="button" onClick=${() => store.reload()}>${text('action.reload')}</button>
      </div>`}`;
}
