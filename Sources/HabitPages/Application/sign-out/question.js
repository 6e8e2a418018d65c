// The confirmation before entries are lost, in the language of the pages of the server.

/**
 * Asks whether the person signs out although entries are not sent yet.
 * @param {number | undefined} count the number of the entries, if it is known
 * @returns {Promise<boolean>}
 */
export function askToDiscard(count) {
  const dialog = document.createElement('dialog');
  const heading = element('h2', 'Sign out');
  heading.id = 'sign-out-title';
  dialog.setAttribute('aria-labelledby', heading.id);
  const advice = 'Open Today with a connection to save them, or discard them.';
  const cancel = button('Cancel', '');
  const discard = button('Discard and sign out', 'discard');
  const form = document.createElement('form');
  form.method = 'dialog';
  form.append(cancel, ' ', discard);
  dialog.append(heading, element('p', `${messageOf(count)} ${advice}`), form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise(resolve => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'discard');
    });
  });
}

/** @param {number | undefined} count */
function messageOf(count) {
  if (count === undefined) return 'Entries on this device may not be saved yet.';
  return count === 1 ? '1 entry is not saved yet.' : `${count} entries are not saved yet.`;
}

/**
 * @param {string} name
 * @param {string} content
 */
function element(name, content) {
  const made = document.createElement(name);
  made.textContent = content;
  return made;
}

/**
 * @param {string} label
 * @param {string} value the result of the dialog
 */
function button(label, value) {
  const made = document.createElement('button');
  made.textContent = label;
  made.value = value;
  return made;
}
