import { ToastProvider } from '../components/Toast.js';
import { html, useEffect, useRef, useState } from '../library.js';
import { navigate, routeOf, useRoute } from '../routes.js';
import { useStore } from '../store/useStore.js';
import { text } from '../texts/text.js';
import { EventSheet } from '../views/event/EventSheet.js';
import { Navigation } from './Navigation.js';
import { Notices } from './Notices.js';
import { ShortcutList } from './ShortcutList.js';
import { useShortcuts } from './shortcuts.js';
import { viewNamed } from './views.js';

/** @typedef {import('../routes.js').Route} Route */
/** @typedef {import('../store/types').StoreInterface} StoreInterface */

/**
 * The frame of all views: navigation, notices, the view, and the sheet over it.
 * @param {{ store: StoreInterface }} properties
 */
export function Shell({ store }) {
  const route = useRoute();
  const sections = useStore(store, ({ state }) => state.settings.sections);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const shortcuts = useShortcuts({ sections, onHelp: () => setHelpOpen(true) });
  const isSheet = route.name === 'event' || route.name === 'newEvent';
  const viewRoute = isSheet ? route.below ?? routeBelow(route, store) : route;
  const View = viewNamed(viewRoute.name);
  useViewFocus(viewRoute.path);
  return html`
    <${ToastProvider}>
      <div class="frame" onClick=${(/** @type {MouseEvent} */ event) => followLink(event, viewRoute)}>
        <a class="skip" href="#content" onClick=${skipToContent}>${text('nav.skip')}</a>
        <${Navigation} store=${store} view=${viewRoute.name} sections=${sections} />
        <main id="content" tabindex="-1">
          <${Notices} store=${store} />
          <${View} key=${viewRoute.name} store=${store} route=${viewRoute} />
        </main>
        ${isSheet && html`<${EventSheet} key=${route.path} store=${store} route=${route} below=${viewRoute.path} />`}
        ${isHelpOpen && html`
          <${ShortcutList} sections=${sections} isOn=${shortcuts.isOn} onChoose=${shortcuts.choose}
            onClose=${() => setHelpOpen(false)} />`}
      </div>
    <//>`;
}

/**
 * Returns the view under a sheet that the page was opened with: the day of its event.
 * @param {Route} route
 * @param {StoreInterface} store
 * @returns {Route}
 */
function routeBelow({ parameters }, store) {
  const day = parameters.day ?? store.find('events', parameters.event ?? '')?.properties.day;
  if (!day || day === store.state.today) return { name: 'today', path: 'days', query: '', parameters: {} };
  return { name: 'today', path: `days/${day}`, query: '', parameters: { day } };
}

/**
 * Moves the focus to the heading after a change of the view, and not when the page opens.
 * @param {string} path
 */
function useViewFocus(path) {
  const shown = useRef(path);
  useEffect(() => {
    const heading = document.getElementById('view-title');
    document.title = heading ? `${heading.textContent} · Habitat` : 'Habitat';
    if (shown.current === path) return;
    shown.current = path;
    scrollTo(0, 0);
    heading?.focus({ preventScroll: true });
  }, [path]);
}

/**
 * Opens a view without a request if a person follows a link to it.
 * @param {MouseEvent} event
 * @param {Route} view the view that stays under a sheet
 */
function followLink(event, view) {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!isPlain || !link || event.defaultPrevented || link.target || link.hasAttribute('download')) return;
  const url = new URL(link.href);
  const route = routeOf(url);
  if (!route) return;
  event.preventDefault();
  const isSheet = route.name === 'event' || route.name === 'newEvent';
  navigate(`${route.path}${url.search}`, isSheet ? { below: `${view.path}${view.query}` } : {});
}

/** @param {MouseEvent} event */
function skipToContent(event) {
  event.preventDefault();
  document.getElementById('content')?.focus();
}
