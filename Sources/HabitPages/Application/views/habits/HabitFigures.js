import { html } from '../../library.js';
import { numberText } from '../../texts/formats.js';
import { text } from '../../texts/text.js';

/**
 * The streak, the longest streak and the completion rate of a habit.
 * @param {object} properties
 * @param {import('../../store/types').HabitDays} properties.figures
 * @param {number} [properties.longest] the longest streak, which only the server knows
 */
export function HabitFigures({ figures, longest }) {
  const rate = figures.completion_rate;
  return html`
    <dl class="card figures">
      <${Figure} name=${text('habit.streak')} value=${numberText(figures.streak)} />
      ${longest !== undefined && html`
        <${Figure} name=${text('habit.longest')} value=${numberText(Math.max(longest, figures.streak))} />`}
      ${rate !== null && html`<${Figure} name=${text('habit.rate')} value=${numberText(rate, { style: 'percent' })} />`}
    </dl>`;
}

/** @param {{ name: string, value: string }} properties */
function Figure({ name, value }) {
  return html`
    <div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
}
