import { queuePrefix, WAKE_QUEUE } from '@rowhouse/contracts';
import { QueueKeys } from 'bullmq';
import { Cluster, Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { connectRedis, openRedis, type RedisClient } from './redis.js';

const clients: RedisClient[] = [];
const open = (url: string): RedisClient => {
  const client = connectRedis(url, 'test');
  clients.push(client);
  return client;
};
afterEach(() => clients.splice(0).forEach((client) => client.disconnect()));

describe('connectRedis', () => {
  it('connectRedis asks Sentinels for the primary with their own password', () => {
    const client = open('redis+sentinel://app:pw@127.0.0.1:1,127.0.0.1:2/main?db=2&sentinel_password=watch');
    expect(client).toBeInstanceOf(Redis);
    expect(client.options).toMatchObject({
      sentinels: [
        { host: '127.0.0.1', port: 1 },
        { host: '127.0.0.1', port: 2 },
      ],
      name: 'main',
      db: 2,
      username: 'app',
      password: 'pw',
      sentinelPassword: 'watch',
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
    });
  });
  it('connectRedis opens a cluster from its nodes with one login', () => {
    const client = open('rediss+cluster://:pw@127.0.0.1:1,127.0.0.1:2');
    expect(client).toBeInstanceOf(Cluster);
    expect((client as Cluster).options).toMatchObject({
      enableOfflineQueue: false,
      redisOptions: { password: 'pw', tls: {}, maxRetriesPerRequest: 0, connectionName: 'test' },
    });
  });
  it('connectRedis passes the address of a single server on unchanged', () => {
    expect(open('redis://:pw@127.0.0.1:1/3').options).toMatchObject({
      host: '127.0.0.1',
      port: 1,
      db: 3,
      password: 'pw',
      enableOfflineQueue: false,
    });
  });
  it('connectRedis rejects an address of another form', () => {
    expect(() => openRedis('http://127.0.0.1', { retriesMax: 0, isQueuing: false })).toThrow(
      'does not have a supported form',
    );
  });
});

describe('the job notification queue', () => {
  it("all keys of the job notification queue are in the cell's hash slot", () => {
    const keys = Object.values(new QueueKeys(queuePrefix('c7')).getKeys(WAKE_QUEUE));
    expect(keys.length).toBeGreaterThan(8);
    for (const key of keys) expect(key).toMatch(/^\{c7\}:/);
  });
});
