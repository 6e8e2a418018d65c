import { Empty } from '../../components/Empty.js';
import { Skeleton } from '../../components/Skeleton.js';
import { ViewHead } from '../../components/ViewHead.js';
import { html, useEffect, useState } from '../../library.js';
import { address } from '../../root.js';
import { navigate } from '../../routes.js';
import { text } from '../../texts/text.js';
import { filterOf, searchOf } from './historyFilter.js';
import { HistoryFilters } from './HistoryFilters.js';
import { HistoryList } from './HistoryList.js';
import { useHistory } from './useHistory.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('./historyFilter.js').HistoryFilter} HistoryFilter */
/** @typedef {import('./useHistory.js').History} History */

/**
 * The events of the person, of friends, or of all, newest first.
 * @param {{ store: StoreInterface, route: import('../../routes.js').Route }} properties
 */
export function HistoryView({ store, route }) {
  const [filter, setFilter] = useFilter(route);
  const entries = useHistory(store, filter);
  const { events, isComplete } = entries;
  const count = text(isComplete ? 'history.count' : 'history.countMore', { count: events.length });
  return html`
    <${ViewHead} title=${text('nav.history')} />
    <${HistoryFilters} store=${store} filter=${filter} onChange=${setFilter} />
    <p class="soft" role="status">${events.length > 0 && count}</p>
    ${entries.isLocal && html`<p class="soft">${text('history.local')}</p>`}
    ${events.length > 0 && html`
      <${HistoryList} store=${store} events=${events} isComplete=${isComplete} onEnd=${entries.readMore} />`}
    <${ListEnd} entries=${entries} filter=${filter} />`;
}

/**
 * Returns the filter and the function that changes it. The address contains the filter, so that a reload keeps it.
 * @param {import('../../routes.js').Route} route
 * @returns {[HistoryFilter, (changes: Partial<HistoryFilter>) => void]}
 */
function useFilter(route) {
  const [filter, setFilter] = useState(() => filterOf(isOwnAddress() ? location.search : ''));
  useEffect(() => {
    // A link to the history changes the address and leaves the view. A sheet over the history has its own address.
    const isChanged = isOwnAddress() && location.search.slice(1) !== searchOf(filter);
    if (isChanged) setFilter(filterOf(location.search));
  }, [route]);
  const change = (/** @type {Partial<HistoryFilter>} */ changes) => {
    const next = { ...filter, ...changes };
    setFilter(next);
    const search = searchOf(next);
    navigate(search ? `history?${search}` : 'history', { replace: true });
  };
  return [filter, change];
}

/** Whether the page has the address of the history. */
function isOwnAddress() {
  return location.href.split('?')[0] === address('history');
}

/** @param {{ entries: History, filter: HistoryFilter }} properties */
function ListEnd({ entries: { events, hasFailed, isComplete, isLoading, readMore }, filter }) {
  if (hasFailed) {
    return html`
      <p class="notice" role="alert">
        <span>${text('history.failed')}</span>
        <button type="button" class="button" onClick=${readMore}>${text('action.retry')}</button>
      </p>`;
  }
  if (events.length > 0) return isLoading ? html`<p class="soft" role="status">${text('state.loading')}</p>` : null;
  if (!isComplete) return html`<${Skeleton} />`;
  const isFiltered = searchOf({ ...filter, scope: 'mine' }) !== '' || filter.position !== null;
  if (isFiltered) return html`<${Empty} title=${text('history.empty')} />`;
  if (filter.scope === 'mine') return html`<${Empty} title=${text('history.emptyMine')} />`;
  return html`
    <${Empty} title=${text('history.emptyFriends')}>
      <a class="button" href=${address('people')}>${text('people.find')}</a>
    <//>`;
}
