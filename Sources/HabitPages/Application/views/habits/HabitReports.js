import { html } from '../../library.js';
import { useServerData } from '../useServerData.js';
import { ScoreLine } from './ScoreLine.js';

/**
 * The report of the server about the strength of a habit. If it cannot be read, it is not shown.
 * @param {{ habit: string, weekCount: number, version: unknown }} properties
 */
export function HabitReports({ habit, weekCount, version }) {
  const score = useServerData(reportPath('score', { habit, weeks: String(weekCount) }), version);
  return score?.length > 1 ? html`<${ScoreLine} points=${score} />` : null;
}

/**
 * @param {string} report
 * @param {Record<string, string>} parameters
 */
function reportPath(report, parameters) {
  return `reports/${report}?${new URLSearchParams({ ...parameters, f: 'json' })}`;
}
