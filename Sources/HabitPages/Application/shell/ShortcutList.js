import { Sheet } from '../components/Sheet.js';
import { html } from '../library.js';
import { text } from '../texts/text.js';
import { available, ownDestinations, tabs } from './destinations.js';

/**
 * The list of the keyboard shortcuts, with the switch that turns them off.
 * @param {object} properties
 * @param {readonly string[]} [properties.sections]
 * @param {boolean} properties.isOn
 * @param {(isOn: boolean) => void} properties.onChoose
 * @param {() => void} properties.onClose
 */
export function ShortcutList({ sections, isOn, onChoose, onClose }) {
  const destinations = available([...tabs, ...ownDestinations], sections);
  const choose = (/** @type {{ currentTarget: HTMLInputElement }} */ event) => onChoose(event.currentTarget.checked);
  return html`
    <${Sheet} title=${text('shortcuts.title')} onClose=${onClose}>
      <dl class="shortcuts">
        ${destinations.map(({ key, label }) => html`<${Row} key=${key} keys=${['g', key]} meaning=${text(label)} />`)}
        <${Row} keys=${['n']} meaning=${text('habits.new')} />
        <${Row} keys=${['/']} meaning=${text('shortcuts.search')} />
        <${Row} keys=${['?']} meaning=${text('shortcuts.title')} />
      </dl>
      <label class="switch">
        <input type="checkbox" checked=${isOn} onChange=${choose} />
        <span>${text('shortcuts.on')}</span>
      </label>
    <//>`;
}

/** @param {{ keys: string[], meaning: string }} properties */
function Row({ keys, meaning }) {
  return html`
    <div>
      <dt>${keys.map(key => html`<kbd key=${key}>${key}</kbd>`)}</dt>
      <dd>${meaning}</dd>
    </div>`;
}
