import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createTerminalReport } from '@rowhouse/local/report';
import { startRedisCluster as startCluster } from '@rowhouse/local/start-redis-group';
import { chooseFastFolder } from '@rowhouse/local/start-test-servers';

/** One server of a group with failover. */
export interface RedisMember {
  readonly url: string;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface RedisGroup {
  /** The value for `REDIS_URL`. */
  readonly url: string;
  /** Returns the server that holds the key and accepts writes. */
  findPrimary(key: string): Promise<RedisMember>;
  stop(): Promise<void>;
}

/** Starts a private Redis Cluster on loopback. Its folder is deleted with it. */
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
