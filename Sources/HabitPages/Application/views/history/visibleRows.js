// The part of a long list that a window shows.

/** Rows above and below the window, so that a quick scroll shows no gap. */
const EXTRA_ROWS = 8;

/**
 * Returns the rows that must exist while a part of the list is visible.
 * @param {object} list
 * @param {number} list.count the number of all rows
 * @param {number} list.rowHeight the height of each row, in pixels
 * @param {number} list.top the distance from the top of the list to the top of the window, which can be negative
 * @param {number} list.height the height of the window
 * @returns {{start: number, end: number}} the index of the first row and the index after the last row
 */
export function visibleRows({ count, rowHeight, top, height }) {
  const first = Math.floor(top / rowHeight) - EXTRA_ROWS;
  const last = Math.ceil((top + height) / rowHeight) + EXTRA_ROWS;
  const start = Math.min(Math.max(first, 0), count);
  return { start, end: Math.min(Math.max(last, start), count) };
}
