import { html, useEffect, useLayoutEffect, useRef, useState } from '../../library.js';
import { HistoryRow } from './HistoryRow.js';
import { visibleRows } from './visibleRows.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('./HistoryRow.js').HistoryEntry} HistoryEntry */

/** The height of a row in the unit of the font, so that large texts fit. `habits.css` has the same value. */
const ROW_REM = 4.25;

/**
 * The events of the history. Only the rows around the window exist, so that a long history scrolls smoothly.
 * @param {object} properties
 * @param {StoreInterface} properties.store
 * @param {readonly HistoryEntry[]} properties.events
 * @param {boolean} properties.isComplete whether there are no further events
 * @param {() => void} properties.onEnd is called when the end of the list is visible and there may be further events
 */
export function HistoryList({ store, events, isComplete, onEnd }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const { start, end, rowHeight } = useWindow(list, events.length);
  const isAtEnd = end >= events.length;
  useEffect(() => {
    if (isAtEnd && !isComplete) onEnd();
  }, [isAtEnd, isComplete, events]);
  const rows = events.slice(start, end);
  return html`
    <ol ref=${list} class="card history-list" style=${{ blockSize: `${events.length * rowHeight}px` }}>
      ${rows.map((event, offset) => html`
        <li key=${event.id} style=${{ insetBlockStart: `${(start + offset) * rowHeight}px` }}
          aria-setsize=${isComplete ? events.length : -1} aria-posinset=${start + offset + 1}>
          <${Row} store=${store} event=${event} />
        </li>`)}
    </ol>`;
}

/** @param {{ store: StoreInterface, event: HistoryEntry }} properties */
function Row({ store, event: listed }) {
  const copied = store.find('events', listed.id);
  const event = copied ?? listed;
  const { habit: id, title, user } = event.properties;
  const habit = store.find('habits', id)?.properties ?? { title: title ?? '' };
  const isOwn = (user ?? store.state.account.id) === store.state.account.id;
  const userName = isOwn ? undefined : store.find('users', user)?.properties.name ?? user;
  return html`
    <${HistoryRow} event=${event} habit=${habit} userName=${userName} today=${store.state.today}
      isCopied=${copied !== undefined} />`;
}

/**
 * Returns which rows must exist, and renders again when this changes.
 * @param {{ current: HTMLElement | null }} list
 * @param {number} count
 */
function useWindow(list, count) {
  const [range, setRange] = useState({ start: 0, end: 0, rowHeight: rowPixels() });
  useLayoutEffect(() => {
    const update = () => {
      if (!list.current) return;
      const rowHeight = rowPixels();
      const top = -list.current.getBoundingClientRect().top;
      const { start, end } = visibleRows({ count, rowHeight, top, height: innerHeight });
      setRange(current => {
        const isEqual = current.start === start && current.end === end && current.rowHeight === rowHeight;
        return isEqual ? current : { start, end, rowHeight };
      });
    };
    update();
    const options = { capture: true, passive: true };
    addEventListener('scroll', update, options);
    addEventListener('resize', update);
    return () => {
      removeEventListener('scroll', update, options);
      removeEventListener('resize', update);
    };
  }, [count]);
  return range;
}

/** Returns the height of a row in pixels. */
function rowPixels() {
  const fontSize = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.round(ROW_REM * fontSize);
}
