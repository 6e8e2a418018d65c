import { CheckButton } from '../../components/CheckButton.js';
import { Icon } from '../../components/Icon.js';
import { Status } from '../../components/Status.js';
import { useToast } from '../../components/Toast.js';
import { html, useRef } from '../../library.js';
import { address } from '../../root.js';
import { PhotoUnavailable } from '../../store/photos.js';
import { numberText } from '../../texts/formats.js';
import { scheduleText } from '../../texts/schedule.js';
import { text } from '../../texts/text.js';
import { isDone, recordDone } from '../event/entries.js';
import { isPlanned } from '../event/eventDay.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('./dayList.js').Row} Row */

/**
 * A habit of a day: one tap on the circle records it, a tap on the rest opens its sheet.
 * @param {{ store: StoreInterface, row: Row, day: string }} properties
 */
export function HabitRow({ store, row, day }) {
  const { habit, entry } = row;
  const { title } = habit;
  const showToast = useToast();
  const event = entry?.event ? store.find('events', entry.event) : undefined;
  const done = isDone(entry);
  // A second tap, while the first one is being saved, changes nothing.
  const isBusy = useRef(false);
  const toggle = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      const onUndo = done && entry?.event
        ? await store.remove('events', entry.event)
        : await recordDone(store, { habit, day, entry });
      keepFocus(checkID(habit.id));
      showToast({ text: done ? text('today.removed', { title }) : recordedText(row), onUndo });
    } catch (error) {
      showToast({ text: text(error instanceof PhotoUnavailable ? 'photo.wouldBeLost' : 'event.notStored') });
    } finally {
      isBusy.current = false;
    }
  };
  const sheet = entry?.event ? `events/${encodeURIComponent(entry.event)}` : newEventPath(habit.id, day);
  return html`
    <li class=${`card habit ${done ? 'is-done' : ''}`} onContextMenu=${openSheet}>
      <${CheckButton} id=${checkID(habit.id)} isChecked=${done} isSkipped=${entry?.outcome === 'skipped'}
        label=${title} onToggle=${toggle} />
      <a class="habit-body" href=${address(sheet)}>
        <span class="habit-title">
          ${row.fields.symbol && html`<span class="habit-symbol" aria-hidden="true">${row.fields.symbol}</span>`}
          <span dir="auto">${title}</span>
        </span>
        <span class="habit-about">
          ${factsOf(row).map(fact => html`<span key=${fact}>${fact}</span>`)}
          <${Status} name=${habit.status} />
          ${event?.properties.comment && html`<span dir="auto">“${event.properties.comment}”</span>`}
          ${event?.waiting && html`<span class="is-waiting"><${Icon} name="clock" />${text('state.waiting')}</span>`}
        </span>
      </a>
      ${habit.streak > 0 && html`
        <span class="streak"><b>${numberText(habit.streak)}</b><small>${text('today.inARow')}</small></span>`}
    </li>`;
}

/**
 * Returns the message about a recorded entry. An entry on a day that is not due does not count.
 * @param {Row} row the row before the entry
 */
function recordedText({ habit: { title }, entry }) {
  return isPlanned(entry) ? text('today.recorded', { title }) : text('today.recordedUnplanned', { title });
}

/**
 * Returns the schedule of a habit and what the day has of it, as texts.
 * @param {Row} row
 */
function factsOf({ habit, fields, entry }) {
  const { target_amount: target, unit } = habit;
  const progress = entry?.progress;
  const schedule = progress
    ? text('today.target', { done: progress.done, target: progress.target, days: progress.period_days })
    : scheduleText(fields);
  const facts = [schedule];
  if (target !== null) facts.push(`${numberText(entry?.amount ?? 0)}/${numberText(target)} ${unit ?? ''}`.trim());
  if (entry?.outcome === 'skipped') facts.push(text('outcome.skipped'));
  if (entry?.outcome === 'unplanned') facts.push(text('outcome.unplanned'));
  if (entry?.paused) facts.push(text('today.paused'));
  return facts.filter(fact => fact !== '');
}

/**
 * @param {string} habit
 * @param {string} day
 */
function newEventPath(habit, day) {
  return `events/new?${new URLSearchParams({ habit, day })}`;
}

/** @param {string} habit */
function checkID(habit) {
  return `check-${habit}`;
}

/**
 * Returns the focus to a circle whose row has moved to another list.
 * @param {string} id
 */
function keepFocus(id) {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.getElementById(id)?.focus();
  });
}

/**
 * Opens the sheet of a row, as a tap on its link does.
 * @param {MouseEvent & { currentTarget: HTMLElement }} event
 */
function openSheet(event) {
  event.preventDefault();
  const link = /** @type {HTMLElement | null} */ (event.currentTarget.querySelector('a.habit-body'));
  link?.click();
}
