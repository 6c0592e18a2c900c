import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createTerminalReport } from '@rowhouse/local/report';
import { startRedisCluster as startCluster } from '@rowhouse/local/start-redis-group';
import { chooseFastFolder } from '@rowhouse/local/start-test-servers';

/** One server of several that stand in for each other. */
export interface RedisMember {
  readonly url: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface RedisGroup {
  /** As `REDIS_URL` has it. */
  readonly url: string;
  /** Who holds the key and takes writes now. */
  findPrimary(key: string): Promise<RedisMember>;
  stop(): Promise<void>;
}

/** A Redis Cluster of its own on loopback; its folder goes with it. */
export async function startRedisCluster(options: { readonly masters?: number; readonly replicas?: 0 | 1 } = {}): Promise<RedisGroup> {
  const homeDir = mkdtempSync(join(chooseFastFolder(), 'rowhouse-redis-'));
  const forget = (): void => rmSync(homeDir, { recursive: true, force: true });
  const starting = startCluster({ homeDir, report: createTerminalReport(), ...options }) as Promise<RedisGroup>;
  const group = await starting.catch((error: unknown) => {
    forget();
    throw error;
  });
  return { ...group, stop: () => group.stop().finally(forget) };
}
