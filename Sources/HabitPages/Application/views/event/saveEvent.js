// Saves an event, and then its photo, so that no entry waits for its photo.

import { MAXIMUM_PHOTO } from '../../store/photos.js';
import { text } from '../../texts/text.js';
import { shrinkInWorker } from './shrinkInWorker.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {import('../../store/types').Visible} Visible */
/** @typedef {{ photo: Blob | null } | { error: 'too-large' | 'failed' }} Result */

/**
 * A new outcome replaces the event, which then loses its photo. So the new photo is made small before the event is
 * saved. If that fails, the old photo stays.
 * @param {StoreInterface} store
 * @param {object} change
 * @param {Visible | undefined} change.event
 * @param {import('../../store/types').Fields} change.fields
 * @param {Blob | null | undefined} change.photo a new photo, `null` to remove the photo, or `undefined` to keep it
 * @param {boolean} [change.dropsPhoto] whether the person has decided that the event may lose its photo
 * @param {() => void} change.onSaved called before the photo is saved
 * @param {(message: { text: string }) => void} change.showToast
 */
export async function saveEvent(store, { event, fields, photo, dropsPhoto, onSaved, showToast }) {
  const mayLosePhoto = event?.properties.has_photo && 'outcome' in fields;
  const early = mayLosePhoto && photo ? await smallerPhoto(photo) : undefined;
  const hasFailed = early !== undefined && 'error' in early;
  const isReplaced = photo !== undefined && !hasFailed;
  const id = await store.save('events', event?.id ?? null, fields, { dropsPhoto: dropsPhoto || isReplaced });
  onSaved();
  if (photo === undefined) return;
  try {
    const result = early ?? await smallerPhoto(photo);
    if ('photo' in result) await store.savePhoto('events', id, result.photo);
    else showToast({ text: text(result.error === 'too-large' ? 'photo.tooLarge' : 'photo.notSaved') });
  } catch {
    showToast({ text: text('photo.notSaved') });
  }
}

/**
 * @param {Blob | null} photo
 * @returns {Promise<Result>}
 */
async function smallerPhoto(photo) {
  return photo ? shrinkInWorker({ photo, limit: MAXIMUM_PHOTO }) : { photo };
}
