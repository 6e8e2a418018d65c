import { Icon } from '../../components/Icon.js';
import { html, useEffect, useState } from '../../library.js';
import { text } from '../../texts/text.js';
import { EventPhoto } from './EventPhoto.js';

// With this list, iOS converts its own format to JPEG. Without `capture`, a phone offers the camera and the gallery.
const ACCEPTED = 'image/jpeg,image/png,image/webp';

/**
 * Chooses, shows and removes the photo of an event. The photo is made small after the event is saved.
 * @param {object} properties
 * @param {string | null} properties.address the address of the saved photo
 * @param {Blob | null | undefined} properties.photo the chosen photo; `null`: remove the photo; `undefined`: keep it
 * @param {(photo: Blob | null | undefined) => void} properties.onPick
 */
export function PhotoPicker({ address, photo, onPick }) {
  const [message, setMessage] = useState('');
  const preview = useObjectAddress(photo);
  const shown = photo === undefined ? address : preview;
  const pick = async (/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
    const file = currentTarget.files?.[0];
    currentTarget.value = '';
    if (!file) return;
    const isReadable = await canDecode(file);
    setMessage(isReadable ? '' : text('photo.unreadable'));
    if (isReadable) onPick(file);
  };
  return html`
    <div class="photo-picker">
      <${EventPhoto} address=${shown} />
      <div class="actions">
        <label class="button">
          <${Icon} name="camera" />${text(shown ? 'photo.change' : 'photo.add')}
          <input class="unseen" type="file" accept=${ACCEPTED} onChange=${pick} />
        </label>
        ${shown && html`
          <button type="button" class="button" onClick=${() => onPick(address ? null : undefined)}>
            ${text('photo.remove')}
          </button>`}
      </div>
      <p class="field-problem" role="status">${message}</p>
    </div>`;
}

/**
 * Returns an address of a chosen photo, which exists as long as the photo is shown.
 * @param {Blob | null | undefined} photo
 */
function useObjectAddress(photo) {
  const [objectAddress, setAddress] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    if (!photo) {
      setAddress(null);
      return undefined;
    }
    const next = URL.createObjectURL(photo);
    setAddress(next);
    return () => URL.revokeObjectURL(next);
  }, [photo]);
  return objectAddress;
}

/** @param {Blob} file */
async function canDecode(file) {
  try {
    (await createImageBitmap(file)).close();
    return true;
  } catch {
    return false;
  }
}
