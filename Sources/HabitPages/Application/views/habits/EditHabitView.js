import { Skeleton } from '../../components/Skeleton.js';
import { useToast } from '../../components/Toast.js';
import { ViewHead } from '../../components/ViewHead.js';
import { html } from '../../library.js';
import { navigate } from '../../routes.js';
import { useStore } from '../../store/useStore.js';
import { text } from '../../texts/text.js';
import { changesOf, formOf, newForm, propertiesOf } from './habitFields.js';
import { HabitForm } from './HabitForm.js';
import { habitPath, isOwn, ownHabits } from './ownHabits.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('./habitFields.js').HabitFields} HabitFields */

/**
 * The page that creates a habit, or changes the habit of the address.
 * @param {{ store: StoreInterface, route: import('../../routes.js').Route }} properties
 */
export function EditHabitView({ store, route }) {
  const { account, loaded, today } = useStore(store, ({ state }) => state);
  const records = useStore(store, current => current.records('habits'));
  const showToast = useToast();
  const { habit: id, title = '' } = route.parameters;
  const habit = id === undefined ? undefined : store.find('habits', id);
  const heading = text(id === undefined ? 'form.newTitle' : 'form.editTitle');
  if (id !== undefined && !(habit && isOwn(habit, account.id))) {
    const content = loaded ? html`<p>${text('habit.unknown')}</p>` : html`<${Skeleton} />`;
    return html`<${ViewHead} title=${heading} />${content}`;
  }
  const others = ownHabits(records, account.id).filter(other => other.id !== id);
  const takenTitles = others.map(({ properties }) => properties.title);
  const initial = habit ? formOf(habit.properties) : { ...newForm(today), title };
  const save = async (/** @type {HabitFields} */ form, /** @type {HabitFields} */ opened) => {
    const changes = habit ? changesOf(form, opened) : propertiesOf(form);
    const isRefused = habit?.problem !== undefined;
    const isChanged = Object.keys(changes).length > 0 || isRefused;
    try {
      const saved = isChanged ? await store.save('habits', id ?? null, changes) : id;
      showToast({ text: text('form.saved', { title: form.title.trim() }) });
      navigate(habitPath(saved ?? ''), { replace: true });
    } catch {
      showToast({ text: text('event.notStored') });
    }
  };
  return html`
    <${ViewHead} title=${heading} />
    <${HabitForm} key=${id} store=${store} initial=${initial}
      refusal=${habit?.problem} takenTitles=${takenTitles} isNew=${!habit} onSave=${save} />`;
}
