import { Icon } from '../../components/Icon.js';
import { html } from '../../library.js';
import { dayText, numberText } from '../../texts/formats.js';
import { text } from '../../texts/text.js';

/** @typedef {import('./historyFilter.js').HistoryFilter} HistoryFilter */
/** @typedef {{ label: string, changes: Partial<HistoryFilter> }} Chip `changes` removes the filter */

/**
 * The filters in force. A tap removes one.
 * @param {object} properties
 * @param {HistoryFilter} properties.filter
 * @param {(habit: string) => string} properties.titleOf returns the title of a habit
 * @param {(changes: Partial<HistoryFilter>) => void} properties.onChange
 */
export function FilterChips({ filter, titleOf, onChange }) {
  const chips = chipsOf(filter, titleOf);
  if (!chips.length) return null;
  return html`
    <div class="actions chips">
      ${chips.map(({ label, changes }) => html`
        <button type="button" key=${label} class="pill chip" aria-label=${text('history.remove', { filter: label })}
          onClick=${() => onChange(changes)}>
          <span dir="auto">${label}</span><${Icon} name="close" />
        </button>`)}
    </div>`;
}

/**
 * @param {HistoryFilter} filter
 * @param {(habit: string) => string} titleOf
 * @returns {Chip[]}
 */
export function chipsOf(filter, titleOf) {
  const { comment, from, habits, kilometers, position, to } = filter;
  /** @type {Chip[]} */
  const chips = habits.map(habit => {
    const others = habits.filter(other => other !== habit);
    return { label: titleOf(habit), changes: { habits: others } };
  });
  if (comment) chips.push({ label: `“${comment}”`, changes: { comment: '' } });
  if (from) chips.push({ label: `${text('history.from')} ${shortDay(from)}`, changes: { from: '' } });
  if (to) chips.push({ label: `${text('history.to')} ${shortDay(to)}`, changes: { to: '' } });
  if (position) {
    const label = text('history.within', { kilometers: numberText(kilometers) });
    chips.push({ label, changes: { position: null } });
  }
  return chips;
}

/** @param {string} day */
function shortDay(day) {
  return dayText(day, { day: 'numeric', month: 'short', year: 'numeric' });
}
