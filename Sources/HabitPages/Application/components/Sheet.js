import { html, useLayoutEffect, useRef } from '../library.js';
import { text } from '../texts/text.js';
import { Icon } from './Icon.js';

/** @typedef {import('preact-htm').Content} Content */

/**
 * A modal dialog at the bottom of a phone and at the side of a desk. The browser keeps the focus in it, and closes it
 * with Escape. The focus then returns to the element that opened it.
 * @param {object} properties
 * @param {string} properties.title
 * @param {Content} [properties.subtitle]
 * @param {() => void} properties.onClose
 * @param {Content} [properties.children]
 */
export function Sheet({ title, subtitle, onClose, children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const isClosed = useRef(false);
  const close = () => {
    if (isClosed.current) return;
    isClosed.current = true;
    onClose();
  };
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    return () => {
      isClosed.current = true;
      element?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  const cancel = (/** @type {Event} */ event) => {
    event.preventDefault();
    close();
  };
  const closeOutside = (/** @type {MouseEvent} */ event) => {
    if (event.target === dialog.current) close();
  };
  return html`
    <dialog ref=${dialog} class="sheet" aria-labelledby="sheet-title"
      onCancel=${cancel} onClose=${close} onMouseDown=${closeOutside}>
      <div class="sheet-content">
        <header class="sheet-head">
          <div>
            <h2 id="sheet-title" class="sheet-title" dir="auto">${title}</h2>
            ${subtitle && html`<p class="soft">${subtitle}</p>`}
          </div>
          <button type="button" class="icon-button" aria-label=${text('action.close')} onClick=${close}>
            <${Icon} name="close" />
          </button>
        </header>
        ${children}
      </div>
    </dialog>`;
}
