import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// A test runner or a shell may have set NODE_ENV. React's development version would then be bundled.
if (process.argv.includes('build')) process.env['NODE_ENV'] = 'production';

/**
 * The public docs page of a database: one script and one style sheet, which the gateway serves with a strict
 * content security policy. It is separate from the console, because it must be small and needs no sign-in.
 */
const config = defineConfig({
  plugins: [react()],
  publicDir: false,
  build: {
    outDir: 'dist/docs-page',
    target: 'es2022',
    // These browsers know `light-dark()`. For older ones, the colors would be written twice.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    sourcemap: false,
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      input: { 'docs-page': 'src/docs-page/main.tsx' },
      output: { entryFileNames: '[name]-[hash].js', assetFileNames: 'docs-page-[hash][extname]' },
    },
  },
});

export { config as default };
