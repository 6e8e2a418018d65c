import { HabitBadge } from '../../components/HabitBadge.js';
import { Icon } from '../../components/Icon.js';
import { Status } from '../../components/Status.js';
import { html } from '../../library.js';
import { scheduleText } from '../../texts/schedule.js';
import { text } from '../../texts/text.js';

/** @typedef {import('../../store/types').Visible} Visible */

/**
 * The habits of a followed user.
 * @param {{ habits: readonly Visible[], statuses: ReadonlyMap<string, string> }} properties `statuses` contains the
 *   status of each habit by its ID. It is empty until the server has been read.
 */
export function FollowedHabits({ habits, statuses }) {
  if (!habits.length) return null;
  const sorted = [...habits].sort((first, second) => first.properties.title.localeCompare(second.properties.title));
  return html`
    <details class="fold person-habits">
      <summary><span>${text('people.habits', { count: habits.length })}</span><${Icon} name="down" /></summary>
      <ul>
        ${sorted.map(({ id, properties }) => html`
          <li key=${id} class="row-notes">
            <${HabitBadge} habit=${properties} />
            <b dir="auto">${properties.title}</b>
            <span>${scheduleText(properties)}</span>
            ${statuses.has(id) && html`<${Status} name=${statuses.get(id)} />`}
          </li>`)}
      </ul>
    </details>`;
}
