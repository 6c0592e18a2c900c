import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir, findProgram } from './paths.mjs';
import { unpackDebianPackages } from './unpack-debian.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * A Chromium for the browser journeys: the machine's own, or Debian's unpacked into the cache.
 *
 * @param {import('./report.mjs').Report} report
 * @returns {Promise<string[]>} folders to put on PATH; empty when the machine has one
 * @throws when there is none to be had
 */
export async function provideChromium(report) {
  if (findProgram(NAMES) !== null) return [];
  const root = await unpackDebianPackages({ name: 'debian-chromium', packages: [['chromium'], ['fonts-dejavu-core']], report });
  const folder = join(cacheDir(), 'debian-chromium', 'bin');
  const script = join(folder, 'chromium');
  if (!existsSync(script)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(script, formatScript(root), { mode: 0o755 });
  }
  return [folder];
}

/** The package's own script looks in `/usr/lib`; this one tells the program where everything was unpacked. @param {string} root */
function formatScript(root) {
  const lib = join(root, 'usr', 'lib');
  const folders = readdirSync(lib).filter((name) => name.includes('-linux-gnu')).flatMap((name) => ['', 'nss', 'pulseaudio', 'blas', 'lapack'].map((inner) => join(lib, name, inner)));
  return [
    '#!/bin/sh',
    `LD_LIBRARY_PATH='${folders.join(':')}'\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}`,
    'export LD_LIBRARY_PATH',
    `[ -d /etc/fonts ] || export FONTCONFIG_PATH='${join(root, 'etc', 'fonts')}' FONTCONFIG_SYSROOT='${root}'`,
    // The sandbox's helper has to belong to root, which unpacked files do not.
    `exec '${join(lib, 'chromium', 'chromium')}' --no-sandbox --disable-dev-shm-usage "$@"`,
    '',
  ].join('\n');
}
