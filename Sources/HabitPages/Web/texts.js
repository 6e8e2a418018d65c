// The English texts of the scripts of pages. A text with a value is a function, which contains the rules for plurals.
// The map page itself has its texts in map.html. The server has the texts of all other pages.

const formatted = number => number.toLocaleString('en-GB');

/// Formats a count as "1 item" or "2,040 items".
const counted = (count, one, many) => `${formatted(count)} ${count === 1 ? one : many}`;

export const texts = {
  // Requests
  serverStatus: status => `the server returned status ${status}`,
  serverUnavailable: 'The server is unavailable.',

  // Dates, distances and directions
  weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  date: (day, month, year) => `${day} ${month} ${year}`,
  weekdayDate: (weekday, date) => `${weekday} ${date}`,
  time: (date, clock) => `${date}, ${clock}`,
  timeForDay: (date, clock, day) => `${date}, ${clock}, for ${day}`,
  meters: number => `${number} m`,
  kilometers: number => `${number} km`,
  north: 'N',
  south: 'S',
  east: 'E',
  west: 'W',

  // Session
  operator: 'Operator',
  signedInUntil: date => `Signed in until ${date}`,
  sessionEnded: 'Your session has ended. Please sign in again.',
  signInForHistory: 'Sign in to see your history and the events that friends share with you.',

  // Passkeys
  passkeyNotUsed: 'The passkey was not used: you canceled, or it took too long. Try again.',
  passkeyExists: 'This device already has a passkey of this account.',

  // Panel of the map
  ownHistory: 'My history',
  history: 'History',
  showPanel: 'Show panel',
  hidePanel: 'Hide panel',
  noGeolocation: 'This browser does not support geolocation.',
  positionUnavailable: reason => `Your position is unavailable: ${reason}.`,
  noResponse: 'no response',
  eventCount: count => counted(count, 'event', 'events'),
  itemCount: count => counted(count, 'item', 'items'),
  postCount: count => counted(count, 'post', 'posts'),
  inPartOfMap: counts => `${counts} in this part of the map`,
  noLayer: 'No layer is selected.',
  firstHits: (shown, count) => `The list shows the first ${shown} of ${counted(count, 'hit', 'hits')}.`,
  mostMarkers: count =>
    `The map shows at most ${counted(count, 'marker', 'markers')} per layer. Zoom in or add filters to see the others.`,

  // Markers
  cluster: count => `${counted(count, 'marker', 'markers')}: zoom in`,
  moveCircle: 'Drag to move the circle',
  circleCenter: place =>
    `Center of the circle: ${place}. Use the arrow keys to move it, with Shift for larger steps.`,

  // Records
  stateUntil: (state, date) => `${state} until ${date}`,
  photo: 'Photo',
  post: 'Post',
  postAt: clock => `Post at ${clock}`,
  posted: date => `posted ${date}`,

  // Popup
  close: 'Close',
  loadingPhoto: 'Loading the photo…',
  away: distance => `${distance} away`,
  habitCalendar: 'Habit calendar',
  photoOf: (title, user, date) => `Photo: ${title}, by ${user}, ${date}`,
  photoUnavailable: reason => `The photo is unavailable. ${reason}`,

  // Calendar of a habit
  loading: 'Loading…',
  noDays: 'There are no days to show.',
  sharedDays: user => `Days that ${user} shares`,
  noDueDay: 'No day was due',
  completionRate: percent => `completion rate ${percent} %`,
  currentStreak: days => `current streak ${days}`,
  outcomeCount: (count, outcome) => `${count} ${outcome}`,
  calendarCaption: weeks => `${counted(weeks, 'week', 'weeks')}, one column per week, Monday first`,
  weekOf: monday => `Week of ${monday}`,
  dayOutcome: (day, outcome) => `${day}: ${outcome}`,
  done: 'done',
  recorded: 'recorded',
  missed: 'missed',
  skipped: 'skipped',
  unplanned: 'unplanned',
  stillOpen: 'still open',
  notDue: 'not due',
};
