import { html } from '../library.js';
import { address } from '../root.js';
import { Failure, Unreachable } from '../store/requests.js';
import { text } from '../texts/text.js';

/**
 * The page if the application cannot start, so that the person knows what to do.
 * @param {{ error: unknown }} properties
 */
export function StartProblem({ error }) {
  const isOfServer = error instanceof Unreachable || error instanceof Failure;
  return html`
    <main id="content">
      <h1>${text('start.title')}</h1>
      <p role="alert">${text(isOfServer ? 'start.unreachable' : 'start.failed')}</p>
      <div class="actions">
        <button type="button" class="button is-primary" onClick=${() => location.reload()}>
          ${text('action.retry')}
        </button>
        <a class="button" href=${address('')}>${text('start.pages')}</a>
      </div>
    </main>`;
}
