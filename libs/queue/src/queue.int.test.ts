import { changeChannel, wakeJobId, type ChangeEntry, type WakeJob } from '@rowhouse/contracts';
import { createLogger } from '@rowhouse/runtime';
import { getTestServers, makeUniqueName } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChangePublisher, createChangeSubscriber } from './change-channel.js';
import { connectRedis } from './redis.js';
import { createWakeConsumer, createWakeProducer } from './wake-queue.js';

const logger = createLogger('test', 'silent');
const nowhere = 'redis://127.0.0.1:1';
let redisUrl: string;
const cellId = makeUniqueName('c', 12);
const redis: ReturnType<typeof connectRedis>[] = [];

beforeAll(async () => {
  redisUrl = getTestServers().redisUrl;
  const connection = connectRedis(redisUrl, 'test');
  redis.push(connection);
  await new Promise((resolve) => {
    connection.once('ready', resolve);
  });
});
afterAll(() => redis.forEach((connection) => connection.disconnect()));

describe('the wake-up queue', () => {
  it('hands each wake-up to a consumer once, again for the next attempt, past a handler that throws', async () => {
    const seen: string[] = [];
    const handle = async (job: WakeJob): Promise<void> => {
      seen.push(wakeJobId(job));
      if (job.id === 'tsk_a') throw new Error('broken');
    };
    const producer = createWakeProducer({ redisUrl, cellId, logger });
    const consumer = createWakeConsumer({ redisUrl, cellId, concurrency: 2, logger, handle });
    await producer.wake({ kind: 'task', id: 'tsk_a', attempt: 0 });
    await producer.wake({ kind: 'migration', id: 'mig_b', attempt: 0 });
    await expect.poll(() => [...seen].sort()).toEqual(['mig_b_0', 'tsk_a_0']);
    await producer.wake({ kind: 'migration', id: 'mig_b', attempt: 1 });
    await expect.poll(() => seen).toContain('mig_b_1');
    // Ended jobs leave nothing behind, so that the same wake-up can be sent again after a flush or a restart.
    await expect.poll(async () => (await redis[0]?.keys(`{${cellId}}:bull:wake:*_0`)) ?? []).toEqual([]);
    await consumer.close();
    await producer.close();
  });
  it('keeps cells apart', async () => {
    const seen: string[] = [];
    const consumer = createWakeConsumer({ redisUrl, cellId: `${cellId}x`, concurrency: 1, logger, handle: async (job) => void seen.push(job.id) });
    const other = createWakeProducer({ redisUrl, cellId, logger });
    const own = createWakeProducer({ redisUrl, cellId: `${cellId}x`, logger });
    await other.wake({ kind: 'task', id: 'tsk_other', attempt: 0 });
    await own.wake({ kind: 'task', id: 'tsk_own', attempt: 0 });
    await expect.poll(() => seen).toEqual(['tsk_own']);
    await Promise.all([consumer.close(), other.close(), own.close()]);
  });
  it('does not throw while Redis is away', async () => {
    const producer = createWakeProducer({ redisUrl: nowhere, cellId, logger });
    await expect(producer.wake({ kind: 'task', id: 'tsk_a', attempt: 0 })).resolves.toBeUndefined();
    await producer.close();
  });
});

describe('the change channel', () => {
  const entry: ChangeEntry = { seq: 7, database_id: 'db_1', kind: 'key', version: 0 };

  it('deletes stale copies, then tells every subscriber; each is told of its gaps first', async () => {
    const heard: ChangeEntry[] = [];
    const detected: string[] = [];
    let gaps = 0;
    const subscriber = createChangeSubscriber({
      redisUrl, cellId, onEntry: (one) => heard.push(one), onDetect: (id) => detected.push(id), onGap: () => (gaps += 1),
    });
    await expect.poll(() => gaps).toBe(1);
    const publisher = createChangePublisher({ redisUrl, cellId });
    await redis[0]?.set(`{${cellId}}:key:aa`, 'stale');
    await expect.poll(async () => {
      await publisher.announce(entry, [`{${cellId}}:key:aa`]);
      return heard.length;
    }).toBeGreaterThan(0);
    expect(heard[0]).toEqual(entry);
    expect(await redis[0]?.get(`{${cellId}}:key:aa`)).toBeNull();
    await publisher.requestDetection('db_2');
    await expect.poll(() => detected).toEqual(['db_2']);
    await publisher.close();
    await subscriber.close();
  });
  it('passes over messages that are no JSON objects', async () => {
    const heard: ChangeEntry[] = [];
    let gaps = 0;
    const subscriber = createChangeSubscriber({ redisUrl, cellId, onEntry: (one) => heard.push(one), onGap: () => (gaps += 1) });
    await expect.poll(() => gaps).toBe(1);
    for (const text of ['not json', 'null', '3', JSON.stringify(entry)]) await redis[0]?.publish(`{${cellId}}:changes`, text);
    await expect.poll(() => heard).toEqual([entry]);
    await subscriber.close();
  });
  it('does not throw while Redis is away', async () => {
    const publisher = createChangePublisher({ redisUrl: nowhere, cellId });
    await expect(publisher.announce(entry, ['x'])).resolves.toBeUndefined();
    await expect(publisher.requestDetection('db_1')).resolves.toBeUndefined();
    await publisher.close();
  });
  it('tells the subscriber of a gap again after its connection was cut', async () => {
    let gaps = 0;
    const gapCell = `${cellId}g`;
    const subscriber = createChangeSubscriber({ redisUrl, cellId: gapCell, onEntry: () => undefined, onGap: () => (gaps += 1) });
    await expect.poll(() => gaps).toBe(1);
    const list = String(await redis[0]?.client('LIST'));
    // Only this subscriber: other test files share the Redis, and the cell is in the connection's name.
    const own = list.split('\n').find((line) => line.includes(`name=change-subscriber-${gapCell} `));
    await redis[0]?.client('KILL', 'ID', /id=(\d+)/.exec(own ?? '')?.[1] ?? '');
    await expect.poll(() => gaps, { timeout: 5_000 }).toBe(2);
    await subscriber.close();
  });
});

describe('the change channel, when others speak on it', () => {
  it('hands on entries alone', async () => {
    const heard: ChangeEntry[] = [];
    let gaps = 0;
    const own = `${cellId}z`;
    const subscriber = createChangeSubscriber({ redisUrl, cellId: own, onEntry: (entry) => heard.push(entry), onGap: () => (gaps += 1) });
    await expect.poll(() => gaps).toBe(1);
    const good: ChangeEntry = { seq: 4, database_id: 'db_1', kind: 'key', version: 0 };
    const junk = ['junk', '{}', 'null', '[]', '{"seq":1e999}', '{"__proto__":{}}', { ...good, seq: 0 }, { ...good, seq: '4' }, { ...good, seq: 1.5 }, { ...good, version: null }, { ...good, database_id: 1 }];
    for (const message of [...junk, good]) await redis[0]?.publish(changeChannel(own), typeof message === 'string' ? message : JSON.stringify(message));
    await expect.poll(() => heard).toEqual([good]);
    await subscriber.close();
  });
});
