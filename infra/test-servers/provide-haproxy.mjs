import { findProgram } from '../local/paths.mjs';
import { unpackDebianPackages } from '../local/servers/unpack-debian.mjs';
import { wrapUnpackedProgram } from './wrap-unpacked-program.mjs';

const FOLDER = 'debian-haproxy';

/**
 * Provides HAProxy, to test infra/balancer: the machine's own, or Debian's unpacked into the cache.
 * @param {import('../local/report.mjs').Report} report
 * @returns {Promise<string>} the path of the program
 * @throws when none can be found or fetched
 */
export async function provideHaproxy(report) {
  const own = findProgram(['haproxy']);
  if (own !== null) return own;
  const root = await unpackDebianPackages({ name: FOLDER, packages: [['haproxy']], report });
  return `${wrapUnpackedProgram({ name: 'haproxy', folder: FOLDER, root, file: 'sbin/haproxy' })}/haproxy`;
}
