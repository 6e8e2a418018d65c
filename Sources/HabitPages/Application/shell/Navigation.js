import { Icon } from '../components/Icon.js';
import { Sheet } from '../components/Sheet.js';
import { html, useState } from '../library.js';
import { address } from '../root.js';
import { text } from '../texts/text.js';
import { available, ownDestinations, tabs } from './destinations.js';
import { SignOutSheet } from './SignOutSheet.js';

/** @typedef {import('../routes.js').ViewName} ViewName */
/** @typedef {import('../store/types').StoreInterface} StoreInterface */
/** @typedef {import('./destinations.js').Destination} Destination */

/**
 * The tab bar of a phone, which is a rail on a desk. The tab "Me" opens a sheet; the rail shows its entries.
 * @param {{ store: StoreInterface, view: ViewName, sections?: readonly string[] }} properties
 */
export function Navigation({ store, view, sections }) {
  const [sheet, setSheet] = useState(/** @type {'me' | 'signOut' | undefined} */ (undefined));
  const own = available(ownDestinations, sections);
  const isOwn = own.some(({ views }) => views.includes(view));
  const close = () => setSheet(undefined);
  const signOut = () => setSheet('signOut');
  return html`
    <nav class="navigation" aria-label=${text('nav.label')}>
      <p class="brand" aria-hidden="true">Habitat</p>
      <ul>
        ${available(tabs, sections).map(tab => html`
          <li key=${tab.path}><${NavigationLink} destination=${tab} view=${view} /></li>`)}
        ${own.map(entry => html`
          <li key=${entry.path} class="only-desk"><${NavigationLink} destination=${entry} view=${view} /></li>`)}
        <li class="only-desk"><${SignOutButton} onClick=${signOut} /></li>
        <li class="only-phone">
          <button type="button" class=${isOwn ? 'is-current' : ''} aria-haspopup="dialog"
            onClick=${() => setSheet('me')}>
            <${Icon} name="me" /><span>${text('nav.me')}</span>
          </button>
        </li>
      </ul>
      ${sheet === 'me' && html`
        <${Sheet} title=${text('nav.me')} onClose=${close}>
          <ul class="menu">
            ${own.map(entry => html`
              <li key=${entry.path} onClick=${close}><${NavigationLink} destination=${entry} view=${view} /></li>`)}
            <li><${SignOutButton} onClick=${signOut} /></li>
          </ul>
        <//>`}
      ${sheet === 'signOut' && html`<${SignOutSheet} store=${store} onClose=${close} />`}
    </nav>`;
}

/** @param {{ destination: Destination, view: ViewName }} properties */
function NavigationLink({ destination, view }) {
  const isCurrent = destination.views.includes(view);
  return html`
    <a href=${address(destination.path)} aria-current=${isCurrent ? 'page' : undefined}>
      <${Icon} name=${destination.icon} /><span>${text(destination.label)}</span>
    </a>`;
}

/** @param {{ onClick: () => void }} properties */
function SignOutButton({ onClick }) {
  return html`
    <button type="button" aria-haspopup="dialog" onClick=${onClick}>
      <${Icon} name="leave" /><span>${text('signOut.title')}</span>
    </button>`;
}
