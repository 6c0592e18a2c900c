import { findProgram } from '../local/paths.mjs';
import { unpackDebianPackages } from '../local/servers/unpack-debian.mjs';
import { wrapUnpackedProgram } from './wrap-unpacked-program.mjs';

const FOLDER = 'debian-curl';

/**
 * Provides curl, which runs the commands of the README unchanged: the machine's own, or Debian's unpacked
 * into the cache.
 * @param {import('../local/report.mjs').Report} report
 * @returns {Promise<string[]>} folders to put on PATH; empty when the machine has one
 * @throws when none can be found or fetched
 */
export async function provideCurl(report) {
  if (findProgram(['curl']) !== null) return [];
  const root = await unpackDebianPackages({ name: FOLDER, packages: [['curl']], report });
  return [wrapUnpackedProgram({ name: 'curl', folder: FOLDER, root, file: 'bin/curl' })];
}
