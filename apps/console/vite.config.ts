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

/** Smaller files do not benefit from compression. */
const COMPRESSED_BYTES_MIN = 256;

/** Writes `.br` and `.gz` copies of each text file, so that the server need not compress. */
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

/** Modules that only dialogs need: our frame, the library's, and its scroll lock. */
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

/**
 * Groups of chunks. Two for what every page needs, because libraries change rarely. One for dialogs, which
 * every page has but none shows at first. Otherwise all pages would load them with the file of widely shared
 * modules. That is one file, because each further file is another request before a page is shown. Widely
 * shared modules only need modules that are shared at least as widely, so there are no cycles between files.
 * A group contains the named modules without their dependencies. Otherwise dialogs would contain React. API
 * calls and icons are small and need no other modules, so they have one file each instead of up to twenty per
 * page.
 */
const CHUNK_GROUPS = [
  { name: 'libraries', tags: ['$initial' as const], test: /[\\/]node_modules[\\/]/, priority: 3 },
  { name: 'start', tags: ['$initial' as const], priority: 2 },
  { name: 'dialogs', test: OF_DIALOGS, priority: 1.5 },
  { name: 'calls', minShareCount: 2, test: /[\\/]console[\\/]src[\\/]data[\\/]/, priority: 1.4 },
  { name: 'icons', minShareCount: 2, test: /[\\/]@tabler[\\/]icons-react[\\/]/, priority: 1.3 },
  { name: 'common', minShareCount: 12, priority: 1 },
];

// A test runner or a shell may have set NODE_ENV, which would bundle React's development version.
if (process.argv.includes('build')) process.env['NODE_ENV'] = 'production';

/**
 * The console is static files below `dist`, which the control plane serves under a strict policy: no inline
 * scripts, no data URLs, and nothing from another host.
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
    // One style sheet of 24 KB. In pieces, a page had four to eight, which occupied all connections before
    // the scripts.
    cssCodeSplit: false,
    // Supported browsers do not need the polyfill.
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
