import { html } from '../../library.js';
import { address } from '../../root.js';
import { dayText, longDayText } from '../../texts/formats.js';
import { text } from '../../texts/text.js';
import { calendarWeeks } from './calendarWeeks.js';

/** @typedef {import('./calendarWeeks.js').CalendarDay} CalendarDay */
/** @typedef {import('./calendarWeeks.js').HabitDay} HabitDay */
/** @typedef {import('../../texts/text.js').TextKey} TextKey */

/**
 * The last weeks of a habit. Each day leads to the sheet of its event, or to the sheet of a new event.
 * @param {object} properties
 * @param {string} properties.habit the ID of the habit
 * @param {string} properties.today
 * @param {number} properties.weekCount
 * @param {readonly HabitDay[]} properties.days
 */
export function HabitCalendar({ habit, today, weekCount, days }) {
  const events = new Map(days.map(({ day, event }) => [day, event]));
  const weeks = calendarWeeks(today, weekCount, days);
  return html`
    <section class="card habit-section">
      <h2>${text('habit.calendar', { count: weekCount })}</h2>
      <div class="calendar">
        ${weeks[0].map(({ day }) => html`
          <span key=${day} class="calendar-weekday" aria-hidden="true">${dayText(day, { weekday: 'narrow' })}</span>`)}
        ${weeks.flat().map(day => html`
          <${Day} key=${day.day} day=${day} today=${today}
            href=${sheetAddress(habit, day.day, events.get(day.day))} />`)}
      </div>
    </section>`;
}

/** @param {{ day: CalendarDay, today: string, href: string }} properties */
function Day({ day: { day, outcome, isFuture }, today, href }) {
  const number = dayText(day, { day: 'numeric' });
  if (isFuture) return html`<span class="calendar-day is-future" aria-hidden="true">${number}</span>`;
  const word = text(/** @type {TextKey} */ (`outcome.${outcome}`));
  return html`
    <a class=${`calendar-day is-${outcome}`} href=${href} aria-label=${`${longDayText(day)}: ${word}`}
      aria-current=${day === today ? 'date' : undefined}>${number}</a>`;
}

/**
 * @param {string} habit
 * @param {string} day
 * @param {string | null | undefined} event
 */
function sheetAddress(habit, day, event) {
  if (event) return address(`events/${encodeURIComponent(event)}`);
  return address(`events/new?${new URLSearchParams({ habit, day })}`);
}
