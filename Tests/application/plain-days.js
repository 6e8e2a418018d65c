// The days of a habit, computed as plainly as possible from the words of the documentation. Days are numbers, and the
// model examines every day of a long range.

const FAR = 60;

/**
 * @param {object} habit `{weekdays, target, start, end, targetAmount, pauses, events}`; a pause is `[first, last]`
 * @param {number} today
 */
export class PlainHabit {
  constructor(habit, today) {
    Object.assign(this, habit);
    this.today = today;
    const eventDays = [...this.events.keys()];
    this.first = Math.min(...eventDays);
    this.start = habit.start ?? (eventDays.length > 0 ? this.first : today);
  }

  isPaused(day) {
    return this.pauses.some(([first, last]) => first <= day && day <= last);
  }

  exists(day) {
    return this.start <= day && day <= (this.end ?? Infinity);
  }

  isSkipped(day) {
    return this.events.get(day)?.outcome === 'skipped';
  }

  hasDoneEvent(day) {
    const event = this.events.get(day);
    if (!event || event.outcome === 'skipped') return false;
    return this.targetAmount === null || (event.amount !== null && event.amount >= this.targetAmount);
  }

  counts(day) {
    return !this.isPaused(day) && !this.isSkipped(day);
  }

  isScheduled(day) {
    return this.exists(day) && (this.target !== null || this.weekdays.has((day + 3) % 7));
  }

  isDue(day) {
    return this.isScheduled(day) && this.counts(day);
  }

  /** The days that count up to `until`, and as many later ones as a period can need. */
  countedDays(from, until) {
    const days = [];
    for (let day = from; day <= until; day += 1) if (this.counts(day)) days.push(day);
    for (let day = until + 1; day <= until + FAR; day += 1) days.push(day);
    return days;
  }

  /** Whether a period with the day has enough done days. */
  isSatisfied(day, until) {
    const days = this.countedDays(Math.min(this.first, day) - 3 * FAR, until);
    const position = days.indexOf(day);
    const { times, period } = this.target;
    for (let begin = position - period + 1; begin <= position; begin += 1) {
      const daysOfPeriod = days.slice(Math.max(0, begin), begin + period);
      const done = daysOfPeriod.filter(other => other <= until && this.exists(other) && this.hasDoneEvent(other));
      if (done.length >= times) return true;
    }
    return false;
  }

  isAccomplished(day) {
    if (this.target === null) return this.hasDoneEvent(day);
    return this.events.size > 0 && this.isSatisfied(day, Math.min(this.today, this.end ?? Infinity));
  }

  doneBefore(day) {
    const earlier = [];
    for (let other = day - 1; earlier.length < this.target.period - 1 && other > day - 4 * FAR; other -= 1) {
      if (this.counts(other)) earlier.push(other);
    }
    return earlier.filter(other => this.isDue(other) && this.hasDoneEvent(other)).length;
  }

  isToDo(day) {
    if (!this.isScheduled(day) || this.isPaused(day)) return false;
    return this.target === null || this.doneBefore(day) < this.target.times;
  }

  outcome(day) {
    if (this.isSkipped(day)) return 'skipped';
    if (this.hasDoneEvent(day)) return this.isDue(day) ? 'done' : 'unplanned';
    if (!this.isDue(day) || this.isAccomplished(day)) return undefined;
    return day === this.today ? 'open' : 'missed';
  }

  get streak() {
    let streak = 0;
    for (let day = this.today; day >= this.start; day -= 1) {
      if (!this.isDue(day)) continue;
      if (this.isAccomplished(day)) streak += 1;
      else if (day !== this.today) return streak;
    }
    return streak;
  }

  get completionRate() {
    const monday = this.today - ((this.today + 3) % 7);
    const due = [];
    for (let day = monday - 21; day <= this.today; day += 1) {
      const isOpen = day === this.today && !this.isAccomplished(day);
      if (this.isDue(day) && !isOpen) due.push(day);
    }
    return due.length === 0 ? null : due.filter(day => this.isAccomplished(day)).length / due.length;
  }
}
