// Runs hooks of the application in a component that shows nothing, with the library of the build.

import { register } from 'node:module';

const LIBRARY = new URL('../../.build/web/preact.js', import.meta.url).href;
const RESOLVER = `export function resolve(name, context, next) {
  return name === 'preact-htm' ? { url: '${LIBRARY}', format: 'module', shortCircuit: true } : next(name, context);
}`;
register(`data:text/javascript,${encodeURIComponent(RESOLVER)}`);
const { h, render } = await import('../../Sources/HabitPages/Application/library.js');

/**
 * Renders a component that calls a hook.
 * @template Properties
 * @param {(properties: Properties) => void} hook
 * @returns {(properties: Properties) => void} renders the component again
 */
export function probe(hook) {
  const parent = { childNodes: [], firstChild: null, nodeType: 1, insertBefore() {} };
  const Probe = properties => {
    hook(properties);
    return null;
  };
  return properties => render(h(Probe, properties), parent);
}
