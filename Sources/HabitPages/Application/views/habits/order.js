// The order of habits, which the person chooses: by their ranks, and those without a rank by their titles.

/** @typedef {import('../../store/types').Visible} Visible */
/** @typedef {import('../../store/types').StoreInterface} StoreInterface */
/** @typedef {{ id: string, rank: number }} RankChange */

/** The largest rank that the server accepts. */
const LARGEST_RANK = 1_000_000;
/** The distance of new ranks, so that a habit can be moved between two others later. */
const GAP = 1_000;

/**
 * Returns the function that moves a habit by one step. A move may change several ranks, so the next one waits for it.
 * @param {Pick<StoreInterface, 'save'>} store
 * @param {() => readonly Visible[]} habitsNow returns the habits in their present order
 * @returns {(id: string, step: -1 | 1) => Promise<void>}
 */
export function moverOf(store, habitsNow) {
  let last = Promise.resolve();
  return (id, step) => {
    const move = last.then(() => moveHabit(store, habitsNow(), { id, step }));
    last = move.catch(() => {});
    return move;
  };
}

/**
 * @param {Pick<StoreInterface, 'save'>} store
 * @param {readonly Visible[]} habits
 * @param {{ id: string, step: -1 | 1 }} move
 */
async function moveHabit(store, habits, move) {
  const index = habits.findIndex(({ id }) => id === move.id);
  if (index < 0) return;
  for (const { id, rank } of ranksAfterMove(habits, index, move.step)) await store.save('habits', id, { rank });
}

/**
 * Returns the ranks that move a habit by one step. If there is a rank between the neighbors, only the habit changes.
 * @param {readonly Visible[]} habits in their order
 * @param {number} index the position of the habit
 * @param {-1 | 1} step up or down
 * @returns {RankChange[]} the changed ranks
 */
export function ranksAfterMove(habits, index, step) {
  const target = index + step;
  if (target < 0 || target >= habits.length) return [];
  const order = [...habits];
  const [habit] = order.splice(index, 1);
  order.splice(target, 0, habit);
  const rank = rankBetween(order[target - 1], order[target + 1]);
  if (rank !== undefined) return [{ id: habit.id, rank }];
  return renumbered(order, Math.max(index, target));
}

/**
 * Returns a free rank between two neighbors, or `undefined` if it does not exist.
 * @param {Visible | undefined} before
 * @param {Visible | undefined} after
 */
function rankBetween(before, after) {
  const lowest = before ? rankOf(before) : -1;
  if (lowest === undefined) return undefined;
  const highest = (after && rankOf(after)) ?? lowest + 2 * GAP;
  const rank = Math.floor((lowest + Math.min(highest, LARGEST_RANK + 1)) / 2);
  return rank > lowest && rank < highest ? rank : undefined;
}

/**
 * Returns new ranks of the first habits. The others without a rank keep their places at the end.
 * @param {readonly Visible[]} order
 * @param {number} last the position of the last habit that needs a rank
 * @returns {RankChange[]}
 */
function renumbered(order, last) {
  const ranked = order.filter((habit, index) => index <= last || rankOf(habit) !== undefined);
  const gap = Math.min(GAP, Math.floor(LARGEST_RANK / ranked.length));
  const ranks = ranked.map((habit, index) => ({ habit, rank: (index + 1) * gap }));
  return ranks.filter(({ habit, rank }) => rankOf(habit) !== rank).map(({ habit, rank }) => ({ id: habit.id, rank }));
}

/**
 * @param {Visible} habit
 * @returns {number | undefined}
 */
function rankOf({ properties }) {
  return properties.rank ?? undefined;
}
