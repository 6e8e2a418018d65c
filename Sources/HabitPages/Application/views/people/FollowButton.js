import { useToast } from '../../components/Toast.js';
import { html } from '../../library.js';
import { text } from '../../texts/text.js';
import { endFollow, requestFollow } from './follows.js';
import { requestAgain } from './peopleRequests.js';
import { PersonButton } from './PersonButton.js';

/** @typedef {import('../../store/types').StoreInterface} StoreInterface */

/**
 * The button that sends a follow request to a user. Its label shows if the person already follows the user.
 * @param {{ store: StoreInterface, user: string, name: string, following: string }} properties
 */
export function FollowButton({ store, user, name, following }) {
  const showToast = useToast();
  const request = async () => {
    await requestFollow(store, user);
    showToast({ text: text('people.requested', { name }) });
  };
  const askAgain = async () => {
    const isSent = await requestAgain(user);
    showToast({ text: isSent ? text('people.requested', { name }) : text('people.failed') });
    if (isSent) await store.sync();
  };
  const withdraw = async () => {
    const onUndo = await endFollow(store, user);
    showToast({ text: text('people.withdrawn', { name }), onUndo });
  };
  switch (following) {
    case 'accepted':
      return html`<${PersonButton} label=${text('people.isFollowed')} name=${name} isDisabled onTap=${() => {}} />`;
    case 'pending':
      return html`
        <span class="soft">${text('people.isRequested')}</span>
        <${PersonButton} label=${text('people.withdraw')} name=${name} onTap=${withdraw} />`;
    case 'rejected':
      return html`
        <${PersonButton} label=${text('people.followAgain')} name=${name} isDisabled=${!store.state.online}
          onTap=${askAgain} />`;
    default:
      return html`<${PersonButton} label=${text('people.follow')} name=${name} style="is-primary" onTap=${request} />`;
  }
}
