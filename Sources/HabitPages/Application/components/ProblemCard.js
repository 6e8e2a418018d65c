import { html } from '../library.js';
import { address } from '../root.js';
import { problemText } from '../texts/problems.js';
import { text } from '../texts/text.js';
import { Differences } from './Differences.js';
import { useToast } from './Toast.js';

/** @typedef {import('../store/types').StoreInterface} StoreInterface */
/** @typedef {import('../store/types').Problem} Problem */

/**
 * A change that the person has to decide about: it differs from a change of another device, or the server refuses it.
 * @param {{ store: StoreInterface, problem: Problem }} properties
 */
export function ProblemCard({ store, problem }) {
  const isConflict = problem.kind === 'conflict';
  const title = text(isConflict ? 'conflict.title' : 'refused.title', { title: titleOf(store, problem) });
  return html`
    <section class="problem-card" role="alert">
      <h2 dir="auto">${title}</h2>
      ${isConflict
        ? html`<${Differences} problem=${problem} />`
        : html`<p>${problemText(problem.slug, problem.parameters)}</p>`}
      <div class="actions">
        ${isConflict
          ? html`<${ConflictActions} store=${store} problem=${problem} />`
          : html`<${RefusalActions} store=${store} problem=${problem} />`}
      </div>
    </section>`;
}

/** @param {{ store: StoreInterface, problem: Problem }} properties */
function ConflictActions({ store, problem }) {
  const resolve = (/** @type {'mine' | 'theirs'} */ decision) => store.resolve(problem, decision);
  return html`
    <button type="button" class="button" onClick=${() => resolve('mine')}>${text('conflict.mine')}</button>
    <button type="button" class="button" onClick=${() => resolve('theirs')}>${text('conflict.theirs')}</button>`;
}

/** @param {{ store: StoreInterface, problem: Problem }} properties */
function RefusalActions({ store, problem }) {
  const showToast = useToast();
  const editor = editorOf(problem);
  const discard = async () => {
    await store.resolve(problem, 'discard');
    showToast({ text: text('refused.discarded') });
  };
  return html`
    ${editor && problem.mine && html`<a class="button" href=${address(editor)}>${text('action.edit')}</a>`}
    <button type="button" class="button" onClick=${discard}>${text('action.discard')}</button>`;
}

/**
 * Returns the path of the view that edits a record, or `undefined` if it does not exist.
 * @param {Problem} problem
 */
function editorOf({ collection, id }) {
  if (collection === 'events') return `events/${encodeURIComponent(id)}`;
  return collection === 'habits' ? `habits/${encodeURIComponent(id)}/edit` : undefined;
}

/**
 * Returns the name of the record: the title of the habit, or the name of the user.
 * @param {StoreInterface} store
 * @param {Problem} problem
 */
function titleOf(store, { collection, id, mine, theirs }) {
  const fields = { ...theirs, ...mine };
  if (collection === 'habits') return fields.title ?? text('habits.one');
  const habit = store.find('habits', fields.habit ?? '');
  return habit?.properties.title ?? store.find('users', id)?.properties.name ?? text('conflict.entry');
}
