// The page of a one-time link: takes the code from the fragment of the address and sends the form with it.

const code = location.hash.slice(1);
const form = document.getElementById('link');

if (code && form instanceof HTMLFormElement) {
  // The code stays neither in the address bar nor in the history.
  history.replaceState(null, '', location.pathname);
  const field = form.elements.namedItem('code');
  if (field instanceof HTMLInputElement) {
    field.value = code;
    form.submit();
  }
}
