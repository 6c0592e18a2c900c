import { join } from 'node:path';

/** The default SQL mode of MySQL 9, written out because MariaDB's default lacks two of its modes. */
export const SQL_MODE =
  'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';
/**
 * The SQL mode of MariaDB servers for tenants. ONLY_FULL_GROUP_BY is off, because MariaDB does not detect
 * columns that depend on a grouped key (docs/adr/0045).
 */
const UNGROUPED_SQL_MODE = SQL_MODE.replace('ONLY_FULL_GROUP_BY,', '');

/**
 * Upper limits in MiB for variables by which a session sets its own memory. Any account may set these
 * variables, without a maximum up to petabytes. The values are far above the servers' defaults. The flags are
 * `loose`, because not every version has each; a test reads the resulting values from the servers.
 */
export const SESSION_MAXIMA_MB = {
  both: {
    'sort-buffer-size': 64,
    'join-buffer-size': 64,
    'read-buffer-size': 16,
    'read-rnd-buffer-size': 16,
    'tmp-table-size': 64,
    'max-heap-table-size': 64,
    'group-concat-max-len': 64,
    'query-prealloc-size': 16,
    'optimizer-trace-max-mem-size': 16,
  },
  mariadb: {
    'max-session-mem-used': 512,
    'join-buffer-space-limit': 64,
    'mrr-buffer-size': 64,
    'max-rowid-filter-size': 64,
  },
  mysql: { 'parser-max-mem-size': 256, 'range-optimizer-max-mem-size': 64, 'set-operations-buffer-size': 64 },
};

/**
 * The variables among them that are unlimited by default. On MariaDB, the variable limits the memory of a
 * whole session. On MySQL, it limits the memory for parsing a statement.
 */
const UNBOUNDED = { mariadb: 'max-session-mem-used', mysql: 'parser-max-mem-size' };

/**
 * Instruments of the performance schema that are turned off, because nothing reads them and they need memory
 * for each account. The memory of a session comes from other sources. With all of them on, MariaDB allocates
 * 20 MiB for every 128 accounts that log in for the first time. No session can begin or change its user for
 * the 0.1 s that this takes.
 */
const UNCOUNTED = ['users-size', 'hosts-size', 'max-mutex-classes', 'max-rwlock-classes', 'max-cond-classes'];

/** The size of the file for temporary tables of sessions. The server creates the file again at each start. */
const TEMP_SPACE = 'ibtmp1:12M:autoextend:max:4096M';

/**
 * The maximum size of MySQL's system tablespace. Any account may create tables in it, and no storage quota
 * counts them. Nothing else makes it grow.
 */
const SYSTEM_SPACE_MB_MAX = 1024;

/**
 * The maximum number of prepared statements of all sessions together. A statement takes at least 8 KB of its
 * session's memory, so the shares of direct connections (4 GiB) end sessions before they take half of these.
 * The gateways need the other half.
 */
const PREPARED_STATEMENTS_MAX = 1_048_576;

/** The maximum number of sessions on MariaDB's extra port, for all workers together. */
const ADMIN_CONNECTIONS_MAX = 500;

/** Flags of the platform's server, which only a few processes of the product use. */
const PLATFORM_FLAGS = ['--performance-schema=OFF', '--max-connections=200', '--table-open-cache=400'];

/** Flags that make the launcher's own platform server small. Larger installations name their own server. */
export const SMALL_SERVER_FLAGS = {
  both: ['--key-buffer-size=64K', '--innodb-log-buffer-size=2M', '--thread-cache-size=16'],
  mariadb: ['--loose-aria-pagecache-buffer-size=1M', '--loose-innodb-log-file-size=48M'],
  mysql: ['--temptable-max-ram=16M', '--innodb-redo-log-capacity=48M'],
};

/** Flags of a server that hosts tenants' databases. */
const TENANT_FLAGS = {
  both: [
    '--performance-schema=ON',
    '--performance-schema-instrument=wait/lock/metadata/sql/mdl=ON',
    ...UNCOUNTED.map((name) => `--performance-schema-${name}=0`),
    // Threads are not reused, because the priority of a thread may have been lowered for its previous
    // session.
    '--thread-cache-size=0',
    // Unfinished handshakes occupy connections that all tenants share.
    '--connect-timeout=5',
    `--innodb-temp-data-file-path=${TEMP_SPACE}`,
    '--max-connections=2000',
    '--table-open-cache=4000',
  ],
  mariadb: [
    '--performance-schema-max-memory-classes=0',
    '--loose-maximum-tmp-disk-table-size=4096M',
    '--loose-tmp-disk-table-size=4096M',
  ],
  mysql: [
    '--global-connection-memory-tracking=ON',
    '--connection-memory-chunk-size=1048576',
    '--connection-memory-limit=536870912',
    // A prepared transaction stays with its session, so no other account can end it before the session ends.
    '--loose-xa-detach-on-prepare=OFF',
  ],
};

/**
 * @typedef {object} FlagInput
 * @property {'mariadb' | 'mysql'} engine
 * @property {string} usrDir
 * @property {boolean} isUnpacked
 * @property {string} dataDir
 * @property {string} filesDir
 * @property {string} tmpDir used by no other server
 * @property {string} socket
 * @property {string} pidFile
 * @property {string} initFile
 * @property {number} port
 * @property {number} [adminPort] where workers log in even when the main port is full
 * @property {number} bufferPoolMb
 * @property {number} [systemSpaceMb] the current size of the shared system tablespace; 0 where there is none
 *   yet
 * @property {DirectAccess} [direct]
 * @property {'tenants' | 'platform'} [role] what the server holds; tenants' databases unless set
 * @typedef {object} DirectAccess how clients on other machines reach the server, by TLS
 * @property {string} bind one more address to listen on, besides loopback; `0.0.0.0` and `::` mean every
 *   address
 * @property {{caFile: string, certFile: string, keyFile: string}} certificate
 */

/**
 * Returns the flags of a private instance. It listens on loopback only, reads and writes no files for
 * clients, and resolves no host names, because KILL USER and grants go by address. Metadata locks are
 * visible, and every commit is synced to disk.
 * @param {FlagInput} input
 * @returns {string[]}
 */
export function listServerFlags(input) {
  const flags = [
    ...listBaseFlags(input),
    `--socket=${input.socket}`,
    `--port=${input.port}`,
    `--bind-address=${listBindAddresses(input.direct)}`,
    `--pid-file=${input.pidFile}`,
    `--init-file=${input.initFile}`,
    `--innodb-buffer-pool-size=${input.bufferPoolMb}M`,
    '--innodb-flush-log-at-trx-commit=1',
    // This is MySQL's default. With MariaDB's default, an INSERT would wait for a long INSERT ... SELECT into
    // the same table.
    '--innodb-autoinc-lock-mode=2',
    '--character-set-server=utf8mb4',
    '--skip-name-resolve',
    '--local-infile=0',
    `--sql-mode=${input.engine === 'mariadb' && input.role !== 'platform' ? UNGROUPED_SQL_MODE : SQL_MODE}`,
    '--default-time-zone=+00:00',
    `--max-prepared-stmt-count=${PREPARED_STATEMENTS_MAX}`,
    '--event-scheduler=OFF',
    ...(input.role === 'platform'
      ? [...PLATFORM_FLAGS, ...SMALL_SERVER_FLAGS.both, ...SMALL_SERVER_FLAGS[input.engine]]
      : [...TENANT_FLAGS.both, ...TENANT_FLAGS[input.engine]]),
  ];
  if (input.adminPort !== undefined) flags.push(...listAdminPortFlags(input.engine, input.adminPort));
  if (input.direct !== undefined) flags.push(...listCertificateFlags(input.direct));
  if (input.isUnpacked)
    flags.push(
      `--plugin-dir=${join(input.usrDir, 'lib', 'mysql', 'plugin')}`,
      `--character-sets-dir=${join(input.usrDir, 'share', 'mysql', 'charsets')}`,
    );
  flags.push(...listSessionFlags(input.engine), ...listEngineFlags(input));
  return flags;
}

/** @param {DirectAccess} direct */
function listCertificateFlags({ certificate: { caFile, certFile, keyFile } }) {
  return [
    `--ssl-ca=${caFile}`,
    `--ssl-cert=${certFile}`,
    `--ssl-key=${keyFile}`,
    '--tls-version=TLSv1.2,TLSv1.3',
  ];
}

/**
 * Returns the flags that bound the memory of one session.
 * @param {'mariadb' | 'mysql'} engine
 */
function listSessionFlags(engine) {
  return Object.entries({ ...SESSION_MAXIMA_MB.both, ...SESSION_MAXIMA_MB[engine] }).flatMap(([name, mb]) => [
    `--loose-maximum-${name}=${mb}M`,
    ...(name === UNBOUNDED[engine] ? [`--loose-${name}=${mb}M`] : []),
  ]);
}

/**
 * Returns the flags that only one engine knows. Tables of other storage engines are lost in a crash, fill
 * memory, and are not counted by a storage quota.
 * @param {FlagInput} input
 */
function listEngineFlags({ engine, systemSpaceMb = 0 }) {
  if (engine === 'mariadb')
    return [
      '--skip-log-bin',
      '--skip-symbolic-links',
      '--collation-server=utf8mb4_unicode_ci',
      '--feedback=OFF',
      '--enforce-storage-engine=InnoDB',
    ];
  return [
    '--disable-log-bin',
    '--mysqlx=OFF',
    '--log-error-verbosity=2',
    '--performance-schema-error-size=0',
    '--disabled-storage-engines=ARCHIVE,BLACKHOLE,CSV,EXAMPLE,FEDERATED,MEMORY,MRG_MyISAM,MyISAM',
    `--innodb-data-file-path=ibdata1:12M:autoextend:max:${Math.max(SYSTEM_SPACE_MB_MAX, systemSpaceMb)}M`,
  ];
}

/**
 * Returns the flags of the admin port. MariaDB listens there on the same addresses as on its main port, MySQL
 * on loopback alone.
 * @param {'mariadb' | 'mysql'} engine
 * @param {number} port
 */
function listAdminPortFlags(engine, port) {
  if (engine === 'mariadb')
    return [`--extra-port=${port}`, `--extra-max-connections=${ADMIN_CONNECTIONS_MAX}`];
  return ['--admin-address=127.0.0.1', `--admin-port=${port}`, '--create-admin-listener-thread=ON'];
}

/** @param {DirectAccess} [direct] */
function listBindAddresses(direct) {
  if (direct === undefined) return '127.0.0.1';
  return ['0.0.0.0', '::', '127.0.0.1'].includes(direct.bind) ? direct.bind : `127.0.0.1,${direct.bind}`;
}

/**
 * Returns the flags that also apply while the data folder is created. `--no-defaults` must come first.
 *
 * Two servers must not share a folder for temporary files. A starting server deletes every `#sql*` file in
 * the folder, and MariaDB crashes if its own file is deleted.
 * @param {Pick<FlagInput, 'usrDir' | 'isUnpacked' | 'dataDir' | 'filesDir' | 'tmpDir'>} input
 * @returns {string[]}
 */
export function listBaseFlags(input) {
  const flags = [
    '--no-defaults',
    `--datadir=${input.dataDir}`,
    `--secure-file-priv=${input.filesDir}`,
    `--tmpdir=${input.tmpDir}`,
  ];
  if (input.isUnpacked)
    flags.push(`--basedir=${input.usrDir}`, `--lc-messages-dir=${join(input.usrDir, 'share', 'mysql')}`);
  if (process.getuid?.() === 0) flags.push('--user=root');
  return flags;
}
