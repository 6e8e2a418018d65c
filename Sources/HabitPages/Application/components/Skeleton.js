import { html } from '../library.js';
import { text } from '../texts/text.js';

/** The gray cards of the first visit, until the copy of the records is here. */
export function Skeleton() {
  return html`
    <div class="cards" aria-busy="true">
      <span class="unseen" role="status">${text('state.loading')}</span>
      <div class="skeleton"></div>
      <div class="skeleton"></div>
      <div class="skeleton"></div>
    </div>`;
}
