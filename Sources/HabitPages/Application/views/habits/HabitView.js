import { HabitBadge } from '../../components/HabitBadge.js';
import { Icon } from '../../components/Icon.js';
import { Skeleton } from '../../components/Skeleton.js';
import { Status } from '../../components/Status.js';
import { ViewHead } from '../../components/ViewHead.js';
import { html } from '../../library.js';
import { address } from '../../root.js';
import { useStore } from '../../store/useStore.js';
import { dayText } from '../../texts/formats.js';
import { scheduleText } from '../../texts/schedule.js';
import { language, text } from '../../texts/text.js';
import { useServerData } from '../useServerData.js';
import { firstDayOfWeeks } from './calendarWeeks.js';
import { HabitActions } from './HabitActions.js';
import { HabitCalendar } from './HabitCalendar.js';
import { HabitFigures } from './HabitFigures.js';
import { HabitHistory } from './HabitHistory.js';
import { HabitPlaces } from './HabitPlaces.js';
import { HabitReports } from './HabitReports.js';
import { habitPath, isOwn } from './ownHabits.js';
import { PauseNotes } from './PauseNotes.js';
import { WeekdayBars } from './WeekdayBars.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('../../store/types').Visible} Visible */

/** The weeks of the calendar and of the score. */
const WEEK_COUNT = 13;

/**
 * A habit of the person: figures, calendar, places and history.
 * @param {{ store: StoreInterface, route: import('../../routes.js').Route }} properties
 */
export function HabitView({ store, route }) {
  const { account, loaded } = useStore(store, ({ state }) => state);
  const habit = useStore(store, current => current.find('habits', route.parameters.habit));
  if (habit && isOwn(habit, account.id)) return html`<${OwnHabit} store=${store} habit=${habit} />`;
  if (!loaded) return html`<${ViewHead} title=${text('nav.habits')} /><${Skeleton} />`;
  return html`
    <${ViewHead} title=${text('nav.habits')} />
    <p>${text('habit.unknown')}</p>
    <p><a class="button" href=${address('habits')}>${text('habit.all')}</a></p>`;
}

/** @param {{ store: StoreInterface, habit: Visible }} properties */
function OwnHabit({ store, habit }) {
  const { lastSync, online, today } = useStore(store, ({ state }) => state);
  const days = useStore(store, current => current.days(firstDayOfWeeks(today, WEEK_COUNT), today));
  const records = useStore(store, current => current.records('events'));
  const events = records.filter(event => event.properties.habit === habit.id);
  const isSaved = habit.version !== undefined;
  const path = `collections/habits/items/${encodeURIComponent(habit.id)}?f=json`;
  const statistics = useServerData(isSaved ? path : undefined, lastSync);
  const figures = days.habits.find(({ id }) => id === habit.id);
  return html`
    <p class="view-back"><a href=${address('habits')}><${Icon} name="back" />${text('nav.habits')}</a></p>
    <${ViewHead} title=${habit.properties.title}
      subtitle=${html`<${Summary} habit=${habit} status=${figures?.status} />`}>
      <a class="button" href=${address(`${habitPath(habit.id)}/edit`)}><${Icon} name="edit" />${text('action.edit')}</a>
    <//>
    ${!online && lastSync && html`<p class="soft">${text('habit.asOf', { time: momentText(lastSync) })}</p>`}
    <${PauseNotes} store=${store} habit=${habit.id} />
    ${figures && html`
      <${HabitFigures} figures=${figures} longest=${statistics?.properties.streak_longest} />
      <${HabitCalendar} habit=${habit.id} today=${today} weekCount=${WEEK_COUNT} days=${figures.days} />
      <${WeekdayBars} days=${figures.days} />`}
    ${isSaved && html`<${HabitReports} habit=${habit.id} weekCount=${WEEK_COUNT} version=${lastSync} />`}
    <${HabitPlaces} events=${events} />
    <${HabitHistory} habit=${habit} events=${events} today=${today} />
    <${HabitActions} store=${store} habit=${habit} eventCount=${events.length} />`;
}

/** @param {{ habit: Visible, status?: string }} properties */
function Summary({ habit: { properties, problem, waiting }, status }) {
  const { end, reason, start } = properties;
  return html`
    <span class="row-notes">
      <${HabitBadge} habit=${properties} />
      ${status && html`<${Status} name=${status} />`}
      <span>${scheduleText(properties)}</span>
      ${start && html`<span>${text('habit.since', { day: fullDay(start) })}</span>`}
      ${end && html`<span>${text('habit.until', { day: fullDay(end) })}</span>`}
      ${reason && html`<span dir="auto">${reason}</span>`}
      ${problem && html`<span class="alarm">${text('habits.problem')}</span>`}
      ${waiting && !problem && html`<span>${text('state.waiting')}</span>`}
    </span>`;
}

/**
 * Returns an instant as the day and the time on this device.
 * @param {string} instant
 */
function momentText(instant) {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant));
}

/** @param {string} day */
function fullDay(day) {
  return dayText(day, { day: 'numeric', month: 'short', year: 'numeric' });
}
