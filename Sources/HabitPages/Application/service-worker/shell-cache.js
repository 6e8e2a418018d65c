// The files of the application, which one version of the service worker keeps in one cache.

/** @typedef {typeof shell} Shell */

const PREFIX = 'habitat-shell-';

/**
 * Returns the name of the cache of this version. Another server with the same origin has another root.
 * @param {Shell} shell
 */
function nameOf({ version, root }) {
  return `${PREFIX}${version}@${root}`;
}

/**
 * Returns the address of the page for all views. It contains no data of a person.
 * @param {Shell} shell
 */
function pageOf({ root, views }) {
  return root + views[0];
}

/**
 * Stores all files of this version. If one is missing, the version is not installed and the earlier one stays.
 * @param {Shell} shell
 */
export async function precache(shell) {
  const cache = await caches.open(nameOf(shell));
  await cache.addAll(shell.files.map(file => new Request(file)));
  const page = await fetch(pageOf(shell), { headers: { Accept: 'text/html' }, cache: 'no-cache' });
  if (!page.ok || page.redirected) throw new Error('The server has no page for the views.');
  await cache.put(pageOf(shell), page);
}

/** @param {Shell} shell */
export async function deleteOtherVersions(shell) {
  const names = await caches.keys();
  const own = names.filter(name => name.startsWith(PREFIX) && name.endsWith(`@${shell.root}`));
  const others = own.filter(name => name !== nameOf(shell));
  await Promise.all(others.map(name => caches.delete(name)));
}

/**
 * Whether an address belongs to a view, such as `/days` or `/days/2026-11-20`.
 * @param {URL} url
 * @param {Shell} shell
 */
export function isView({ pathname }, { root, views }) {
  return views.some(view => pathname === root + view || pathname.startsWith(`${root}${view}/`));
}

/**
 * @param {URL} url
 * @param {Shell} shell
 */
export function isFile({ pathname }, { files }) {
  return files.includes(pathname);
}

/**
 * @param {Request} request
 * @param {Shell} shell
 */
export async function respondWithView(request, shell) {
  const cache = await caches.open(nameOf(shell));
  return await cache.match(pageOf(shell)) ?? fetch(request);
}

/**
 * @param {Request} request
 * @param {Shell} shell
 */
export async function respondWithFile(request, shell) {
  const cache = await caches.open(nameOf(shell));
  return await cache.match(request) ?? fetch(request);
}
