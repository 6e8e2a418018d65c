// The map page: requests the features that match the controls, and shows them as markers and as a list.

import { getFeatures, getJSON } from './api.js';
import { readAddress, writeAddress } from './address.js';
import { addBackground } from './background.js';
import { openCalendar, prepareCalendar } from './calendar.js';
import { NearCircle } from './circle.js';
import { byId, element, shape } from './dom.js';
import { layers, layersOf, loadLayer, inOrder, most, nearText, publicLayers } from './layers.js';
import { makeClusters, makeMarker, reveal } from './markers.js';
import { LoadedPart, bboxText, visibleBox } from './view.js';
import { popupContent, popupOptions, showPhoto } from './popup.js';
import {
  session, beginSession, endSession, signInWithToken, signOut, showSession, prepareSignInLink,
} from './session.js';
import { texts } from './texts.js';

const listed = 200;
const typingPause = 300;

const hooks = document.body.dataset;
const map = makeMap();
const clusters = makeClusters().addTo(map);
const circle = new NearCircle(map, () => reload(typingPause));
const habits = new Map();
/// The layers that the server shows.
let available = Object.keys(layers);
/// The layers that a visitor without a token can see.
let open = [];
/// Whether the user or a link has selected the layers.
let hasLayers = false;
let running = new AbortController();
let timer = 0;
/// Whether the view was set by the user, by a link or by the first hits.
let hasView = false;
/// The result of the last load, or null before the first load has ended.
let loaded = null;
/// The names of the layers of the last load, their results, and their markers in the order of the list.
let shown = { names: [], answers: [], markers: [] };
let moving = 0;
let popupIsOpen = false;
/// Whether the map moves to a hit of the list.
let isRevealing = false;

start();

async function start() {
  applyAddress();
  connectControls();
  prepareCalendar();
  const known = await useSettings();
  await enter(() => beginSession(known));
}

// Map

function makeMap() {
  const moving = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  const made = L.map('map', {
    worldCopyJump: true, minZoom: 0, maxZoom: 19, zoomAnimation: moving, fadeAnimation: moving, markerZoomAnimation: moving,
    inertia: moving,
  });
  L.control.scale({ imperial: false }).addTo(made);
  made.setView([25, 0], 2);
  made.on('moveend', viewChanged);
  new ResizeObserver(() => fitSize(made)).observe(made.getContainer());
  return made;
}

/// Updates the map size after a resize. If the size is unchanged, the call would round the center to whole pixels.
function fitSize(made) {
  const { clientWidth: x, clientHeight: y } = made.getContainer();
  if (!made.getSize().equals([x, y])) made.invalidateSize({ pan: false });
}

/// Shows the background and the link to other ways to sign in. Returns the session of the browser's cookie, or null.
async function useSettings() {
  const settings = await getJSON('map/settings').catch(error => {
    say(error.message);
    return {};
  });
  addBackground(map, settings.tiles, settings.attribution);
  open = publicLayers(settings.public_collections ?? []);
  if (settings.sections) showLayers(layersOf(settings.sections));
  prepareSignInLink();
  return settings.session ?? null;
}

// Sign-in and sign-out

/// Runs `change`, which signs the user in or out, and then reloads the data.
async function enter(change) {
  hooks.state = 'loading';
  running.abort();
  let problem = '';
  try {
    await change();
  } catch (error) {
    problem = error.message;
  }
  showSession();
  byId('mine-label').textContent = session.user ? texts.ownHistory : texts.history;
  offerLayers();
  await loadHabits();
  reload();
  byId('sign-in-message').textContent = problem;
}

/// Shows only these layers, and the filters of the history only with its layers.
function showLayers(names) {
  available = names;
  for (const name of Object.keys(layers)) {
    const box = layerBox(name);
    const isShown = names.includes(name);
    box.closest('label').hidden = !isShown;
    if (!isShown) box.checked = false;
  }
  byId('habit').closest('fieldset').hidden = !names.includes('mine');
}

/// Disables the layers that need a token, and selects the usual layers unless the user or a link has selected others.
///
/// Without a public layer, `mine` stays enabled: its request asks the visitor to sign in.
function offerLayers() {
  const isVisitor = !session.signedIn && open.length > 0;
  for (const name of Object.keys(layers)) layerBox(name).disabled = isVisitor && !open.includes(name);
  if (!session.user) layerBox('friends').disabled = true;
  if (!hasLayers) selectLayers(isVisitor ? open : available.slice(0, 1));
}

function selectLayers(names) {
  for (const name of Object.keys(layers)) layerBox(name).checked = available.includes(name) && names.includes(name);
}

async function loadHabits() {
  habits.clear();
  if (!available.includes('mine')) return;
  try {
    const { features } = await getFeatures('collections/habits/items', { limit: 1000 }, most);
    for (const { id, properties } of features) habits.set(id, properties);
  } catch {
    // The list of habits is optional. The request for events reports the error.
  }
  const select = byId('habit');
  const chosen = select.value;
  select.replaceChildren(select.options[0], ...habitGroups());
  choose(select, chosen);
}

function habitGroups() {
  const users = [...new Set([...habits.values()].map(habit => habit.user))].sort();
  return users.map(user => element('optgroup', { label: user },
    ...[...habits].filter(([, habit]) => habit.user === user)
      .map(([id, habit]) => element('option', { value: id }, habitLabel(id, habit)))));
}

/// Returns the title of a habit, with its ID if another habit of the user has the same title.
function habitLabel(id, { title, user }) {
  const isRepeated = [...habits].some(([other, habit]) => other !== id && habit.user === user && habit.title === title);
  return isRepeated ? `${title} (${id})` : title;
}

// Controls

function layerBox(name) { return document.querySelector(`input[name=layer][value=${name}]`); }

function connectControls() {
  for (const place of document.querySelectorAll('[data-shape]')) place.append(shape(place.dataset.shape));
  byId('filters').addEventListener('submit', event => event.preventDefault());
  byId('layers').addEventListener('change', () => {
    hasLayers = true;
    reload();
  });
  for (const id of ['habit', 'from', 'to']) byId(id).addEventListener('change', () => reload());
  byId('comment').addEventListener('input', () => reload(typingPause));
  byId('clear').addEventListener('click', clearHistoryFilters);
  byId('near').addEventListener('change', switchCircle);
  byId('radius').addEventListener('change', resizeCircle);
  byId('locate').addEventListener('click', locate);
  byId('toggle-panel').addEventListener('click', togglePanel);
  byId('sign-in').addEventListener('submit', event => {
    event.preventDefault();
    const text = byId('token').value.trim();
    byId('token').value = '';
    enter(() => signInWithToken(text));
  });
  byId('sign-out').addEventListener('click', () => enter(signOut));
  window.addEventListener('hashchange', followAddress);
}

function readControls() {
  const boxes = [...document.querySelectorAll('input[name=layer]:checked')];
  return {
    layers: boxes.map(box => box.value), circle: circle.value,
    habit: byId('habit').value, comment: byId('comment').value.trim(), from: byId('from').value, to: byId('to').value,
  };
}

/// Selects a value and adds an option for it if it is missing.
function choose(select, value, words = value) {
  if (![...select.options].some(option => option.value === value)) select.append(element('option', { value }, words));
  select.value = value;
}

function clearHistoryFilters() {
  for (const id of ['habit', 'comment', 'from', 'to']) byId(id).value = '';
  reload();
}

function togglePanel() {
  const isHidden = document.body.classList.toggle('collapsed');
  byId('toggle-panel').textContent = isHidden ? texts.showPanel : texts.hidePanel;
  byId('toggle-panel').setAttribute('aria-expanded', String(!isHidden));
}

function switchCircle() {
  if (byId('near').checked) showCircle(map.getCenter());
  else circle.hide();
  circleChanged();
}

function showCircle({ lat, lng }) {
  circle.show({ lat, lng, km: Number(byId('radius').value) });
  circle.frame();
}

function resizeCircle() {
  if (!circle.isOn) return;
  showCircle(circle.value);
  circleChanged();
}

function circleChanged() {
  byId('near').checked = circle.isOn;
  byId('near-hint').hidden = !circle.isOn;
  reload();
}

function locate() {
  if (!navigator.geolocation) return say(texts.noGeolocation);
  byId('locate').disabled = true;
  const done = act => result => {
    byId('locate').disabled = false;
    act(result);
  };
  navigator.geolocation.getCurrentPosition(done(({ coords }) => {
    showCircle({ lat: coords.latitude, lng: coords.longitude });
    circleChanged();
  }), done(error => say(texts.positionUnavailable(error.message || texts.noResponse))), { timeout: 15_000 });
}

// URL fragment

function saveAddress() {
  const { lat, lng } = map.getCenter().wrap();
  writeAddress({ ...readControls(), view: hasView ? { lat, lng, zoom: map.getZoom() } : null });
}

function applyAddress() {
  const address = readAddress();
  hasLayers = address.layers !== null;
  if (hasLayers) selectLayers(address.layers);
  else offerLayers();
  choose(byId('habit'), address.habit);
  for (const id of ['comment', 'from', 'to']) byId(id).value = address[id];
  if (address.circle) {
    choose(byId('radius'), String(address.circle.km), texts.kilometers(address.circle.km));
    circle.show(address.circle);
    if (!address.view) circle.frame();
  } else {
    circle.hide();
  }
  hasView = Boolean(address.view || address.circle);
  if (address.view) map.setView(address.view, address.view.zoom, { animate: false });
  byId('near').checked = circle.isOn;
  byId('near-hint').hidden = !circle.isOn;
}

/// Applies a fragment that has changed because the user edited it or followed a link.
function followAddress() {
  applyAddress();
  reload();
}

// Loading

/// Cancels the current load and schedules a new one after `pause` milliseconds. A response to older
/// filters is never shown.
function reload(pause = 0) {
  hooks.state = 'loading';
  running.abort();
  clearTimeout(timer);
  timer = setTimeout(load, pause);
}

/// Lists the hits in the new view, and loads its features after a short pause.
///
/// A move that opens a hit from the list does not change the list.
function viewChanged() {
  saveAddress();
  if (loaded && !popupIsOpen && !isRevealing) showList();
  loadViewSoon();
}

function loadViewSoon() {
  clearTimeout(moving);
  moving = setTimeout(loadView, typingPause);
}

/// Loads the features of the view if they are missing. A load closes the popup, so an open popup delays it.
function loadView() {
  if (loaded && hasView && !circle.isOn && !popupIsOpen && !loaded.covers(map)) reload();
}

async function load() {
  running = new AbortController();
  const { signal } = running;
  saveAddress();
  const filters = readControls();
  // Without a view, the newest features of the world are loaded and the view is fitted to them.
  const box = hasView && !filters.circle ? visibleBox(map) : null;
  const zoom = map.getZoom();
  filters.bbox = bboxText(box);
  filters.center = box?.getCenter().lng;
  hooks.bbox = filters.bbox;
  hooks.near = nearText(filters.circle);
  const names = filters.layers.filter(name => !layerBox(name).disabled);
  const answers = await Promise.all(names.map(name => answer(name, filters, signal)));
  if (signal.aborted) return;
  const errors = answers.map(({ error }) => error).filter(Boolean);
  tellProblems(errors);
  loaded = new LoadedPart(box, zoom, answers.some(found => found.more));
  show(names, answers);
  hooks.state = errors.length ? 'error' : 'ready';
}

async function answer(name, filters, signal) {
  try {
    return await loadLayer(name, filters, session.user, signal);
  } catch (error) {
    return { hits: [], more: false, error };
  }
}

/// Shows errors. A missing or expired sign-in is reported in the sign-in form, unless the form already shows an error.
function tellProblems(errors) {
  const refusal = errors.find(error => error.status === 401);
  if (refusal && session.signedIn) {
    endSession();
    showSession();
    byId('sign-in-message').textContent = texts.sessionEnded;
  } else if (refusal) {
    byId('sign-in-message').textContent ||= texts.signInForHistory;
  }
  say([...new Set(errors.filter(error => error.status !== 401).map(error => error.message))].join(' '));
}

function say(text) { byId('message').textContent = text; }

// Results

function show(names, answers) {
  const hits = inOrder(answers.flatMap(found => found.hits));
  const markers = hits.map(markerOf);
  clusters.clearLayers();
  clusters.addLayers(markers);
  shown = { names, answers, markers };
  showHooks();
  if (hits.length && !hasView) frame(hits);
  showList();
}

/// Whether a hit is in the view. All hits are in the view until the user or the first hits have set it.
const isVisible = hit => !hasView || map.getBounds().contains(hit.place);

/// Shows the hits in the view as a list, with their counts and colors.
function showList() {
  const markers = shown.markers.filter(marker => isVisible(marker.hit));
  showCounts(markers.map(marker => marker.hit));
  showLegend(markers.map(marker => marker.hit));
  const focused = document.activeElement?.closest?.('#hits button');
  byId('hits').replaceChildren(...markers.slice(0, listed).map(listEntry));
  restoreFocus(focused);
  byId('hits-note').textContent = markers.length > listed ? texts.firstHits(listed, markers.length) : '';
}

/// Moves the keyboard focus to the new button of the hit whose button had it.
function restoreFocus(button) {
  if (!button) return;
  const { id, layer } = button.dataset;
  [...byId('hits').querySelectorAll('button')].find(other => other.dataset.id === id && other.dataset.layer === layer)
    ?.focus({ preventScroll: true });
}

function frame(hits) {
  hasView = true;
  map.fitBounds(L.latLngBounds(hits.map(hit => hit.place)), { padding: [48, 48], maxZoom: 16, animate: false });
}

/// Publishes the number of loaded features of each layer, for tests.
function showHooks() {
  const { names, answers } = shown;
  const count = name => answers[names.indexOf(name)]?.hits.length ?? 0;
  for (const name of Object.keys(layers)) hooks[name] = count(name);
  hooks.events = count('mine') + count('friends');
}

function showCounts(hits) {
  const { names, answers } = shown;
  const counts = Object.fromEntries(names.filter((_, index) => !answers[index].error)
    .map(name => [name, hits.filter(hit => hit.layer === name).length]));
  const events = (counts.mine ?? 0) + (counts.friends ?? 0);
  const words = [];
  if ('mine' in counts || 'friends' in counts) words.push(texts.eventCount(events));
  if ('items' in counts) words.push(texts.itemCount(counts.items));
  if ('posts' in counts) words.push(texts.postCount(counts.posts));
  let text = names.length ? words.join(', ') : texts.noLayer;
  if (names.length && (loaded.box || hits.length < shown.markers.length)) {
    text = texts.inPartOfMap(text);
  }
  byId('count').textContent = text;
  byId('missing').hidden = !loaded.more;
  byId('missing').textContent = loaded.more ? texts.mostMarkers(most) : '';
}

/// Shows the meaning of the visible forms and colors of habits.
function showLegend(hits) {
  const statuses = new Set(hits.map(hit => hit.status).filter(Boolean));
  byId('legend').hidden = statuses.size === 0;
  byId('legend').querySelector('ul').replaceChildren(...[...statuses].sort().map(status =>
    element('li', {}, shape('mine', { status }), ` ${status}`)));
}

function markerOf(hit) {
  const marker = makeMarker(hit);
  marker.bindPopup(() => popupContent(hit, () => openCalendar(hit, habits.get(hit.habit))), popupOptions);
  marker.on({ popupopen: opened, popupclose: closed });
  return marker;
}

function listEntry(marker) {
  const { hit } = marker;
  const button = element('button', { type: 'button', 'data-id': hit.id, 'data-layer': hit.layer },
    shape(hit.layer, hit),
    element('span', { class: 'hit-title' }, hit.title),
    element('span', { class: 'hit-about' }, [hit.user, hit.date, hit.away].filter(Boolean).join(' · ')),
    hit.text ? element('span', { class: 'hit-text' }, hit.text) : null);
  button.addEventListener('click', () => {
    marker.opener = button;
    byId('map').scrollIntoView({ block: 'nearest' });
    isRevealing = true;
    reveal(marker, clusters, map);
    marker.openPopup();
    isRevealing = false;
  });
  return element('li', {}, button);
}

// Popups: an opened popup gets the keyboard focus, and a closed popup returns it.

function opened({ target: marker, popup }) {
  popupIsOpen = true;
  const frame = popup.getElement();
  const content = frame.querySelector('.popup');
  const close = frame.querySelector('.leaflet-popup-close-button');
  close.setAttribute('role', 'button');
  close.setAttribute('aria-label', texts.close);
  frame.addEventListener('keydown', event => {
    if (event.key !== 'Escape') return;
    // Leaflet would search the map for the target of the event, which no longer exists.
    event.stopPropagation();
    map.closePopup(popup);
  });
  content.focus({ preventScroll: true });
  marker.endPhoto = showPhoto(content, marker.hit);
}

function closed({ target: marker, popup }) {
  popupIsOpen = false;
  loadViewSoon();
  marker.endPhoto?.();
  const hadFocus = document.activeElement === document.body || popup.getElement()?.contains(document.activeElement);
  if (hadFocus) (marker.opener ?? marker.getElement())?.focus({ preventScroll: true });
  marker.opener = null;
}
