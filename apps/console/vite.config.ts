import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { stableIds } from './src/build/stable-ids.js';
import { reportFirstFiles } from './src/build/report-first-files.js';
import { themeVariables } from './src/build/theme-variables.js';
import { writeFirstPages } from './src/build/write-first-pages.js';
import { theme } from './src/ui/theme/theme.js';

/** The minimum size of a compressed file, in bytes. Compressing a smaller one brings no benefit. */
const COMPRESSED_BYTES_MIN = 256;

/**
 * Writes compressed copies (`.br` and `.gz`) of each text file, so that the server does not have to compress
 * them.
 */
function writeCompressedCopies(): Plugin {
  return {
    name: 'write-compressed-copies',
    async writeBundle(options, bundle) {
      const files = Object.values(bundle).filter((file) => /\.(js|css|html|svg)$/.test(file.fileName));
      await Promise.all(
        files.map((file) =>
          compressFile(
            join(options.dir ?? 'dist', file.fileName),
            file.type === 'chunk' ? file.code : file.source,
          ),
        ),
      );
    },
  };
}

async function compressFile(path: string, content: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(content);
  if (bytes.length < COMPRESSED_BYTES_MIN) return;
  const brotli = promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } });
  await Promise.all([
    writeFile(`${path}.br`, await brotli),
    writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 })),
  ]);
}

/**
 * Matches modules that only dialogs need: the console's dialog frame, Mantine's dialog, and the code that
 * locks scrolling.
 */
const OF_DIALOGS = new RegExp(
  [
    String.raw`@mantine[\\/]core[\\/].*[\\/](Modal|ModalBase|ScrollArea|Portal|Overlay|FocusTrap|Paper|VisuallyHidden)[\\/]`,
    String.raw`@mantine[\\/]hooks[\\/].*[\\/](use-focus-trap|use-focus-return)[\\/]`,
    String.raw`node_modules[\\/](react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-callback-ref|use-sidecar|tslib)[\\/]`,
    String.raw`ui[\\/]dialogs[\\/]dialog-frame\.tsx$`,
  ]
    .map((part) => String.raw`[\\/]${part}`)
    .join('|'),
);

/** Matches modules with API calls that only dialogs and few pages make. */
const RARE_CALLS =
  /[\\/]src[\\/]data[\\/](team[\\/]mutations|account[\\/]\w+|migrations[\\/]mutations|databases[\\/]mutations|projects[\\/]mutations|rows[\\/]transfer-rows)\.ts$/;

/**
 * Decides which modules are bundled into the same chunk.
 * The two chunks that each page needs are separate, because libraries change rarely. Dialogs have their own
 * chunk. No page shows a dialog at first, and without that chunk each page would load the dialogs' code with
 * the shared modules.
 * All other shared modules are in one chunk, because each chunk is a further request before a page is shown.
 * A widely shared module only imports modules that are shared at least as widely, so chunks do not import
 * each other in cycles. A group contains the matching modules without their dependencies. Otherwise the chunk
 * of dialogs would contain React.
 * API calls and icons are small and import no other modules. Each kind has one chunk instead of up to twenty
 * for a page. Calls that few pages make at first have a chunk of their own.
 */
const CHUNK_GROUPS = [
  { name: 'libraries', tags: ['$initial' as const], test: /[\\/]node_modules[\\/]/, priority: 3 },
  { name: 'start', tags: ['$initial' as const], priority: 2 },
  { name: 'dialogs', test: OF_DIALOGS, priority: 1.5 },
  { name: 'rare-calls', minShareCount: 2, test: RARE_CALLS, priority: 1.45 },
  { name: 'calls', minShareCount: 2, test: /[\\/]console[\\/]src[\\/]data[\\/]/, priority: 1.4 },
  { name: 'icons', minShareCount: 2, test: /[\\/]@tabler[\\/]icons-react[\\/]/, priority: 1.3 },
  // Few pages need these functions at first, although many chunks share them.
  { name: 'contrast', minShareCount: 2, test: /[\\/]get-(auto-)?contrast-(color|value)[\\/]/, priority: 1.2 },
  { name: 'common', minShareCount: 12, priority: 1 },
];

// A test runner or a shell may have set NODE_ENV. React's development version would then be bundled.
if (process.argv.includes('build')) process.env['NODE_ENV'] = 'production';

/**
 * The console consists of static files below `dist`. The control plane serves them with a strict content
 * security policy: no inline scripts, no data URLs, and nothing from another host.
 */
const config = defineConfig({
  plugins: [
    react(),
    stableIds(),
    themeVariables(theme),
    reportFirstFiles(),
    writeFirstPages(),
    writeCompressedCopies(),
  ],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    sourcemap: false,
    // All styles are in one file of 24 KB. If they were split, a page would have four to eight files, which
    // would use all connections before the scripts.
    cssCodeSplit: false,
    // The browsers that the console supports do not need this polyfill.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: CHUNK_GROUPS } },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: process.env['CONTROL_PLANE_URL'] ?? 'http://127.0.0.1:4000' } },
  },
});

export { config as default };
