// Saves the photo of an event after the event itself, so that no entry waits for its photo.

import { MAXIMUM_PHOTO } from '../../store/photos.js';
import { text } from '../../texts/text.js';
import { shrinkInWorker } from './shrinkInWorker.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */

/**
 * @param {StoreInterface} store
 * @param {object} change
 * @param {string} change.id the event
 * @param {Blob | null} change.photo `null` removes the photo
 * @param {(message: { text: string }) => void} change.showToast
 */
export async function savePhoto(store, { id, photo, showToast }) {
  try {
    const result = photo ? await shrinkInWorker({ photo, limit: MAXIMUM_PHOTO }) : { photo };
    if ('photo' in result) await store.savePhoto('events', id, result.photo);
    else showToast({ text: text(result.error === 'too-large' ? 'photo.tooLarge' : 'photo.notSaved') });
  } catch {
    showToast({ text: text('photo.notSaved') });
  }
}
