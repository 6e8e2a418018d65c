// The texts in English, which has every key. A key is `GROUP.NAME`.

import { pluralsOf } from './plural.js';

const plural = pluralsOf('en');

export const english = {
  'action.close': 'Close',
  'action.delete': 'Delete',
  'action.discard': 'Discard',
  'action.edit': 'Edit',
  'action.reload': 'Reload',
  'action.save': 'Save',
  'action.signIn': 'Sign in',
  'action.undo': 'Undo',

  'amount.invalid': 'Enter a number, such as 12',
  'amount.less': 'Less',
  'amount.more': 'More',
  'amount.ofTarget': 'Amount of {target}',

  'conflict.deletedHere': 'You have deleted this here. It was changed on another device.',
  'conflict.deletedThere': 'You have changed this here. It was deleted on another device.',
  'conflict.entry': 'Entry',
  'conflict.here': 'This device',
  'conflict.mine': 'Keep mine',
  'conflict.theirs': 'Take theirs',
  'conflict.there': 'Other device',
  'conflict.title': '{title}: changed on another device',

  'day.today': 'today',
  'day.yesterday': 'yesterday',

  'days.label': '{day}, {done} of {due} done',
  'days.strip': 'Day',

  'event.missing': 'No entry',
  'event.missingText': 'This entry no longer exists, or you cannot see it.',

  'field.amount': 'Amount',
  'field.comment': 'Comment',
  'field.day': 'Day',
  'field.days': 'Weekdays',
  'field.end': 'End',
  'field.geometry': 'Position',
  'field.left': '{count} left',
  'field.optional': 'Optional',
  'field.outcome': 'Outcome',
  'field.photo': 'Photo',
  'field.reason': 'Reason',
  'field.start': 'Start',
  'field.title': 'Title',
  'field.tooLong': (/** @type {Record<string, string | number>} */ { count }) =>
    plural(count, { one: '{count} character too many', other: '{count} characters too many' }),

  'first.read': 'Read 20 pages',
  'first.text': 'What would you like to do every day?',
  'first.title': 'No habits yet.',
  'first.walk': 'Take a walk',
  'first.water': 'Drink water',

  'habits.new': 'New habit',
  'habits.one': 'Habit',

  'nav.account': 'Account',
  'nav.habits': 'Habits',
  'nav.history': 'History',
  'nav.items': 'Items',
  'nav.label': 'Views',
  'nav.map': 'Map',
  'nav.me': 'Me',
  'nav.people': 'People',
  'nav.posts': 'Posts',
  'nav.reports': 'Reports',
  'nav.skip': 'Skip to content',
  'nav.today': 'Today',

  'notice.newVersion': 'A new version is ready.',
  'notice.signIn': 'You are signed out. What you enter waits on this device.',
  'notice.signInToSave': (/** @type {Record<string, string | number>} */ { count }) =>
    plural(count, { one: 'Sign in again to save {count} entry.', other: 'Sign in again to save {count} entries.' }),

  'outcome.done': 'Done',
  'outcome.skipped': 'Skipped',

  'photo.add': 'Add photo',
  'photo.alt': 'Photo of this entry',
  'photo.change': 'Change photo',
  'photo.needsConnection': 'Photo needs a connection',
  'photo.notSaved': 'The entry is saved, but not its photo. Try again.',
  'photo.remove': 'Remove photo',
  'photo.tooLarge': 'The entry is saved. Its photo could not be made small enough.',
  'photo.unreadable': 'This browser cannot read the photo. Save it as JPEG.',

  'place.accuracy': 'Accurate to {meters} m',
  'place.add': 'Add position',
  'place.added': 'Position added',
  'place.denied': 'This site may not use your position. Allow it in the browser’s settings, or save without it.',
  'place.notShared': 'Your entries have no position, because you do not share your location.',
  'place.onMap': 'Show on the map',
  'place.refused': 'You can save without a position.',
  'place.remove': 'Remove position',
  'place.searching': 'Looking for your position …',
  'place.unavailable': 'No position here. Try again outside.',

  'problem.already-following': 'You already follow this person.',
  'problem.already-requested': 'You have already asked to follow this person.',
  'problem.comment-too-long': 'The comment may have at most {limit} characters. Shorten it.',
  'problem.day-in-future': 'This day has not begun yet in the time zone of your account.',
  'problem.day-invalid': 'This day is not possible. Choose another one.',
  'problem.day-mismatch': 'The day and the time of the entry do not fit together.',
  'problem.event-exists': 'There is already an entry for this day.',
  'problem.event-not-due': 'The habit is not planned on this day.',
  'problem.location-not-permitted': 'You do not share your location. Allow it in your account, or remove the position.',
  'problem.not-found': 'The habit or person of this entry no longer exists.',
  'problem.not-yours': 'This belongs to another person.',
  'problem.other': 'The server does not accept this ({slug}).',
  'problem.photo-invalid': 'The photo cannot be read. Choose another one.',
  'problem.photo-too-large': 'The photo is too large. Choose another one.',
  'problem.reason-too-long': 'The reason may have at most {limit} characters. Shorten it.',
  'problem.schedule-empty': 'Choose at least one weekday.',
  'problem.schedule-invalid': 'This schedule is not possible.',
  'problem.self-follow': 'You cannot follow yourself.',
  'problem.text-invalid': 'The text has characters that cannot be saved.',
  'problem.title-empty': 'The habit needs a title.',
  'problem.title-too-long': 'The title may have at most {limit} characters. Shorten it.',
  'problem.unknown-reference': 'The habit or person of this entry no longer exists.',

  'refused.discarded': 'Discarded.',
  'refused.title': '{title}: not saved',

  'schedule.daily': 'every day',
  'schedule.timesInDays': '{count} times in {days} days',
  'schedule.timesPerWeek': (/** @type {Record<string, string | number>} */ { count }) =>
    plural(count, { one: 'once a week', other: '{count} times a week' }),
  'schedule.weekdays': 'weekdays',
  'schedule.weekend': 'weekend',

  'shortcuts.on': 'Use these keys',
  'shortcuts.search': 'Search',
  'shortcuts.title': 'Keyboard shortcuts',

  'state.loading': 'Loading …',
  'state.waiting': 'waiting',

  'status.inactive': 'Inactive',
  'status.nearGoal': 'Near goal',
  'status.new': 'New',
  'status.onTrack': 'On track',

  'sync.notSaved': '{count} not saved',
  'sync.offline': 'Offline',
  'sync.offlineWaiting': 'Offline · {count} waiting',
  'sync.review': '{count} to review',
  'sync.saved': 'Saved',
  'sync.saving': 'Saving {count} …',
  'sync.signedOut': 'Signed out',

  'today.friends': 'Friends',
  'today.inARow': 'in a row',
  'today.notDue': 'Not due ({count})',
  'today.nothingDue': 'Nothing is due on this day.',
  'today.paused': 'Paused',
  'today.progress': '{done} of {due}',
  'today.recorded': '{title}: done',
  'today.removed': '{title}: entry deleted',
  'today.target': (/** @type {Record<string, string | number>} */ { done, target, days }) =>
    days === 7 ? `${done} of ${target} this week` : `${done} of ${target} in ${days} days`,
  'today.toDo': 'To do',

  'unknown.text': 'This address has no page. The link may be old.',
  'unknown.title': 'No page here',

  'value.none': 'none',
  'value.present': 'added',
};
