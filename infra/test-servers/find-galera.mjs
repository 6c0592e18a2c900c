import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unpackDebianPackages } from '../local/servers/unpack-debian.mjs';
import { LauncherError } from '../local/report.mjs';

const PROVIDER = join('usr', 'lib', 'galera', 'libgalera_smm.so');

/**
 * Returns the library that makes MariaDB a node of a Galera cluster: the machine's own, or Debian's galera-4
 * unpacked into the cache.
 * @param {import('../local/report.mjs').Report} report
 * @returns {Promise<string>} its path, for `wsrep_provider`
 * @throws {LauncherError} when none can be found or fetched
 */
export async function findGaleraProvider(report) {
  const own = join('/', PROVIDER);
  if (existsSync(own)) return own;
  const root = await unpackDebianPackages({ name: 'debian-galera', packages: [['galera-4']], report });
  const unpacked = join(root, PROVIDER);
  if (!existsSync(unpacked))
    throw new LauncherError(`galera-4 was unpacked into ${root}, but ${PROVIDER} is missing.`);
  return unpacked;
}
