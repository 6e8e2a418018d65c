import { Icon } from '../../components/Icon.js';
import { html, useEffect, useRef, useState } from '../../library.js';
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
  const [checking, setChecking] = useState(/** @type {Blob | null} */ (null));
  const chosen = useRef(photo);
  chosen.current = photo;
  const preview = useObjectAddress(photo);
  const shown = photo === undefined ? address : preview;
  const pick = async (/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
    const file = currentTarget.files?.[0];
    currentTarget.value = '';
    if (!file) return;
    const before = photo;
    setMessage('');
    setChecking(file);
    // The person can save the event before the browser has decoded the photo.
    chosen.current = file;
    onPick(file);
    const isReadable = await canDecode(file);
    if (chosen.current !== file) return;
    setChecking(null);
    if (isReadable) return;
    setMessage(text('photo.unreadable'));
    onPick(before);
  };
  return html`
    <div class="photo-picker">
      <${EventPhoto} address=${photo && photo === checking ? null : shown} />
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
