import { join } from 'node:path';

/** What MySQL 9 sets by itself, said aloud, since MariaDB lacks two of them. */
export const SQL_MODE = 'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

/**
 * @typedef {object} FlagInput
 * @property {'mariadb' | 'mysql'} engine
 * @property {string} usrDir
 * @property {boolean} isUnpacked
 * @property {string} dataDir
 * @property {string} filesDir
 * @property {string} tmpDir of this server alone
 * @property {string} socket
 * @property {string} pidFile
 * @property {string} initFile
 * @property {number} port
 * @property {number} bufferPoolMb
 * @property {DirectAccess} [direct]
 *
 * @typedef {object} DirectAccess how clients elsewhere reach the server: by TLS
 * @property {string} bind one more address to listen on, beside loopback; `0.0.0.0` and `::` hold every one
 * @property {{caFile: string, certFile: string, keyFile: string}} certificate
 */

/**
 * Flags of a private instance: loopback only, nothing that reads or writes files, no names to resolve
 * (KILL USER and grants go by address), metadata locks visible, every commit on disk.
 *
 * @param {FlagInput} input
 * @returns {string[]}
 */
export function listServerFlags(input) {
  const share = join(input.usrDir, 'share', 'mysql');
  const flags = [
    ...listBaseFlags(input),
    `--socket=${input.socket}`,
    `--port=${input.port}`,
    `--bind-address=${listBindAddresses(input.direct)}`,
    `--pid-file=${input.pidFile}`,
    `--init-file=${input.initFile}`,
    `--innodb-buffer-pool-size=${input.bufferPoolMb}M`,
    '--innodb-flush-log-at-trx-commit=1',
    '--character-set-server=utf8mb4',
    '--skip-name-resolve',
    '--local-infile=0',
    `--sql-mode=${SQL_MODE}`,
    '--default-time-zone=+00:00',
    '--performance-schema=ON',
    '--performance-schema-instrument=wait/lock/metadata/sql/mdl=ON',
    '--max-connections=1000',
    '--max-prepared-stmt-count=200000',
    '--event-scheduler=OFF',
    '--table-open-cache=4000',
  ];
  if (input.direct !== undefined) {
    const { caFile, certFile, keyFile } = input.direct.certificate;
    flags.push(`--ssl-ca=${caFile}`, `--ssl-cert=${certFile}`, `--ssl-key=${keyFile}`, '--tls-version=TLSv1.2,TLSv1.3');
  }
  if (input.isUnpacked) flags.push(`--plugin-dir=${join(input.usrDir, 'lib', 'mysql', 'plugin')}`, `--character-sets-dir=${join(share, 'charsets')}`);
  if (input.engine === 'mariadb') flags.push('--skip-log-bin', '--skip-symbolic-links', '--collation-server=utf8mb4_unicode_ci', '--feedback=OFF');
  else flags.push('--disable-log-bin', '--mysqlx=OFF', '--log-error-verbosity=2', '--disabled-storage-engines=ARCHIVE,BLACKHOLE,CSV,EXAMPLE,FEDERATED,MEMORY,MRG_MyISAM,MyISAM');
  return flags;
}

/** @param {DirectAccess} [direct] */
function listBindAddresses(direct) {
  if (direct === undefined) return '127.0.0.1';
  return ['0.0.0.0', '::', '127.0.0.1'].includes(direct.bind) ? direct.bind : `127.0.0.1,${direct.bind}`;
}

/**
 * What also holds while the data folder is made. `--no-defaults` has to come first.
 * A server that starts deletes every `#sql*` file in its folder of temporary files, those of a neighbour too,
 * and MariaDB crashes when one of its own is gone: no two may share a folder.
 * @param {Pick<FlagInput, 'usrDir' | 'isUnpacked' | 'dataDir' | 'filesDir' | 'tmpDir'>} input
 * @returns {string[]}
 */
export function listBaseFlags(input) {
  const flags = ['--no-defaults', `--datadir=${input.dataDir}`, `--secure-file-priv=${input.filesDir}`, `--tmpdir=${input.tmpDir}`];
  if (input.isUnpacked) flags.push(`--basedir=${input.usrDir}`, `--lc-messages-dir=${join(input.usrDir, 'share', 'mysql')}`);
  if (process.getuid?.() === 0) flags.push('--user=root');
  return flags;
}
