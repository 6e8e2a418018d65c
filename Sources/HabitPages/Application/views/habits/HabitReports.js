import { html } from '../../library.js';
import { useServerData } from '../useServerData.js';
import { HabitPlaces } from './HabitPlaces.js';
import { ScoreLine } from './ScoreLine.js';

/**
 * The reports of the server about a habit. A report that cannot be read is not shown.
 * @param {{ habit: string, weekCount: number, version: unknown }} properties
 */
export function HabitReports({ habit, weekCount, version }) {
  const score = useServerData(reportPath('score', { habit, weeks: String(weekCount) }), version);
  const places = useServerData(reportPath('places', { habit }), version);
  return html`
    ${score?.length > 1 && html`<${ScoreLine} points=${score} />`}
    ${places && html`<${HabitPlaces} places=${places} />`}`;
}

/**
 * @param {string} report
 * @param {Record<string, string>} parameters
 */
function reportPath(report, parameters) {
  return `reports/${report}?${new URLSearchParams({ ...parameters, f: 'json' })}`;
}
