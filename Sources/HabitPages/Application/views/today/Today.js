import { DayStrip } from '../../components/DayStrip.js';
import { ProblemCard } from '../../components/ProblemCard.js';
import { Skeleton } from '../../components/Skeleton.js';
import { SyncPill } from '../../components/SyncPill.js';
import { ViewHead } from '../../components/ViewHead.js';
import { html } from '../../library.js';
import { navigate } from '../../routes.js';
import { useStore } from '../../store/useStore.js';
import { addDays, dayText, isDay, startOfWeek } from '../../texts/formats.js';
import { text } from '../../texts/text.js';
import { dayProgress } from './dayList.js';
import { Friends } from './Friends.js';
import { FirstHabits } from './FirstHabits.js';
import { ToDo } from './ToDo.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */

const WEEK = [0, 1, 2, 3, 4, 5, 6];

/**
 * The habits of a day: the habits to do today, or the entries of an earlier day.
 * @param {{ store: StoreInterface, route: import('../../routes.js').Route }} properties
 */
export function Today({ store, route }) {
  const { today, loaded, problems } = useStore(store, ({ state }) => state);
  const day = chosenDay(route.parameters.day, today);
  const firstDay = startOfWeek(day);
  const days = useStore(store, current => current.days(firstDay, addDays(firstDay, 6)));
  const week = WEEK.map(index => dayProgress(days, addDays(firstDay, index)));
  const isToday = day === today;
  const choose = (/** @type {string} */ next) => navigate(next === today ? 'days' : `days/${next}`, { replace: true });
  return html`
    <${ViewHead} title=${isToday ? text('nav.today') : dayText(day, { weekday: 'long' })}
      subtitle=${dayText(day, isToday ? { weekday: 'long', day: 'numeric', month: 'long' } : { dateStyle: 'long' })}>
      <${SyncPill} store=${store} />
    <//>
    ${problems.map(problem => html`<${ProblemCard} key=${problem.key} store=${store} problem=${problem} />`)}
    <${DayStrip} days=${week} chosen=${day} today=${today} onChoose=${choose} />
    ${content(store, { loaded, days, day })}
    <${Friends} store=${store} />`;
}

/**
 * @param {StoreInterface} store
 * @param {{ loaded: boolean, days: import('../../store/types').Days, day: string }} state
 */
function content(store, { loaded, days, day }) {
  if (days.habits.length > 0) return html`<${ToDo} store=${store} days=${days} day=${day} />`;
  return loaded ? html`<${FirstHabits} />` : html`<${Skeleton} />`;
}

/**
 * Returns the day of an address. A day that does not exist or is in the future is today.
 * @param {string | undefined} day
 * @param {string} today
 */
function chosenDay(day, today) {
  return day && isDay(day) && day <= today ? day : today;
}
