import { findProgram } from './paths.mjs';
import { unpackDebianPackages } from './unpack-debian.mjs';
import { wrapUnpackedProgram } from './wrap-unpacked-program.mjs';

const FOLDER = 'debian-haproxy';

/**
 * HAProxy, to try infra/balancer with: the machine's own, or Debian's unpacked into the cache.
 *
 * @param {import('./report.mjs').Report} report
 * @returns {Promise<string>} the program
 * @throws when there is none to be had
 */
export async function provideHaproxy(report) {
  const own = findProgram(['haproxy']);
  if (own !== null) return own;
  const root = await unpackDebianPackages({ name: FOLDER, packages: [['haproxy']], report });
  return `${wrapUnpackedProgram({ name: 'haproxy', folder: FOLDER, root, file: 'sbin/haproxy' })}/haproxy`;
}
