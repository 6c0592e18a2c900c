import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findMariadb } from '@rowhouse/local/servers/find-servers';
import { openPortSource } from '@rowhouse/local/processes/free-port';
import { listGaleraFlags, readRecoveredPosition, writeGaleraTransfer } from './galera-flags.mjs';
import { toKillable } from './killable.mjs';
import { withConnection } from '@rowhouse/local/servers/mysql-admin';
import { listBaseFlags } from '@rowhouse/local/servers/mysql-flags';
import { LauncherError } from '@rowhouse/local/report';
import { makePassword, startMysqlServer } from '@rowhouse/local/servers/start-mysql-server';
import { unpackDebianPackages } from '@rowhouse/local/servers/unpack-debian';

const PROVIDER = join('usr', 'lib', 'galera', 'libgalera_smm.so');

/**
 * @typedef {object} ClusterNode
 * @property {string} name
 * @property {import('@rowhouse/local/servers/mysql-admin').MysqlAddress} admin
 * @property {() => number} pid
 * @property {() => boolean} isRunning
 * @property {() => Promise<void>} kill sends SIGKILL
 * @property {() => Promise<void>} start starts an ended node, which finds its position and joins again
 * @typedef {object} GaleraCluster
 * @property {readonly ClusterNode[]} nodes
 * @property {string} version
 * @property {() => Promise<void>} stop
 */

const SYNCED = '4';
const JOIN_TIMEOUT_MS = 120_000;
/** The redo log is smaller than usual, because three nodes need three times the space. */
const LOG_SIZE_FLAG = '--innodb-log-file-size=48M';
/** Files that must not be copied with the data, because they identify one node. */
const OWN_FILES = /^(gvwstate\.dat|galera\.cache|.*\.pid)$/;

/**
 * Starts a Galera cluster of MariaDB nodes on loopback, for suites. The first node's data folder is created,
 * then copied. Nodes that begin with the same rows need no full state transfer, and a returning node gets the
 * write sets that it missed.
 * @param {{homeDir: string, nodes?: number, report: import('@rowhouse/local/report').Report}} options
 * @returns {Promise<GaleraCluster>}
 */
export async function startGaleraCluster({ homeDir, nodes: count = 3, report }) {
  const found = await findMariadb(report);
  const scripts = join(homeDir, 'bin');
  writeGaleraTransfer(scripts);
  const program = { ...found, env: { ...found.env, PATH: `${scripts}:${process.env['PATH']}` } };
  const nodeSetups = await chooseNodeSetups(homeDir, count);
  const cluster = {
    program,
    nodeSetups,
    provider: await findGaleraProvider(report),
    password: makePassword(),
  };
  const [first, ...rest] = nodeSetups;
  if (first === undefined) throw new LauncherError('A cluster needs at least one node.');
  await makeFirstFolder(first, toOptions(cluster, first, { isFirst: true, position: null }));
  for (const nodeSetup of rest) copyFolder(first.home, nodeSetup.home);
  /** @type {Awaited<ReturnType<typeof startNode>>[]} */
  const nodes = [];
  const stop = async () => {
    for (const node of [...nodes].reverse()) await node.stop();
  };
  try {
    for (const nodeSetup of nodeSetups) nodes.push(await startNode(cluster, nodeSetup, nodeSetup === first));
  } catch (err) {
    await stop();
    throw err;
  }
  return { nodes, version: nodes[0]?.version ?? '', stop };
}

/**
 * @typedef {import('./galera-flags.mjs').GaleraNode & {home: string, logFile: string, port: number}} NodeSetup
 * @typedef {{program: import('@rowhouse/local/servers/find-servers').ServerProgram, nodeSetups: readonly NodeSetup[], provider: string, password: string}} Cluster
 */

/** @param {string} homeDir @param {number} count @returns {Promise<NodeSetup[]>} */
async function chooseNodeSetups(homeDir, count) {
  const takePort = openPortSource();
  /** @type {NodeSetup[]} */
  const nodeSetups = [];
  for (let index = 1; index <= count; index += 1) {
    const name = `node-${index}`;
    nodeSetups.push({
      name,
      home: join(homeDir, name),
      logFile: join(homeDir, `${name}.log`),
      port: await takePort(),
      groupPort: await takePort(),
      transferPort: await takePort(),
    });
  }
  return nodeSetups;
}

/**
 * @param {Cluster} cluster
 * @param {NodeSetup} nodeSetup
 * @param {{isFirst: boolean, position: string | null}} how
 */
function toOptions({ program, nodeSetups, provider, password }, nodeSetup, how) {
  return {
    engine: /** @type {const} */ ('mariadb'),
    program,
    homeDir: nodeSetup.home,
    logFile: nodeSetup.logFile,
    port: nodeSetup.port,
    password,
    bufferPoolMb: 96,
    hasAccounts: true,
    flags: [
      LOG_SIZE_FLAG,
      ...listGaleraFlags({ provider, cluster: 'rowhouse', node: nodeSetup, nodes: nodeSetups, ...how }),
    ],
  };
}

/**
 * @param {Cluster} cluster
 * @param {NodeSetup} nodeSetup
 * @param {boolean} isFirst
 * @returns {Promise<ClusterNode & {version: string, stop: () => Promise<void>}>}
 */
async function startNode(cluster, nodeSetup, isFirst) {
  const run = async (/** @type {{isFirst: boolean, position: string | null}} */ how) => {
    const server = await startMysqlServer(toOptions(cluster, nodeSetup, how));
    await waitUntilSynced(server, nodeSetup.name).catch(async (/** @type {unknown} */ err) => {
      await server.stop(2_000);
      throw err;
    });
    return server;
  };
  let server = await run({ isFirst, position: null });
  return {
    name: nodeSetup.name,
    version: server.version,
    admin: { host: '127.0.0.1', port: nodeSetup.port, user: 'root', password: cluster.password },
    ...toKillable(() => server.child),
    async start() {
      server = await run({
        isFirst: false,
        position: await findPosition(cluster, nodeSetup, server.socket),
      });
    },
    stop: () => (server.child.exited ? Promise.resolve() : server.stop(20_000)),
  };
}

/**
 * Creates the data folder of the first node. Accounts are created while the server is not a node. Then the
 * server runs as a node for a moment, so that the folder records the cluster and the position.
 * @param {{home: string}} nodeSetup
 * @param {import('@rowhouse/local/servers/start-mysql-server').StartMysqlOptions} options
 */
async function makeFirstFolder(nodeSetup, options) {
  mkdirSync(nodeSetup.home, { recursive: true, mode: 0o700 });
  const plain = await startMysqlServer({ ...options, hasAccounts: false, flags: [LOG_SIZE_FLAG] });
  await plain.stop(30_000);
  const alone = await startMysqlServer(options);
  await waitUntilSynced(alone, 'the first node');
  await alone.stop(30_000);
}

/**
 * @param {string} from
 * @param {string} to the home folder of a node
 */
function copyFolder(from, to) {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true, mode: 0o700 });
  cpSync(join(from, 'data'), join(to, 'data'), {
    recursive: true,
    filter: (path) => !OWN_FILES.test(path.split('/').at(-1) ?? ''),
  });
}

/**
 * @param {import('@rowhouse/local/servers/mysql-admin').MysqlAddress & {child: import('@rowhouse/local/processes/child').Child}} server
 * @param {string} name
 */
async function waitUntilSynced(server, name) {
  const deadlineMs = Date.now() + JOIN_TIMEOUT_MS;
  for (;;) {
    const state = await readLocalState(server).catch(() => '');
    if (state === SYNCED) return;
    if (server.child.exited || Date.now() > deadlineMs)
      throw new LauncherError(`${name} did not join its cluster (state ${state}).`, {
        logTail: readFileSync(server.child.logFile, 'utf8')
          .split('\n')
          .filter((line) => !line.includes('Aborted connection'))
          .slice(-30)
          .join('\n'),
      });
    await sleep(50);
  }
}

/** @param {import('@rowhouse/local/servers/mysql-admin').MysqlAddress} address */
async function readLocalState(address) {
  return withConnection(address, async (connection) => {
    const [rows] = await connection.query("SHOW GLOBAL STATUS LIKE 'wsrep_local_state'");
    return /** @type {{Value: string}[]} */ (rows)[0]?.Value ?? '';
  });
}

/**
 * Returns the position of a node that was killed. The state file of a killed node lacks the position, so it
 * is recovered from the storage engine.
 * @param {Cluster} cluster
 * @param {NodeSetup} nodeSetup
 * @param {string} socket the socket of its last run
 */
async function findPosition(cluster, nodeSetup, socket) {
  const { program } = cluster;
  const folders = {
    usrDir: program.usrDir,
    isUnpacked: program.origin === 'unpacked',
    dataDir: join(nodeSetup.home, 'data'),
    filesDir: join(nodeSetup.home, 'files'),
    tmpDir: join(nodeSetup.home, 'tmp'),
  };
  const flags = [
    ...listBaseFlags(folders),
    ...toOptions(cluster, nodeSetup, { isFirst: false, position: null }).flags,
    `--socket=${socket}.recover`,
    '--skip-networking',
    '--wsrep-recover',
  ];
  const { stdout, stderr } = await promisify(execFile)(program.command, [...program.leadingArgs, ...flags], {
    env: { ...process.env, ...program.env },
    maxBuffer: 16 << 20,
  });
  const position = readRecoveredPosition(`${stdout}\n${stderr}`);
  if (position === null)
    throw new LauncherError(`${nodeSetup.name} does not know its position.`, {
      logTail: stderr.split('\n').slice(-20).join('\n'),
    });
  return position;
}

/**
 * Returns the library that makes MariaDB a node of a Galera cluster: the machine's own, or Debian's galera-4
 * unpacked into the cache.
 * @param {import('@rowhouse/local/report').Report} report
 * @returns {Promise<string>} its path, for `wsrep_provider`
 * @throws {LauncherError} when none can be found or fetched
 */
async function findGaleraProvider(report) {
  const own = join('/', PROVIDER);
  if (existsSync(own)) return own;
  const root = await unpackDebianPackages({ name: 'debian-galera', packages: [['galera-4']], report });
  const unpacked = join(root, PROVIDER);
  if (!existsSync(unpacked))
    throw new LauncherError(`galera-4 was unpacked into ${root}, but ${PROVIDER} is missing.`);
  return unpacked;
}
