import { databaseRecordKey, keyRecordKey, type ChangeEntry, type JobNotification } from '@rowhouse/contracts';
import { createLogger } from '@rowhouse/runtime';
import { startRedisCluster, type RedisGroup } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChangePublisher, createChangeSubscriber } from './change-channel.js';
import { connectRedis, type RedisClient } from './redis.js';
import type { ChannelSigner } from './signed-channel.js';
import { createJobNotificationConsumer, createJobNotificationProducer } from './job-notification-queue.js';

const logger = createLogger('test', 'silent');
const signer: ChannelSigner = {
  sign: (_channel, text) => text,
  open: (_channel, text) => ({ kind: 'signed', text }),
};
const CELLS = ['c1', 'c2', 'c3'];

describe('a Redis Cluster of three masters', () => {
  let group: RedisGroup;
  const clients: RedisClient[] = [];
  beforeAll(async () => {
    group = await startRedisCluster({ masters: 3 });
  }, 60_000);
  afterAll(async () => {
    clients.forEach((client) => client.disconnect());
    await group.stop();
  });

  const connect = async (): Promise<RedisClient> => {
    const client = connectRedis(group.url, 'test');
    clients.push(client);
    await expect.poll(() => client.status).toBe('ready');
    return client;
  };

  it('job notifications of cells on different Redis Cluster nodes are delivered', async () => {
    const owners = new Set(
      await Promise.all(
        CELLS.map(async (cellId) => (await group.findPrimary(keyRecordKey(cellId, 'a'))).url),
      ),
    );
    expect(owners.size).toBeGreaterThan(1);
    for (const cellId of CELLS) {
      const seen: JobNotification[] = [];
      const producer = createJobNotificationProducer({ redisUrl: group.url, cellId, logger });
      const consumer = createJobNotificationConsumer({
        redisUrl: group.url,
        cellId,
        concurrency: 1,
        logger,
        handle: (job) => void seen.push(job),
      });
      const job: JobNotification = { kind: 'task', id: `tsk_${cellId}`, attempt: 0 };
      await expect
        .poll(
          async () => {
            await producer.notify(job);
            return seen.length;
          },
          { timeout: 10_000 },
        )
        .toBeGreaterThan(0);
      expect(seen[0]).toEqual(job);
      await Promise.all([consumer.close(), producer.close()]);
    }
  }, 60_000);

  it('a published change deletes its keys and reaches every listener, whatever its Redis node', async () => {
    const redis = await connect();
    const received: ChangeEntry[][] = [[], [], []];
    const subscribers = received.map((list) =>
      createChangeSubscriber({
        redisUrl: group.url,
        cellId: 'c1',
        signer,
        onEntry: (entry) => list.push(entry),
        onGap: () => undefined,
        onIgnored: () => undefined,
      }),
    );
    const publisher = createChangePublisher({ redisUrl: group.url, cellId: 'c1', signer });
    const entry: ChangeEntry = { seq: 3, database_id: 'db_1', kind: 'key', version: 0 };
    const stale = [keyRecordKey('c1', 'aa'), keyRecordKey('c1', 'bb'), databaseRecordKey('c1', 'db_1')];
    for (const key of stale) await redis.set(key, 'old');
    await expect
      .poll(
        async () => {
          await publisher.announce(entry, stale);
          return received.every((list) => list.length > 0);
        },
        { timeout: 10_000 },
      )
      .toBe(true);
    expect(await redis.mget(...stale)).toEqual([null, null, null]);
    await Promise.all([
      publisher.close(),
      ...subscribers.map((changeSubscriber) => changeSubscriber.close()),
    ]);
  }, 30_000);

  it('Redis commands of a cell fail while its cluster node is down and succeed afterwards', async () => {
    const redis = await connect();
    const key = keyRecordKey('c2', 'aa');
    const owner = await group.findPrimary(key);
    await redis.set(key, 'kept');
    await owner.kill();
    await expect(redis.get(key)).rejects.toThrow();
    await owner.start();
    await expect.poll(() => redis.set(key, 'anew').catch(() => null), { timeout: 20_000 }).toBe('OK');
  }, 60_000);
});
