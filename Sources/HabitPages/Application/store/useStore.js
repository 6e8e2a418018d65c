// The hook with which components read the store.

import { useEffect, useReducer, useRef } from '../library.js';

/** @typedef {import('./types').StoreInterface} StoreInterface */

/**
 * Returns a value of the store, and renders the component again when the store changes.
 * @template Value
 * @param {StoreInterface} store
 * @param {(store: StoreInterface) => Value} select
 * @returns {Value}
 */
export function useStore(store, select) {
  const [, render] = useReducer(count => count + 1, 0);
  const value = select(store);
  const shown = useRef(value);
  shown.current = value;
  const latest = useRef(select);
  latest.current = select;
  useEffect(() => {
    // The store may have changed between the first rendering and this call.
    const update = () => {
      const next = latest.current(store);
      if (next !== shown.current) render(undefined);
    };
    update();
    return store.subscribe(update);
  }, [store]);
  return value;
}
