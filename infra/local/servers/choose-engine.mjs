import { LauncherError } from '../report.mjs';

/** @typedef {'mariadb' | 'mysql'} Engine */

/** The common name of each engine. */
export const ENGINE_NAMES = { mariadb: 'MariaDB', mysql: 'MySQL' };

/**
 * Chooses the engine of the private server of tenants' databases. An installation keeps the engine of its
 * first start.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {{engine?: Engine | undefined, hasData: boolean, dataDir: string}} installation `engine` was
 *   recorded by an earlier start; older versions recorded none and had MariaDB
 * @returns {Engine}
 * @throws {LauncherError} if the installation cannot use the engine that `ROWHOUSE_ENGINE` names
 */
export function chooseEngine(env, { engine, hasData, dataDir }) {
  const requested = env['ROWHOUSE_ENGINE'] || undefined;
  if (requested !== undefined && requested !== 'mariadb' && requested !== 'mysql')
    throw new LauncherError(`ROWHOUSE_ENGINE must be mariadb or mysql, not ${JSON.stringify(requested)}.`);
  if (requested !== undefined && env['MYSQL_URL'])
    throw new LauncherError(
      'ROWHOUSE_ENGINE is for the server that the launcher starts, but MYSQL_URL names your own. Set only one.',
    );
  const present = hasData ? (engine ?? 'mariadb') : undefined;
  if (present === undefined || requested === undefined || requested === present)
    return present ?? requested ?? 'mariadb';
  throw new LauncherError(
    `The databases in ${dataDir} are on ${ENGINE_NAMES[present]}, but ROWHOUSE_ENGINE is set to ${ENGINE_NAMES[requested]}.`,
    {
      hint: `Start without ROWHOUSE_ENGINE, or set ROWHOUSE_DATA_DIR to a new folder. To have both engines, register a server with POST /api/admin/servers.`,
    },
  );
}
