import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir, findProgram } from '../local/paths.mjs';
import { unpackDebianPackages } from '../local/servers/unpack-debian.mjs';
import { wrapUnpackedProgram } from './wrap-unpacked-program.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const FOLDER = 'debian-chromium';

/**
 * Provides a Chromium for the browser journeys: the machine's own, or Debian's unpacked into the cache.
 * @param {import('../local/report.mjs').Report} report
 * @returns {Promise<string[]>} folders to put on PATH; empty when the machine has one
 * @throws when none can be found or fetched
 */
export async function provideChromium(report) {
  if (findProgram(NAMES) !== null) return [];
  const root = await unpackDebianPackages({
    name: FOLDER,
    packages: [['chromium'], ['fonts-dejavu-core']],
    report,
  });
  const fonts = join(cacheDir(), FOLDER, 'fonts.conf');
  writeFileSync(
    fonts,
    formatFontConfig(
      [join(root, 'usr', 'share', 'fonts'), '/usr/share/fonts'],
      join(cacheDir(), FOLDER, 'font-cache'),
    ),
  );
  return [
    wrapUnpackedProgram({
      name: 'chromium',
      folder: FOLDER,
      root,
      file: join('lib', 'chromium', 'chromium'),
      // Without a configuration, fontconfig looks in folders that a bare machine lacks, and Chromium crashes at
      // the first text.
      before: existsSync('/etc/fonts/fonts.conf') ? [] : [`export FONTCONFIG_FILE='${fonts}'`],
      // The sandbox's helper must belong to root, which unpacked files do not.
      options: '--no-sandbox --disable-dev-shm-usage',
    }),
  ];
}

/** @param {readonly string[]} folders @param {string} cache */
function formatFontConfig(folders, cache) {
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...folders.map((folder) => `  <dir>${folder}</dir>`),
    `  <cachedir>${cache}</cachedir>`,
    ...['sans-serif', 'serif', 'monospace'].map(
      (family) =>
        `  <alias><family>${family}</family><prefer><family>${family === 'monospace' ? 'DejaVu Sans Mono' : 'DejaVu Sans'}</family></prefer></alias>`,
    ),
    '</fontconfig>',
    '',
  ].join('\n');
}
