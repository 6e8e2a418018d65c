import { Choice } from '../../components/Choice.js';
import { Field } from '../../components/Field.js';
import { Icon } from '../../components/Icon.js';
import { html } from '../../library.js';
import { numberText } from '../../texts/formats.js';
import { text } from '../../texts/text.js';
import { CommentSearch } from './CommentSearch.js';
import { chipsOf, FilterChips } from './FilterChips.js';
import { HabitChoice } from './HabitChoice.js';
import { habitOptions } from './habitOptions.js';
import { SCOPES } from './historyFilter.js';
import { NearMe } from './NearMe.js';

/** @typedef {import('./historyFilter.js').HistoryFilter} HistoryFilter */

/**
 * Everything that selects the events of the history.
 * @param {object} properties
 * @param {import('../../store/types').StoreInterface} properties.store
 * @param {HistoryFilter} properties.filter
 * @param {(changes: Partial<HistoryFilter>) => void} properties.onChange
 */
export function HistoryFilters({ store, filter, onChange }) {
  const options = habitOptions(store, filter.scope);
  const titleOf = (/** @type {string} */ habit) => store.find('habits', habit)?.properties.title ?? habit;
  const setScope = (/** @type {string} */ value) => {
    const scope = SCOPES.find(name => name === value) ?? 'mine';
    const offered = new Set(habitOptions(store, scope).map(({ id }) => id));
    onChange({ scope, habits: filter.habits.filter(habit => offered.has(habit)) });
  };
  const count = chipsOf(filter, titleOf).length;
  return html`
    <div class="history-filters">
      <${Choice} name="scope" legend=${text('history.scope')} options=${scopeOptions()} value=${filter.scope}
        onChange=${setScope} />
      <details class="fold">
        <summary>
          <h2>${count ? text('history.filterCount', { count: numberText(count) }) : text('history.filter')}</h2>
          <${Icon} name="down" />
        </summary>
        <div class="card form">
          <${CommentSearch} comment=${filter.comment}
            onSearch=${(/** @type {string} */ comment) => onChange({ comment })} />
          <div class="field-pair">
            <${Field} id="history-from" label=${text('history.from')} value=${filter.from}
              attributes=${{ type: 'date', max: filter.to }}
              onInput=${(/** @type {string} */ from) => onChange({ from })} />
            <${Field} id="history-to" label=${text('history.to')} value=${filter.to}
              attributes=${{ type: 'date', min: filter.from }}
              onInput=${(/** @type {string} */ to) => onChange({ to })} />
          </div>
          <${NearMe} filter=${filter} onChange=${onChange} />
          ${options.length > 0 && html`
            <${HabitChoice} options=${options} chosen=${filter.habits}
              onChange=${(/** @type {string[]} */ habits) => onChange({ habits })} />`}
        </div>
      </details>
      <${FilterChips} filter=${filter} titleOf=${titleOf} onChange=${onChange} />
    </div>`;
}

function scopeOptions() {
  return [
    { value: 'mine', label: text('history.mine') },
    { value: 'friends', label: text('history.friends') },
    { value: 'all', label: text('history.all') },
  ];
}
