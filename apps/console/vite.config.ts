import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * The console is plain files below `dist`, served by the control plane under a strict policy:
 * no inline script, no data: address, nothing from another host.
 */
const config = defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    sourcemap: false,
    // Preloading by script would be fine, its polyfill is dead weight for the browsers we serve.
    modulePreload: { polyfill: false },
  },
  server: { host: '127.0.0.1', proxy: { '/api': { target: process.env['CONTROL_PLANE_URL'] ?? 'http://127.0.0.1:7000' } } },
});

export { config as default };
