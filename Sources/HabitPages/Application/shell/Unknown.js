import { ViewHead } from '../components/ViewHead.js';
import { html } from '../library.js';
import { address } from '../root.js';
import { text } from '../texts/text.js';

/** The view of an address that no view has. */
export function Unknown() {
  return html`
    <${ViewHead} title=${text('unknown.title')} />
    <p>${text('unknown.text')}</p>
    <p><a class="button" href=${address('days')}>${text('nav.today')}</a></p>`;
}
