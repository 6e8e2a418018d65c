// The arrow keys in a list of habits.

const STEPS = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1 });

/**
 * Moves the focus to the same control of the next or former row. Space and Enter act as in every button and link.
 * @param {KeyboardEvent} event
 */
export function moveInList(event) {
  const step = STEPS[event.key];
  const target = /** @type {HTMLElement} */ (event.target);
  const row = target.closest('li');
  if (!step || !row) return;
  const neighbor = step > 0 ? row.nextElementSibling : row.previousElementSibling;
  const index = controlsOf(row).indexOf(target);
  const control = neighbor && controlsOf(neighbor)[Math.max(index, 0)];
  if (!control) return;
  event.preventDefault();
  control.focus();
}

/** @param {Element} row */
function controlsOf(row) {
  return /** @type {HTMLElement[]} */ ([...row.querySelectorAll('button, a')]);
}
