import {
  changeChannel,
  detectChannel,
  queuePrefix,
  rateChannel,
  WAKE_QUEUE,
  jobNotificationId,
  type ChangeEntry,
  type RateReport,
  type JobNotification,
} from '@rowhouse/contracts';
import { createLogger, createMetrics } from '@rowhouse/runtime';
import { getTestServers, makeUniqueName } from '@rowhouse/testkit';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createChangePublisher,
  createChangeSubscriber,
  type ChangeSubscriberOptions,
} from './change-channel.js';
import { countIgnored } from './signed-channel.js';
import { createRateChannel } from './rate-channel.js';
import { connectRedis } from './redis.js';
import type { ChannelSigner, IgnoredReason } from './signed-channel.js';
import { createJobNotificationConsumer, createJobNotificationProducer } from './job-notification-queue.js';

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

describe('the job notification queue', () => {
  it('a job notification reaches one consumer once per attempt, even if a handler throws', async () => {
    const seen: string[] = [];
    const handle = (job: JobNotification): void => {
      seen.push(jobNotificationId(job));
      if (job.id === 'tsk_a') throw new Error('broken');
    };
    const producer = createJobNotificationProducer({ redisUrl, cellId, logger });
    const consumer = createJobNotificationConsumer({ redisUrl, cellId, concurrency: 2, logger, handle });
    await producer.notify({ kind: 'task', id: 'tsk_a', attempt: 0 });
    await producer.notify({ kind: 'migration', id: 'mig_b', attempt: 0 });
    await expect.poll(() => [...seen].sort()).toEqual(['mig_b_0', 'tsk_a_0']);
    await producer.notify({ kind: 'migration', id: 'mig_b', attempt: 1 });
    await expect.poll(() => seen).toContain('mig_b_1');
    // Completed jobs leave no key in Redis, so the same notification can be sent again after a flush or a
    // restart.
    await expect.poll(async () => (await redis[0]?.keys(`{${cellId}}:bull:wake:*_0`)) ?? []).toEqual([]);
    await consumer.close();
    await producer.close();
  });
  it('a consumer gets only job notifications of its own cell', async () => {
    const seen: string[] = [];
    const consumer = createJobNotificationConsumer({
      redisUrl,
      cellId: `${cellId}x`,
      concurrency: 1,
      logger,
      handle: (job) => void seen.push(job.id),
    });
    const other = createJobNotificationProducer({ redisUrl, cellId, logger });
    const own = createJobNotificationProducer({ redisUrl, cellId: `${cellId}x`, logger });
    await other.notify({ kind: 'task', id: 'tsk_other', attempt: 0 });
    await own.notify({ kind: 'task', id: 'tsk_own', attempt: 0 });
    await expect.poll(() => seen).toEqual(['tsk_own']);
    await Promise.all([consumer.close(), other.close(), own.close()]);
  });
  it('a job notification without a row id is ignored', async () => {
    const own = `${cellId}j`;
    const seen: unknown[] = [];
    const queue = new Queue(WAKE_QUEUE, { prefix: queuePrefix(own), connection: { url: redisUrl } });
    for (const data of [
      null,
      {},
      { kind: 'task', id: { id: 1 }, attempt: 0 },
      { kind: 'other', id: 'tsk_a', attempt: 0 },
      { kind: 'task', id: 'tsk_good', attempt: 0 },
    ])
      await queue.add('x', data);
    const consumer = createJobNotificationConsumer({
      redisUrl,
      cellId: own,
      concurrency: 1,
      logger,
      handle: (job) => void seen.push(job),
    });
    await expect.poll(() => seen).toEqual([{ kind: 'task', id: 'tsk_good', attempt: 0 }]);
    await Promise.all([consumer.close(), queue.close()]);
  });
  it('a producer of job notifications does not throw while Redis is down', async () => {
    const producer = createJobNotificationProducer({ redisUrl: nowhere, cellId, logger });
    await expect(producer.notify({ kind: 'task', id: 'tsk_a', attempt: 0 })).resolves.toBeUndefined();
    await producer.close();
  });
});

/** A signer with a signature that a test can write by hand. */
const signer: ChannelSigner = {
  sign: (channel, text) => `${channel}|${text}`,
  open: (channel, message) =>
    message.startsWith(`${channel}|`)
      ? { kind: 'signed', text: message.slice(channel.length + 1) }
      : { kind: 'forged' },
};

/** Returns a connected subscriber with a cell of its own, and the messages that it has received. */
async function listen(
  ownCell: string,
  options: Partial<ChangeSubscriberOptions> = {},
): Promise<{
  received: ChangeEntry[];
  detected: string[];
  ignored: IgnoredReason[];
  gaps: () => number;
  close: () => Promise<void>;
}> {
  const [received, detected, ignored]: [ChangeEntry[], string[], IgnoredReason[]] = [[], [], []];
  let gaps = 0;
  const subscriber = createChangeSubscriber({
    redisUrl,
    cellId: ownCell,
    signer,
    onEntry: (changeEntry) => received.push(changeEntry),
    onDetect: (id) => detected.push(id),
    onGap: () => (gaps += 1),
    onIgnored: (reason) => ignored.push(reason),
    ...options,
  });
  await expect.poll(() => gaps).toBe(1);
  return { received, detected, ignored, gaps: () => gaps, close: () => subscriber.close() };
}

describe('the change channel', () => {
  const entry: ChangeEntry = { seq: 7, database_id: 'db_1', kind: 'key', version: 0 };

  it('publishing a change deletes stale cache records before subscribers get the entry', async () => {
    const listener = await listen(cellId);
    const publisher = createChangePublisher({ redisUrl, cellId, signer });
    await redis[0]?.set(`{${cellId}}:key:aa`, 'stale');
    await expect
      .poll(async () => {
        await publisher.announce(entry, [`{${cellId}}:key:aa`]);
        return listener.received.length;
      })
      .toBeGreaterThan(0);
    expect(listener.received[0]).toEqual(entry);
    expect(await redis[0]?.get(`{${cellId}}:key:aa`)).toBeNull();
    await publisher.requestDetection('db_2');
    await expect.poll(() => listener.detected).toEqual(['db_2']);
    expect(listener.ignored).toEqual([]);
    await publisher.close();
    await listener.close();
  });

  it('a publisher of changes does not throw while Redis is down', async () => {
    const publisher = createChangePublisher({ redisUrl: nowhere, cellId, signer });
    await expect(publisher.announce(entry, ['x'])).resolves.toBeUndefined();
    await expect(publisher.requestDetection('db_1')).resolves.toBeUndefined();
    await publisher.close();
  });

  it('a change subscriber is notified of a gap after its connection was cut', async () => {
    const gapCell = `${cellId}g`;
    const listener = await listen(gapCell);
    const list = String(await redis[0]?.client('LIST'));
    // The test disconnects only this subscriber, because other test files use the same Redis server. The name
    // of the connection contains the cell.
    const own = list.split('\n').find((line) => line.includes(`name=change-subscriber-${gapCell} `));
    await redis[0]?.client('KILL', 'ID', /id=(\d+)/.exec(own ?? '')?.[1] ?? '');
    await expect.poll(() => listener.gaps(), { timeout: 5_000 }).toBe(2);
    await listener.close();
  });

  it('a rejected subscription to changes is repeated on the open connection', async () => {
    const own = `${cellId}a`;
    const user = makeUniqueName('u', 12);
    const acl = async (...words: readonly string[]): Promise<unknown> => redis[0]?.call('ACL', ...words);
    await acl('SETUSER', user, 'on', '>pw', '~*', '+@all', 'resetchannels');
    const address = new URL(redisUrl);
    [address.username, address.password] = [user, 'pw'];
    const received: ChangeEntry[] = [];
    const subscriber = createChangeSubscriber({
      redisUrl: String(address),
      cellId: own,
      signer,
      onEntry: (changeEntry) => received.push(changeEntry),
      onGap: () => undefined,
      onIgnored: () => undefined,
    });
    await expect.poll(async () => String(await acl('LOG'))).toContain(user);
    await acl('SETUSER', user, 'allchannels');
    const channel = changeChannel(own);
    await expect
      .poll(
        async () => {
          await redis[0]?.publish(channel, signer.sign(channel, JSON.stringify(entry)));
          return received.length;
        },
        { timeout: 5_000 },
      )
      .toBeGreaterThan(0);
    await subscriber.close();
    await acl('DELUSER', user);
  });

  it('change messages without a valid signature are ignored and counted', async () => {
    const own = `${cellId}s`;
    const registry = createMetrics('test');
    const count = countIgnored(registry);
    const listener = await listen(own, { onIgnored: count });
    const [changes, detect] = [changeChannel(own), detectChannel(own)];
    await redis[0]?.publish(changes, JSON.stringify(entry));
    await redis[0]?.publish(changes, signer.sign(detect, JSON.stringify(entry)));
    await redis[0]?.publish(changes, signer.sign(changeChannel(cellId), JSON.stringify(entry)));
    await redis[0]?.publish(detect, '{"database_id":"db_1"}');
    await redis[0]?.publish(detect, signer.sign(detect, '{"database_id":"db_9"}'));
    await expect.poll(() => listener.detected).toEqual(['db_9']);
    expect(listener.received).toEqual([]);
    expect(await registry.metrics()).toContain(
      'change_messages_ignored_total{reason="forged",service="test"} 4',
    );
    await listener.close();
  });

  it('malformed change messages are ignored even with a valid signature', async () => {
    const own = `${cellId}z`;
    const listener = await listen(own);
    const good: ChangeEntry = { seq: 4, database_id: 'db_1', kind: 'key', version: 0 };
    const junk = [
      'junk',
      '{}',
      'null',
      '3',
      '[]',
      '{"seq":1e999}',
      '{"__proto__":{}}',
      { ...good, seq: 0 },
      { ...good, seq: '4' },
      { ...good, seq: 1.5 },
      { ...good, version: null },
      { ...good, database_id: 1 },
    ];
    const publish = async (channel: string, message: unknown): Promise<void> => {
      await redis[0]?.publish(
        channel,
        signer.sign(channel, typeof message === 'string' ? message : JSON.stringify(message)),
      );
    };
    for (const message of [...junk, good]) await publish(changeChannel(own), message);
    for (const message of ['null', '{}', { database_id: { a: 1 } }, { database_id: 'db_1' }])
      await publish(detectChannel(own), message);
    await expect.poll(() => listener.detected).toEqual(['db_1']);
    expect(listener.received).toEqual([good]);
    expect(listener.ignored).toEqual(Array.from({ length: junk.length + 3 }, () => 'malformed'));
    await listener.close();
  });
});

describe('the rate channel', () => {
  const report: RateReport = { gateway_id: 'gw_1', epoch: 1, seq: 2, rates: [['key_1', 3, 2]] };

  it('a rate report reaches every gateway, and malformed rate reports are dropped', async () => {
    const own = `${cellId}r`;
    const received: RateReport[] = [];
    const ignored: IgnoredReason[] = [];
    const channel = createRateChannel({
      redisUrl,
      cellId: own,
      signer,
      onReport: (rateReport) => received.push(rateReport),
      onIgnored: (reason) => ignored.push(reason),
    });
    await expect
      .poll(() => {
        channel.publish(report);
        return received.length;
      })
      .toBeGreaterThan(0);
    expect(received[0]).toEqual(report);
    const name = rateChannel(own);
    const junk = [
      { ...report, rates: [['key_1', -1, 0]] },
      { ...report, rates: [['key_1', 1]] },
      { ...report, rates: { length: 1 } },
      { ...report, epoch: 'x' },
      {},
    ];
    for (const message of junk) await redis[0]?.publish(name, signer.sign(name, JSON.stringify(message)));
    await redis[0]?.publish(name, JSON.stringify(report));
    await expect.poll(() => [...ignored]).toEqual([...junk.map(() => 'malformed'), 'forged']);
    await channel.close();
  });
  it('publishing rates does not throw while Redis is down', async () => {
    const channel = createRateChannel({
      redisUrl: nowhere,
      cellId,
      signer,
      onReport: () => undefined,
      onIgnored: () => undefined,
    });
    expect(() => channel.publish(report)).not.toThrow();
    await channel.close();
  });
});
