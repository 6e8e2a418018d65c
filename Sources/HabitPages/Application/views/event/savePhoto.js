// Saves the photo of an event after the event itself, so that no entry waits for its photo.

import { text } from '../../texts/text.js';
import { PhotoTooLargeError, shrinkPhoto } from './shrinkPhoto.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */

const PHOTO_LIMIT = 65_535;

/**
 * @param {StoreInterface} store
 * @param {object} change
 * @param {string} change.id the event
 * @param {Blob | null} change.photo `null` removes the photo
 * @param {(message: { text: string }) => void} change.showToast
 */
export async function savePhoto(store, { id, photo, showToast }) {
  try {
    const limit = store.state.settings.photo_limits?.events ?? PHOTO_LIMIT;
    const small = photo && await shrinkPhoto(photo, limit);
    await store.savePhoto('events', id, small);
  } catch (error) {
    const isTooLarge = error instanceof PhotoTooLargeError;
    showToast({ text: text(isTooLarge ? 'photo.tooLarge' : 'photo.notSaved') });
  }
}
