import { html } from '../../library.js';
import { weekdayText } from '../../texts/schedule.js';
import { text } from '../../texts/text.js';
import { weekdayRates } from './calendarWeeks.js';

const HEIGHT = 48;

/** @typedef {import('./calendarWeeks.js').WeekdayRate} WeekdayRate */

/**
 * The part of the due days that is done, by weekday.
 * @param {{ days: readonly import('./calendarWeeks.js').HabitDay[] }} properties
 */
export function WeekdayBars({ days }) {
  const rates = weekdayRates(days).filter(({ due }) => due > 0);
  if (!rates.length) return null;
  return html`
    <section class="card habit-section">
      <h2>${text('habit.weekdays')}</h2>
      <ul class="weekday-bars">
        ${rates.map(rate => html`<${Bar} key=${rate.weekday} rate=${rate} />`)}
      </ul>
    </section>`;
}

/** @param {{ rate: WeekdayRate }} properties */
function Bar({ rate: { weekday, due, done } }) {
  const height = HEIGHT * done / due;
  const label = text('habit.weekdayText', { weekday: weekdayText(weekday, 'long'), done, due });
  return html`
    <li>
      <span class="unseen">${label}</span>
      <svg viewBox=${`0 0 24 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <rect class="bar-track" width="24" height=${HEIGHT} />
        <rect class="bar-done" y=${HEIGHT - height} width="24" height=${height} />
      </svg>
      <span aria-hidden="true">${weekdayText(weekday)}</span>
      <span class="soft" aria-hidden="true">${done}/${due}</span>
    </li>`;
}
