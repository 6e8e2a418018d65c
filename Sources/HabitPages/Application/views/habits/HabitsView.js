import { Empty } from '../../components/Empty.js';
import { Icon } from '../../components/Icon.js';
import { Skeleton } from '../../components/Skeleton.js';
import { ViewHead } from '../../components/ViewHead.js';
import { html, useState } from '../../library.js';
import { address } from '../../root.js';
import { useStore } from '../../store/useStore.js';
import { text } from '../../texts/text.js';
import { HabitOrder } from './HabitOrder.js';
import { HabitRow } from './HabitRow.js';
import { hasEnded, ownHabits } from './ownHabits.js';

/** @typedef {import('../../store/types').Visible} Visible */

/**
 * The habits of the person, which the person can order. Ended habits are folded.
 * @param {{ store: import('../../store/types').StoreInterface }} properties
 */
export function HabitsView({ store }) {
  const { account, loaded, today } = useStore(store, ({ state }) => state);
  const records = useStore(store, current => current.records('habits'));
  const days = useStore(store, current => current.days(today, today));
  const [isOrdering, setOrdering] = useState(false);
  const habits = ownHabits(records, account.id);
  const active = habits.filter(habit => !hasEnded(habit, today));
  const ended = habits.filter(habit => hasEnded(habit, today));
  const figures = new Map(days.habits.map(habit => [habit.id, habit]));
  const rows = (/** @type {Visible[]} */ list) => html`
    <ul class="cards">
      ${list.map(habit => html`<${HabitRow} key=${habit.id} habit=${habit} figures=${figures.get(habit.id)} />`)}
    </ul>`;
  const list = isOrdering ? html`<${HabitOrder} store=${store} habits=${active} />` : rows(active);
  if (!loaded && !habits.length) return html`<${ViewHead} title=${text('nav.habits')} /><${Skeleton} />`;
  return html`
    <${ViewHead} title=${text('nav.habits')}>
      ${active.length > 1 && html`
        <button type="button" class="button" onClick=${() => setOrdering(!isOrdering)}>
          ${text(isOrdering ? 'order.end' : 'order.begin')}
        </button>`}
      <a class="button" href=${address('habits/new')}><${Icon} name="add" />${text('habits.new')}</a>
    <//>
    ${active.length ? list : html`<${Empty} title=${text('habits.empty')} />`}
    ${ended.length > 0 && html`
      <details class="fold">
        <summary>${text('habits.ended', { count: ended.length })}</summary>
        ${rows(ended)}
      </details>`}`;
}
