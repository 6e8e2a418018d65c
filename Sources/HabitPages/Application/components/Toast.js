import { createContext, html, useCallback, useContext, useEffect, useState } from '../library.js';
import { UNDO_VISIBLE } from '../store/undo.js';
import { text } from '../texts/text.js';

/** @typedef {{ text: string, onUndo?: () => void }} Message */

const ToastContext = createContext(/** @type {(message: Message) => void} */ (() => {}));

/**
 * Returns the function that shows a message for six seconds. A new message replaces the former one. The pointer or the
 * focus holds a message, except one with Undo: an undo after the deletion was sent loses photos, and events of a habit.
 */
export function useToast() {
  return useContext(ToastContext);
}

/**
 * Shows the messages of the components in it.
 * @param {{ children?: import('preact-htm').Content }} properties
 */
export function ToastProvider({ children }) {
  const [message, setMessage] = useState(/** @type {Message | undefined} */ (undefined));
  const show = useCallback((/** @type {Message} */ next) => setMessage({ ...next }), []);
  const hide = () => setMessage(undefined);
  return html`
    <${ToastContext.Provider} value=${show}>
      ${children}
      <div class="toasts" role="status" aria-live="polite">
        ${message && html`<${Toast} message=${message} onEnd=${hide} />`}
      </div>
    <//>`;
}

/** @param {{ message: Message, onEnd: () => void }} properties */
function Toast({ message, onEnd }) {
  const [isHeld, setHeld] = useState(false);
  const stays = isHeld && !message.onUndo;
  useEffect(() => {
    if (stays) return undefined;
    const timer = setTimeout(onEnd, UNDO_VISIBLE);
    return () => clearTimeout(timer);
  }, [message, stays]);
  const undo = () => {
    message.onUndo?.();
    onEnd();
  };
  return html`
    <div class="toast" onMouseEnter=${() => setHeld(true)} onMouseLeave=${() => setHeld(false)}
      onFocusIn=${() => setHeld(true)} onFocusOut=${() => setHeld(false)}>
      <span dir="auto">${message.text}</span>
      ${message.onUndo && html`<button type="button" onClick=${undo}>${text('action.undo')}</button>`}
    </div>`;
}
