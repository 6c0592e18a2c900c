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
