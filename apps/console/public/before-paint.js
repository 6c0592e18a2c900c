// Selects the color scheme before the first paint. It is a separate file, because the page's content security
// policy forbids inline scripts.
(function applyColorScheme() {
  var chosen = null;
  try {
    chosen = localStorage.getItem('rowhouse-color-scheme');
  } catch (_) {
    // The browser's storage may be disabled. The operating system's color scheme is used then.
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();

// A heading may contain the name of the environment. All environments share this page, so the script inserts
// the name from the URL.
new MutationObserver(function nameEnvironment(_, observer) {
  var places = document.querySelectorAll('#first [data-environment]');
  for (var at = 0; at < places.length; at += 1) places[at].textContent = location.pathname.split('/')[3];
  if (document.getElementById('root')) observer.disconnect();
}).observe(document.documentElement, { childList: true, subtree: true });
