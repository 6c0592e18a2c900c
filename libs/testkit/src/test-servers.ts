import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createTerminalReport } from '@rowhouse/local/report';
import { startRedisCluster as startCluster } from '@rowhouse/test-servers/start-redis-group';
import {
  chooseFastFolder,
  startOtherEngine,
  type TestMysql,
  type TestServers,
} from '@rowhouse/test-servers/start-test-servers';

/** One of several Redis servers with failover. */
export interface RedisMember {
  readonly url: string;
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface RedisGroup {
  /** The value for `REDIS_URL`. */
  readonly url: string;
  /** Returns the server that stores the key and accepts writes. */
  findPrimary(key: string): Promise<RedisMember>;
  stop(): Promise<void>;
}

export interface OtherServer {
  readonly mysql: TestMysql;
  stop(): Promise<void>;
}

const INHERITED = ['PATH', 'NODE_COMPILE_CACHE'];

export type { TestMysql, TestServers };

/**
 * The result is cached, so that each server is always the same object. Test suites compare servers by
 * identity.
 */
let read: { readonly text: string; readonly servers: TestServers } | undefined;

/**
 * Returns the servers of this test run. Before test files are loaded, the global setup of the integration
 * suite starts them, or uses those in `TEST_MYSQL_URL` and `TEST_REDIS_URL`.
 *
 * @throws Error outside a run of the integration suite
 */
export function getTestServers(): TestServers {
  const text = process.env['ROWHOUSE_TEST_SERVERS'];
  if (text !== undefined && text === read?.text) return read.servers;
  if (text === undefined) {
    throw new Error('No test servers: run this file with --config infra/checks/vitest.int.config.mjs');
  }
  read = { text, servers: JSON.parse(text) as TestServers };
  return read.servers;
}

/**
 * Returns the environment variables that a process of the product inherits from the test suite: the paths of
 * programs and the compile cache. All other variables are passed by name, so that the shell of a developer
 * cannot affect what is tested.
 */
export function inheritEnvironment(): Record<string, string> {
  return Object.fromEntries(INHERITED.map((name) => [name, process.env[name] ?? '']));
}

/** Starts another server of the same engine for this test only, for tests that move data between servers. */
export function startOtherServer(like: Pick<TestMysql, 'engine'>): Promise<OtherServer> {
  return startOtherEngine(like.engine, createTerminalReport()) as Promise<OtherServer>;
}

/**
 * Reports whether the complete test matrix runs: each suite on each engine, and with each kill and each
 * value. `TEST_MATRIX=whole` (`pnpm test:long matrix`) selects it. `pnpm test` runs a representative subset.
 */
export function isWholeMatrix(): boolean {
  return process.env['TEST_MATRIX'] === 'whole';
}

/**
 * Returns the engine for suites whose result does not depend on the engine, which is the first engine of the
 * run. Suites about SQL, types, DDL, accounts or server errors must use `getTestServers().engines`.
 */
export function listEnginesOnce(): TestServers['engines'] {
  const { engines } = getTestServers();
  return isWholeMatrix() ? engines : engines.slice(0, 1);
}

/** Starts a Redis Cluster on loopback for this test only. Its folder is deleted with it. */
export async function startRedisCluster(
  options: { readonly masters?: number; readonly replicas?: 0 | 1 } = {},
): Promise<RedisGroup> {
  const homeDir = mkdtempSync(join(chooseFastFolder(), 'rowhouse-redis-'));
  const forget = (): void => rmSync(homeDir, { recursive: true, force: true });
  const starting = startCluster({
    homeDir,
    report: createTerminalReport(),
    ...options,
  }) as Promise<RedisGroup>;
  const group = await starting.catch((error: unknown) => {
    forget();
    throw error;
  });
  return { ...group, stop: () => group.stop().finally(forget) };
}
