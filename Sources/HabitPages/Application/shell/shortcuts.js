// The keys that open views. They work unless the focus is in a field, and can be switched off (WCAG 2.1.4).

import { useLayoutEffect, useState } from '../library.js';
import { address } from '../root.js';
import { navigate, routeOf } from '../routes.js';
import { available, ownDestinations, tabs } from './destinations.js';

const SETTING = 'habitat-shortcuts';
const PREFIX = 'g';
const PREFIX_MILLISECONDS = 1500;

/**
 * Listens to the keys as long as the component exists.
 * @param {{ sections?: readonly string[], onHelp: () => void }} options
 */
export function useShortcuts({ sections, onHelp }) {
  const [isOn, setOn] = useState(() => readSetting());
  // The listener stays when the settings of the server arrive between two keys.
  const [listener] = useState(() => new ShortcutListener());
  listener.destinations = available([...tabs, ...ownDestinations], sections);
  listener.onHelp = onHelp;
  // A view that is visible hears the keys.
  useLayoutEffect(() => {
    if (!isOn) return undefined;
    const listen = (/** @type {KeyboardEvent} */ event) => listener.handle(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [isOn]);
  const choose = (/** @type {boolean} */ next) => {
    writeSetting(next);
    setOn(next);
  };
  return { isOn, choose };
}

class ShortcutListener {
  /** @type {import('./destinations.js').Destination[]} */
  destinations = [];
  onHelp = () => {};
  #prefixTime = -Infinity;

  /** @param {KeyboardEvent} event */
  handle(event) {
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    if (hasModifier || isTyping(event.target) || document.querySelector('dialog[open]')) return;
    const followsPrefix = event.timeStamp - this.#prefixTime < PREFIX_MILLISECONDS;
    this.#prefixTime = event.key === PREFIX ? event.timeStamp : -Infinity;
    const isHandled = followsPrefix ? this.openDestination(event.key) : this.runCommand(event.key);
    if (isHandled) event.preventDefault();
  }

  /** @param {string} key */
  openDestination(key) {
    const destination = this.destinations.find(candidate => candidate.key === key);
    if (!destination) return false;
    if (routeOf(new URL(address(destination.path)))) navigate(destination.path);
    else location.assign(address(destination.path));
    return true;
  }

  /** @param {string} key */
  runCommand(key) {
    if (key === '?') this.onHelp();
    else if (key === 'n') navigate('habits/new');
    else if (key === '/') return focusSearch();
    else return false;
    return true;
  }
}

/** Moves the focus to the search field of the view, if it has one. */
function focusSearch() {
  const field = /** @type {HTMLElement | null} */ (document.querySelector('main input[type=search]'));
  field?.focus();
  return field !== null;
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** Whether the shortcuts are on. A browser that stores nothing has them. */
function readSetting() {
  try {
    return localStorage.getItem(SETTING) !== 'off';
  } catch {
    return true;
  }
}

/** @param {boolean} isOn */
function writeSetting(isOn) {
  try {
    if (isOn) localStorage.removeItem(SETTING);
    else localStorage.setItem(SETTING, 'off');
  } catch {
    // The choice then holds until the page is closed.
  }
}
