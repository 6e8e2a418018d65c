import { Empty } from '../../components/Empty.js';
import { html } from '../../library.js';
import { address } from '../../root.js';
import { text } from '../../texts/text.js';

/** @type {import('../../texts/text.js').TextKey[]} */
const SUGGESTIONS = ['first.walk', 'first.read', 'first.water'];

/** The list of a person without habits: three suggestions, which open the form, and the empty form. */
export function FirstHabits() {
  return html`
    <${Empty} title=${text('first.title')}>
      <p class="soft">${text('first.text')}</p>
      <ul class="suggestions">
        ${SUGGESTIONS.map(key => html`
          <li key=${key}><a class="button" href=${formAddress(text(key))}>${text(key)}</a></li>`)}
      </ul>
      <a class="button is-primary" href=${address('habits/new')}>${text('habits.new')}</a>
    <//>`;
}

/** @param {string} title */
function formAddress(title) {
  return address(`habits/new?${new URLSearchParams({ title })}`);
}
