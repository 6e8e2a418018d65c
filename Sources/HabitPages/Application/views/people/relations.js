// The relations between the person and other users: follows and follow requests.

/** @typedef {{follower: string, followee: string, status: string, share?: string | null}} Follow */
/** @typedef {{id: string, properties: Record<string, any>}} Relation a record of the collection `follows` */

/**
 * The status of a follow in each direction: `none`, `pending`, `accepted` or `rejected`.
 * @typedef {object} PersonRelation
 * @property {string} id the ID of the other user
 * @property {string} following the follow of the other user by the person
 * @property {string} follower the follow of the person by the other user
 * @property {string} given what the person lets the follower see: `all` or `latest`
 * @property {string} granted what the other user lets the person see
 */

/**
 * Returns the relations of a person to the other users of the follows.
 * @param {string} person the ID of the person
 * @param {readonly Relation[]} follows
 * @returns {Map<string, PersonRelation>} the relation by the ID of the other user
 */
export function relationsOf(person, follows) {
  /** @type {Map<string, PersonRelation>} */
  const relations = new Map();
  for (const { properties } of follows) {
    const follow = /** @type {Follow} */ (properties);
    const isOwn = follow.follower === person;
    const other = isOwn ? follow.followee : follow.follower;
    if (other === person) continue;
    const relation = relations.get(other) ?? unrelated(other);
    relations.set(other, { ...relation, ...(isOwn ? outgoing(follow) : incoming(follow)) });
  }
  return relations;
}

/**
 * Returns the relation to a user without a follow.
 * @param {string} id
 * @returns {PersonRelation}
 */
export function unrelated(id) {
  return { id, following: 'none', follower: 'none', given: 'all', granted: 'all' };
}

/** @param {Follow} follow */
function outgoing(follow) {
  return { following: follow.status, granted: follow.share ?? 'all' };
}

/** @param {Follow} follow */
function incoming(follow) {
  return { follower: follow.status, given: follow.share ?? 'all' };
}

/**
 * Returns the ID of a follow. The ID of the follower has no slash in it, since `%2F` stands for it.
 * @param {string} follower
 * @param {string} followee
 */
export function followID(follower, followee) {
  return `${follower.replaceAll('%', '%25').replaceAll('/', '%2F')}/${followee}`;
}

/**
 * Returns the users whose name or ID contains a text, in upper or lower case.
 * @param {readonly Relation[]} users records of the collection `users`
 * @param {string} search
 */
export function usersMatching(users, search) {
  const wanted = search.trim().normalize('NFC').toLowerCase();
  return users.filter(({ id, properties }) => {
    const names = [id, properties.name ?? ''];
    return names.some(name => name.normalize('NFC').toLowerCase().includes(wanted));
  });
}
