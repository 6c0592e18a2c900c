import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir, findProgram } from '@rowhouse/local/paths';
import { unpackDebianPackages } from '@rowhouse/local/servers/unpack-debian';
import { wrapUnpackedProgram } from './wrap-unpacked-program.mjs';

const CHROMIUM = { names: ['chromium', 'chromium-browser', 'google-chrome'], folder: 'debian-chromium' };

/**
 * Provides a Chromium for the browser journeys: the machine's own, or Debian's unpacked into the cache.
 * @param {import('@rowhouse/local/report').Report} report
 * @returns {Promise<string[]>} folders to put on PATH; empty when the machine has one
 * @throws when none can be found or fetched
 */
export async function provideChromium(report) {
  if (findProgram(CHROMIUM.names) !== null) return [];
  const root = await unpackDebianPackages({
    name: CHROMIUM.folder,
    packages: [['chromium'], ['fonts-dejavu-core']],
    report,
  });
  const fonts = join(cacheDir(), CHROMIUM.folder, 'fonts.conf');
  writeFileSync(
    fonts,
    formatFontConfig(
      [join(root, 'usr', 'share', 'fonts'), '/usr/share/fonts'],
      join(cacheDir(), CHROMIUM.folder, 'font-cache'),
    ),
  );
  return [
    wrapUnpackedProgram({
      name: 'chromium',
      folder: CHROMIUM.folder,
      root,
      file: join('lib', 'chromium', 'chromium'),
      // Without a configuration, fontconfig looks in folders that a bare machine lacks, and Chromium crashes at
      // the first text.
      before: existsSync('/etc/fonts/fonts.conf') ? [] : [`export FONTCONFIG_FILE='${fonts}'`],
      // Chromium's sandbox needs a helper file that belongs to root, and unpacked files do not.
      options: '--no-sandbox --disable-dev-shm-usage',
    }),
  ];
}

/**
 * Provides curl, which runs the commands of the README unchanged: the machine's own, or Debian's unpacked
 * into the cache.
 * @param {import('@rowhouse/local/report').Report} report
 * @returns {Promise<string[]>} folders to put on PATH; empty when the machine has one
 * @throws when none can be found or fetched
 */
export async function provideCurl(report) {
  if (findProgram(['curl']) !== null) return [];
  const root = await unpackDebianPackages({ name: 'debian-curl', packages: [['curl']], report });
  return [wrapUnpackedProgram({ name: 'curl', folder: 'debian-curl', root, file: 'bin/curl' })];
}

/**
 * Provides HAProxy, to test infra/balancer: the machine's own, or Debian's unpacked into the cache.
 * @param {import('@rowhouse/local/report').Report} report
 * @returns {Promise<string>} the path of the program
 * @throws when none can be found or fetched
 */
export async function provideHaproxy(report) {
  const own = findProgram(['haproxy']);
  if (own !== null) return own;
  const root = await unpackDebianPackages({ name: 'debian-haproxy', packages: [['haproxy']], report });
  return `${wrapUnpackedProgram({ name: 'haproxy', folder: 'debian-haproxy', root, file: 'sbin/haproxy' })}/haproxy`;
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
