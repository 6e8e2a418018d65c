import { HabitBadge } from '../../components/HabitBadge.js';
import { Icon } from '../../components/Icon.js';
import { Status } from '../../components/Status.js';
import { html } from '../../library.js';
import { address } from '../../root.js';
import { scheduleText } from '../../texts/schedule.js';
import { text } from '../../texts/text.js';
import { habitPath } from './ownHabits.js';

/**
 * A habit in the list, with its schedule, status and streak. It leads to the view of the habit.
 * @param {object} properties
 * @param {import('../../store/types').Visible} properties.habit
 * @param {import('../../store/types').HabitDays} [properties.figures] the status and the streak of the last sync
 */
export function HabitRow({ habit, figures }) {
  const { properties } = habit;
  return html`
    <li>
      <a class="card list-row" href=${address(habitPath(habit.id))}>
        <${HabitBadge} habit=${properties} />
        <span class="list-text">
          <span class="row-title" dir="auto">${properties.title}</span>
          <span class="row-notes">
            <span>${scheduleText(properties)}</span>
            ${figures && html`<${Status} name=${figures.status} />`}
            ${habit.problem ? html`<span class="alarm">${text('habits.problem')}</span>`
              : habit.waiting && html`<span>${text('state.waiting')}</span>`}
          </span>
        </span>
        ${figures && figures.streak > 0 && html`
          <span class="list-figure">${text('habits.streak', { count: figures.streak })}</span>`}
        <${Icon} name="forward" />
      </a>
    </li>`;
}
