import { Field } from '../../components/Field.js';
import { Icon } from '../../components/Icon.js';
import { html, useEffect, useState } from '../../library.js';
import { text } from '../../texts/text.js';

/**
 * The search for a text in comments. For a blank text, the field shows that a text is required.
 * @param {{ comment: string, onSearch: (comment: string) => void }} properties
 */
export function CommentSearch({ comment, onSearch }) {
  const [value, setValue] = useState(comment);
  const [isBlank, setBlank] = useState(false);
  useEffect(() => setValue(comment), [comment]);
  const input = (/** @type {string} */ next) => {
    setBlank(false);
    setValue(next);
  };
  const search = (/** @type {Event} */ event) => {
    event.preventDefault();
    const wanted = value.trim();
    setBlank(!wanted);
    if (wanted) onSearch(wanted);
  };
  return html`
    <form class="search-line" role="search" onSubmit=${search} novalidate>
      <${Field} id="comment-search" label=${text('history.comment')} value=${value} onInput=${input}
        problem=${isBlank ? text('history.commentEmpty') : undefined}
        attributes=${{ type: 'search', enterkeyhint: 'search' }} />
      <button type="submit" class="icon-button" aria-label=${text('history.search')}><${Icon} name="search" /></button>
    </form>`;
}
