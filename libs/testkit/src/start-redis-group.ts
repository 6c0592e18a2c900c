import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createTerminalReport } from '@rowhouse/local/report';
import { startRedisCluster as startCluster, type RedisGroup } from '@rowhouse/local/start-redis-group';
import { chooseFastFolder } from '@rowhouse/local/start-test-servers';

export type { GroupMember, RedisGroup } from '@rowhouse/local/start-redis-group';

/** A Redis Cluster of its own on loopback; its folder goes with it. */
export async function startRedisCluster(options: { readonly masters?: number; readonly replicas?: 0 | 1 } = {}): Promise<RedisGroup> {
  const homeDir = mkdtempSync(join(chooseFastFolder(), 'rowhouse-redis-'));
  const forget = (): void => rmSync(homeDir, { recursive: true, force: true });
  const group = await startCluster({ homeDir, report: createTerminalReport(), ...options }).catch((error: unknown) => {
    forget();
    throw error;
  });
  return { ...group, stop: () => group.stop().finally(forget) };
}
