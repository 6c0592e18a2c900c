import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findRedis } from '@rowhouse/local/servers/find-servers';
import { openPortSource } from '@rowhouse/local/processes/free-port';
import { toKillable } from './killable.mjs';
import { sendRedisCommand } from '@rowhouse/local/servers/redis-command';
import { LauncherError } from '@rowhouse/local/report';
import { makePassword } from '@rowhouse/local/servers/start-mysql-server';
import { startRedis } from '@rowhouse/local/servers/start-redis';

/**
 * Runs several Redis servers on loopback with failover, for suites.
 * @typedef {object} GroupMember
 * @property {string} url
 * @property {() => number} pid
 * @property {() => boolean} isRunning
 * @property {() => Promise<void>} kill sends SIGKILL
 * @property {() => Promise<void>} start starts an ended server again
 * @typedef {GroupMember & {port: number, stop: () => Promise<void>}} Member
 * @typedef {object} RedisGroup
 * @property {string} url in the form of `REDIS_URL`
 * @property {readonly GroupMember[]} members the servers that hold keys
 * @property {(key: string) => Promise<GroupMember>} findPrimary returns the primary that holds the key now
 * @property {() => Promise<boolean>} isComplete whether all run and every replica has caught up with its
 *   primary, so that another server may be killed
 * @property {() => Promise<void>} stop
 */

const SLOTS = 16_384;
const READY_TIMEOUT_MS = 30_000;
/** The time after which the others consider a silent server failed. */
const SILENCE_MS = 1_000;
const PRIMARY = 'rowhouse';

/**
 * Starts a cluster of masters that share the slots, each with its replicas.
 * @param {{homeDir: string, masters?: number, replicas?: 0 | 1, report: import('@rowhouse/local/report').Report}} options
 * @returns {Promise<RedisGroup>}
 */
export async function startRedisCluster({ homeDir, masters = 3, replicas = 0, report }) {
  const group = await openGroup(homeDir, report);
  try {
    /** @type {(Member & {busPort: number})[]} */
    const nodes = [];
    for (let index = 0; index < masters * (1 + replicas); index += 1) {
      const busPort = await group.takePort();
      nodes.push({
        busPort,
        ...(await group.add(`node-${index + 1}`, [
          'cluster-enabled yes',
          `cluster-port ${busPort}`,
          `cluster-node-timeout ${SILENCE_MS}`,
          'cluster-announce-ip 127.0.0.1',
          `masterauth ${group.password}`,
        ])),
      });
    }
    const [first, ...others] = nodes;
    if (first === undefined) throw new LauncherError('A cluster needs at least one node.');
    for (const other of others)
      await sendRedisCommand(first.url, [
        'CLUSTER',
        'MEET',
        '127.0.0.1',
        String(other.port),
        String(other.busPort),
      ]);
    for (const [index, node] of nodes.slice(0, masters).entries()) {
      const [from, to] = [index, index + 1].map((item) => Math.round((item * SLOTS) / masters));
      await sendRedisCommand(node.url, ['CLUSTER', 'ADDSLOTSRANGE', String(from), String(Number(to) - 1)]);
    }
    await waitFor('all nodes know each other', async () =>
      (await Promise.all(nodes.map(({ url }) => countKnown(url)))).every((count) => count === nodes.length),
    );
    for (const [index, node] of nodes.slice(masters).entries())
      await sendRedisCommand(node.url, [
        'CLUSTER',
        'REPLICATE',
        String(await sendRedisCommand(nodes[index % masters]?.url ?? '', ['CLUSTER', 'MYID'])),
      ]);
    await waitFor('the cluster serves', async () =>
      (await Promise.all(nodes.map(({ url }) => isServing(url, replicas)))).every(Boolean),
    );
    const url = `redis+cluster://:${group.password}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
    return {
      url,
      members: group.members,
      findPrimary: (key) => group.find((member) => holdsKey(member.url, key)),
      isComplete: () => group.isComplete(masters),
      stop: () => group.stop(),
    };
  } catch (err) {
    await group.stop();
    throw err;
  }
}

/**
 * Starts one primary, two replicas, and three Sentinels that promote a replica when the primary fails.
 * @param {{homeDir: string, report: import('@rowhouse/local/report').Report}} options
 * @returns {Promise<RedisGroup>}
 */
export async function startRedisSentinels({ homeDir, report }) {
  const group = await openGroup(homeDir, report);
  try {
    const primary = await group.add('server-1', [`masterauth ${group.password}`]);
    for (const name of ['server-2', 'server-3'])
      await group.add(name, [`masterauth ${group.password}`, `replicaof 127.0.0.1 ${primary.port}`]);
    /** @type {Member[]} */
    const sentinels = [];
    for (const name of ['sentinel-1', 'sentinel-2', 'sentinel-3']) {
      sentinels.push(
        await group.watch(name, [
          `sentinel monitor ${PRIMARY} 127.0.0.1 ${primary.port} 2`,
          `sentinel auth-pass ${PRIMARY} ${group.password}`,
          `sentinel down-after-milliseconds ${PRIMARY} ${SILENCE_MS}`,
          `sentinel failover-timeout ${PRIMARY} 4000`,
          `sentinel sentinel-pass ${group.sentinelPassword}`,
        ]),
      );
    }
    await waitFor('the Sentinels know each other and the replicas', async () =>
      (await Promise.all(sentinels.map(({ url }) => readWatched(url)))).every(
        ({ sentinels: others, replicas }) => others === 2 && replicas === 2,
      ),
    );
    const url = `redis+sentinel://:${group.password}@${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${PRIMARY}?sentinel_password=${group.sentinelPassword}`;
    return {
      url,
      members: group.members,
      findPrimary: () =>
        group.find(async (member) => (await sendRedisCommand(member.url, ['ROLE']))[0] === 'master'),
      isComplete: () => group.isComplete(1),
      stop: () => group.stop(),
    };
  } catch (err) {
    await group.stop();
    throw err;
  }
}

/** @param {string} homeDir @param {import('@rowhouse/local/report').Report} report */
async function openGroup(homeDir, report) {
  const program = await findRedis(report);
  const [password, sentinelPassword] = [makePassword(), makePassword()];
  const takePort = openPortSource();
  /** @type {Member[]} */
  const members = [];
  /** @type {Member[]} */
  const watchers = [];
  const start = async (
    /** @type {string} */ name,
    /** @type {{lines: readonly string[], password: string, isSentinel: boolean}} */ how,
  ) => {
    const port = await takePort();
    const run = () =>
      startRedis({
        program,
        homeDir: join(homeDir, name),
        logFile: join(homeDir, `${name}.log`),
        port,
        ...how,
      });
    let server = await run();
    return {
      url: server.url,
      port,
      ...toKillable(() => server.child),
      async start() {
        server = await run();
      },
      stop: () => (server.child.exited ? Promise.resolve() : server.stop(2_000)),
    };
  };
  return {
    password,
    sentinelPassword,
    members,
    takePort,
    async add(/** @type {string} */ name, /** @type {readonly string[]} */ lines) {
      const member = await start(name, { lines, password, isSentinel: false });
      members.push(member);
      return member;
    },
    async watch(/** @type {string} */ name, /** @type {readonly string[]} */ lines) {
      const watcher = await start(name, { lines, password: sentinelPassword, isSentinel: true });
      watchers.push(watcher);
      return watcher;
    },
    /** @param {(member: GroupMember) => Promise<boolean>} isWanted @returns {Promise<GroupMember>} */
    async find(isWanted) {
      for (const member of members)
        if (member.isRunning() && (await isWanted(member).catch(() => false))) return member;
      throw new LauncherError('No server is the primary.');
    },
    /** @param {number} primaries */
    async isComplete(primaries) {
      const roles = await Promise.all(
        members.map(({ url }) => sendRedisCommand(url, ['ROLE']).catch(() => [])),
      );
      return (
        roles.filter(([role]) => role === 'master').length === primaries &&
        roles.every(([role, , , link]) => role === 'master' || link === 'connected')
      );
    },
    async stop() {
      await Promise.all([...watchers, ...members].map((item) => item.stop()));
    },
  };
}

/** @param {string} what @param {() => Promise<boolean>} isSo */
async function waitFor(what, isSo) {
  const deadlineMs = Date.now() + READY_TIMEOUT_MS;
  while (!(await isSo().catch(() => false))) {
    if (Date.now() > deadlineMs)
      throw new LauncherError(`Redis: not within ${READY_TIMEOUT_MS / 1_000} s: ${what}.`);
    await sleep(50);
  }
}

/**
 * @param {string} url
 * @returns {Promise<string[]>} a line for each node that the server knows
 */
async function listNodes(url) {
  return String(await sendRedisCommand(url, ['CLUSTER', 'NODES']))
    .trim()
    .split('\n');
}

/** @param {string} url */
async function countKnown(url) {
  return (await listNodes(url)).filter((line) => !line.includes('handshake')).length;
}

/**
 * @param {string} url
 * @param {number} replicas the number of replicas of each master
 */
async function isServing(url, replicas) {
  const lines = await listNodes(url);
  const [masters, others] = ['master', 'slave'].map(
    (role) => lines.filter((line) => line.includes(role) && line.includes(' connected')).length,
  );
  return (
    /cluster_state:ok/.test(String(await sendRedisCommand(url, ['CLUSTER', 'INFO']))) &&
    others === Number(masters) * replicas
  );
}

/** @param {string} url @param {string} key */
async function holdsKey(url, key) {
  // A server that does not hold the key replies with the address of the one that does.
  await sendRedisCommand(url, ['EXISTS', key]);
  return (await sendRedisCommand(url, ['ROLE']))[0] === 'master';
}

/** @param {string} url */
async function readWatched(url) {
  const answer = /** @type {string[]} */ (await sendRedisCommand(url, ['SENTINEL', 'MASTER', PRIMARY]));
  const read = (/** @type {string} */ name) => Number(answer[answer.indexOf(name) + 1]);
  return { sentinels: read('num-other-sentinels'), replicas: read('num-slaves') };
}
