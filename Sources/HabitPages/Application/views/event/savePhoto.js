// Saves the photo of an event after the event itself, so that no entry waits for its photo.

import { MAXIMUM_PHOTO } from '../../store/photos.js';
import { text } from '../../texts/text.js';
import { PhotoTooLargeError, shrinkPhoto } from './shrinkPhoto.js';

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
    const small = photo && await shrinkPhoto(photo, MAXIMUM_PHOTO);
    await store.savePhoto('events', id, small);
  } catch (error) {
    const isTooLarge = error instanceof PhotoTooLargeError;
    showToast({ text: text(isTooLarge ? 'photo.tooLarge' : 'photo.notSaved') });
  }
}
