import { html } from '../../library.js';
import { dayText, numberText } from '../../texts/formats.js';
import { text } from '../../texts/text.js';

const WIDTH = 320;
const HEIGHT = 72;
/** The distance of the line from the border, so that it is not cut. */
const MARGIN = 4;

/** @typedef {{ day: string, score: number }} ScorePoint */

/**
 * The strength of a habit over time, from 0 to 1.
 * @param {{ points: readonly ScorePoint[] }} properties at least two points, in ascending order
 */
export function ScoreLine({ points }) {
  const [first, last] = [points[0], points[points.length - 1]];
  const label = text('habit.scoreText', {
    first: percent(first.score), from: shortDay(first.day), last: percent(last.score), to: shortDay(last.day),
  });
  return html`
    <section class="card habit-section">
      <h2>${text('habit.score')}</h2>
      <svg class="score-line" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img"
        aria-label=${label}>
        <polyline points=${coordinates(points)} />
      </svg>
      <p class="chart-ends">
        <span>${shortDay(first.day)}: ${percent(first.score)}</span>
        <span>${shortDay(last.day)}: ${percent(last.score)}</span>
      </p>
    </section>`;
}

/** @param {readonly ScorePoint[]} points */
function coordinates(points) {
  const step = (WIDTH - 2 * MARGIN) / (points.length - 1);
  const places = points.map(({ score }, index) => {
    const x = MARGIN + index * step;
    const y = HEIGHT - MARGIN - score * (HEIGHT - 2 * MARGIN);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return places.join(' ');
}

/** @param {number} share */
function percent(share) {
  return numberText(share, { style: 'percent' });
}

/** @param {string} day */
function shortDay(day) {
  return dayText(day, { day: 'numeric', month: 'short' });
}
