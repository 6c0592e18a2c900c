// Runs before the first paint, as a file of its own because the page's policy forbids inline scripts.
(function applyColorScheme() {
  var chosen = null;
  try {
    chosen = localStorage.getItem('rowhouse-color-scheme');
  } catch (_) {
    // Storage may be switched off; the system's scheme is used then.
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();

// A heading may name the environment, which is in the URL, because all environments share this page.
new MutationObserver(function nameEnvironment(_, observer) {
  var places = document.querySelectorAll('#first [data-environment]');
  for (var at = 0; at < places.length; at += 1) places[at].textContent = location.pathname.split('/')[3];
  if (document.getElementById('root')) observer.disconnect();
}).observe(document.documentElement, { childList: true, subtree: true });
