import { html } from '../library.js';

const RADIUS = 16;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

/**
 * A ring that shows which part of the habits of a day is done, with the number of the day in it.
 * @param {{ done: number, due: number, label: string }} properties
 */
export function Ring({ done, due, label }) {
  const length = due > 0 ? CIRCUMFERENCE * done / due : 0;
  return html`
    <svg class="ring" viewBox="0 0 40 40" aria-hidden="true">
      <circle class="ring-track" cx="20" cy="20" r=${RADIUS} />
      ${length > 0 && html`<circle class="ring-done" cx="20" cy="20" r=${RADIUS} transform="rotate(-90 20 20)"
        stroke-dasharray=${`${length} ${CIRCUMFERENCE}`} />`}
      <text x="20" y="20.5">${label}</text>
    </svg>`;
}
