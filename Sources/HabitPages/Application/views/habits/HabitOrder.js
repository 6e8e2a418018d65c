import { HabitBadge } from '../../components/HabitBadge.js';
import { Icon } from '../../components/Icon.js';
import { html, useEffect, useRef, useState } from '../../library.js';
import { numberText } from '../../texts/formats.js';
import { text } from '../../texts/text.js';
import { moverOf } from './order.js';
import { activeHabits } from './ownHabits.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('../../store/types').Visible} Visible */
/** @typedef {{ id: string, step: -1 | 1 }} Move */

/**
 * The habits with buttons that move them up and down.
 * @param {{ store: StoreInterface, habits: readonly Visible[] }} properties
 */
export function HabitOrder({ store, habits }) {
  const [last, setLast] = useState(/** @type {Move | undefined} */ (undefined));
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const [move] = useState(() => moverOf(store, () => activeHabits(store)));
  const position = habits.findIndex(({ id }) => id === last?.id);
  useEffect(() => focusAfter(list.current, last), [position, last]);
  const tap = async (/** @type {string} */ id, /** @type {-1 | 1} */ step) => {
    await move(id, step);
    setLast({ id, step });
  };
  return html`
    <ol class="card list" ref=${list} aria-label=${text('order.list')}>
      ${habits.map((habit, index) => html`
        <li key=${habit.id} class="list-row" data-habit=${habit.id}>
          <${HabitBadge} habit=${habit.properties} />
          <span class="list-text"><span class="row-title" dir="auto">${habit.properties.title}</span></span>
          <${MoveButton} step=${-1} title=${habit.properties.title} isDisabled=${index === 0}
            onTap=${() => tap(habit.id, -1)} />
          <${MoveButton} step=${1} title=${habit.properties.title} isDisabled=${index === habits.length - 1}
            onTap=${() => tap(habit.id, 1)} />
        </li>`)}
    </ol>
    <p class="unseen" role="status">${position >= 0 && placeText(habits, position)}</p>`;
}

/** @param {{ step: -1 | 1, title: string, isDisabled: boolean, onTap: () => void }} properties */
function MoveButton({ step, title, isDisabled, onTap }) {
  const label = text(step < 0 ? 'order.up' : 'order.down', { title });
  return html`
    <button type="button" class="button" data-step=${step} aria-label=${label} disabled=${isDisabled} onClick=${onTap}>
      <${Icon} name=${step < 0 ? 'up' : 'down'} />
    </button>`;
}

/**
 * @param {readonly Visible[]} habits
 * @param {number} position
 */
function placeText(habits, position) {
  const { title } = habits[position].properties;
  return text('order.place', { title, place: numberText(position + 1), count: numberText(habits.length) });
}

/**
 * Keeps the focus at the moved habit. A browser drops it when the row moves, or when its button is disabled.
 * @param {HTMLElement | null} list
 * @param {Move | undefined} move
 */
function focusAfter(list, move) {
  if (!list || !move) return;
  const rows = [...list.querySelectorAll('li')];
  const row = rows.find(({ dataset }) => dataset.habit === move.id);
  const buttons = [...row?.querySelectorAll('button') ?? []].filter(({ disabled }) => !disabled);
  const same = buttons.find(({ dataset }) => dataset.step === String(move.step));
  (same ?? buttons[0])?.focus();
}
