import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { stableIds } from './src/build/stable-ids.js';
import { tellFirstFiles } from './src/build/tell-first-files.js';
import { themeVariables } from './src/build/theme-variables.js';
import { writeFirstPages } from './src/build/write-first-pages.js';
import { theme } from './src/ui/theme.js';

/** Below this a compressed copy saves next to nothing. */
const COMPRESSED_BYTES_MIN = 256;

/** Writes `.br` and `.gz` beside each text file, so that a server need not compress anything itself. */
function writeCompressedCopies(): Plugin {
  return {
    name: 'write-compressed-copies',
    async writeBundle(options, bundle) {
      const files = Object.values(bundle).filter((file) => /\.(js|css|html|svg)$/.test(file.fileName));
      await Promise.all(files.map((file) => compressFile(join(options.dir ?? 'dist', file.fileName), file.type === 'chunk' ? file.code : file.source)));
    },
  };
}

async function compressFile(path: string, content: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(content);
  if (bytes.length < COMPRESSED_BYTES_MIN) return;
  const brotli = promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } });
  await Promise.all([writeFile(`${path}.br`, await brotli), writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))]);
}

/** What only a dialog begins with: the frame of ours, the library's, and what they hold the page still with. */
const OF_DIALOGS = new RegExp(
  [
    String.raw`@mantine[\\/]core[\\/].*[\\/](Modal|ModalBase|ScrollArea|Portal|Overlay|FocusTrap|Paper|VisuallyHidden)[\\/]`,
    String.raw`@mantine[\\/]hooks[\\/].*[\\/](use-focus-trap|use-focus-return)[\\/]`,
    String.raw`node_modules[\\/](react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-callback-ref|use-sidecar|tslib)[\\/]`,
    String.raw`ui[\\/]dialog-frame\.tsx$`,
  ].map((part) => String.raw`[\\/]${part}`).join('|'),
);

/**
 * Two files for what every page begins with: libraries change seldom. One for dialogs, which every room has and none shows at
 * once: shared by so many, they would be fetched by all with the file of what many rooms share, which each needs. That file is one
 * because each file more is one more way to the server before a room is shown. What is shared by so many needs only what is
 * shared by as many or more, so that no two files need each other in a circle, as sets joined by size do; those would begin
 * before what they are made of. A group takes the modules it names and not what they need: else dialogs would take React along.
 * Calls of the servers and icons need none of our other modules, and are small: one file each, where a room had up to twenty.
 */
const CHUNK_GROUPS = [
  { name: 'libraries', tags: ['$initial' as const], test: /[\\/]node_modules[\\/]/, priority: 3 },
  { name: 'start', tags: ['$initial' as const], priority: 2 },
  { name: 'dialogs', test: OF_DIALOGS, priority: 1.5 },
  { name: 'calls', minShareCount: 2, test: /[\\/]console[\\/]src[\\/]data[\\/]/, priority: 1.4 },
  { name: 'icons', minShareCount: 2, test: /[\\/]@tabler[\\/]icons-react[\\/]/, priority: 1.3 },
  { name: 'common', minShareCount: 12, priority: 1 },
];

// Started from a test runner or a shell with NODE_ENV set, a build would else hold React's development half.
if (process.argv.includes('build')) process.env['NODE_ENV'] = 'production';

/**
 * The console is plain files below `dist`, served by the control plane under a strict policy:
 * no inline script, no data: address, nothing from another host.
 */
const config = defineConfig({
  plugins: [react(), stableIds(), themeVariables(theme), tellFirstFiles(), writeFirstPages(), writeCompressedCopies()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    sourcemap: false,
    // One sheet, 24 KB as it is sent: in pieces, a room had four to eight, which took every way to the server before the scripts did.
    cssCodeSplit: false,
    // Preloading by script would be fine, its polyfill is dead weight for the browsers we serve.
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: CHUNK_GROUPS } } },
  },
  server: { host: '127.0.0.1', proxy: { '/api': { target: process.env['CONTROL_PLANE_URL'] ?? 'http://127.0.0.1:4000' } } },
});

export { config as default };
