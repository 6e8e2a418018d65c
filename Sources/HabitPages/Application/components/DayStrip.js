import { html } from '../library.js';
import { dayText, longDayText } from '../texts/formats.js';
import { text } from '../texts/text.js';
import { Ring } from './Ring.js';

/** @typedef {{ day: string, done: number, due: number }} DayProgress */

/**
 * The days of a week with a ring each. A narrow window shows the chosen day with its neighbors.
 * @param {object} properties
 * @param {DayProgress[]} properties.days
 * @param {string} properties.chosen
 * @param {string} properties.today the last day that can be chosen
 * @param {(day: string) => void} properties.onChoose
 */
export function DayStrip({ days, chosen, today, onChoose }) {
  const middle = days.findIndex(({ day }) => day === chosen);
  const first = Math.min(Math.max(middle - 1, 0), days.length - 3);
  const isNear = (/** @type {number} */ index) => index >= first && index < first + 3;
  return html`
    <div class="day-strip" role="group" aria-label=${text('days.strip')}>
      ${days.map((progress, index) => html`
        <button type="button" key=${progress.day} class=${isNear(index) ? '' : 'is-distant'}
          aria-pressed=${String(progress.day === chosen)} aria-current=${progress.day === today ? 'date' : undefined}
          aria-label=${labelOf(progress, today)} disabled=${progress.day > today}
          onClick=${() => onChoose(progress.day)}>
          <span aria-hidden="true">${dayText(progress.day, { weekday: 'narrow' })}</span>
          <${Ring} done=${progress.done} due=${progress.due} label=${dayNumber(progress.day)} />
        </button>`)}
    </div>`;
}

/**
 * @param {DayProgress} progress
 * @param {string} today
 */
function labelOf({ day, done, due }, today) {
  if (day > today) return longDayText(day);
  return text('days.label', { day: longDayText(day), done, due });
}

/** @param {string} day */
function dayNumber(day) {
  return String(Number(day.slice(8)));
}
