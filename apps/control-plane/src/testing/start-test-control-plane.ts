import { randomBytes } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createMessageSigner, generateEnvelopeKeys } from '@rowhouse/credentials';
import { connectRedis, createChangePublisher } from '@rowhouse/queue';
import { createJobNotificationProducer } from '@rowhouse/queue/job-notifications';
import { createHeadClock, createLogger, createMetrics } from '@rowhouse/runtime';
import { createTestDatabase, getTestServers, makeUniqueName, type TestDatabase } from '@rowhouse/testkit';
import type { DataSource } from 'typeorm';
import type { Resources } from '../app-module.js';
import { readControlPlaneConfig, type Config } from '../config.js';
import { createApp } from '../create-app.js';
import {
  createCellDataSource,
  createGlobalDataSource,
  SERVING_BOUNDS,
  type PlatformBounds,
} from '../platform-db/data-sources.js';
import { writeCellRows } from '../platform-db/installation.js';
import { PlatformDb } from '../platform-db/platform-db.js';
import { registerServer } from '../modules/admin/server-registry.js';
import { Secrets } from '../platform/secrets.js';
import { TaskRunner } from '../platform/task-runner.js';
import { startScriptedWorker, type ScriptedWorker } from './scripted-worker.js';

export interface TestControlPlane {
  readonly app: NestFastifyApplication;
  readonly config: Config;
  readonly env: Readonly<Record<string, string>>;
  readonly resources: Resources;
  readonly db: PlatformDb;
  readonly worker: ScriptedWorker;
  readonly serverPrivateKey: string;
  readonly redisUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts a control plane with its own cell on the servers of the test run, a scripted worker, and one
 * registered server. `platformPort` selects another port of the platform database, and `headMsMax` is the
 * time limit of request heads in milliseconds.
 */
export async function startTestControlPlane(
  overrides: Readonly<Record<string, string>> = {},
  platformPort?: number,
  headMsMax?: number,
): Promise<TestControlPlane> {
  const { databases, env, serverPrivateKey } = await prepareInstallation(overrides, platformPort);
  const config = readControlPlaneConfig(env);
  const globalDb = await openMigrated(createGlobalDataSource, config.globalUrl.reveal());
  const cellDb = await openMigrated(createCellDataSource, config.cellUrl.reveal());
  await writeCellRows(globalDb, cellDb, config.cellId);
  const db = new PlatformDb(globalDb, cellDb, config.cellId);
  const logger = createLogger('test', 'silent');
  const redisUrl = config.redisUrl.reveal();
  const redis = connectRedis(redisUrl, 'test');
  await new Promise((resolve) => {
    redis.once('ready', resolve);
  });
  const changePublisher = createChangePublisher({
    redisUrl,
    cellId: config.cellId,
    signer: createMessageSigner([Buffer.from(config.masterKey.reveal(), 'base64url')]),
  });
  const notificationProducer = createJobNotificationProducer({ redisUrl, cellId: config.cellId, logger });
  const resources: Resources = {
    config,
    logger,
    registry: createMetrics('test'),
    db,
    redis,
    changePublisher,
    notificationProducer,
  };
  const worker = startScriptedWorker(db);
  const app = await createApp(resources, createHeadClock(headMsMax));
  const address = { user: 'p', password: 'secret-of-the-provisioner' };
  await registerServer(
    { db, secrets: new Secrets(config), tasks: new TaskRunner(db, notificationProducer) },
    {
      name: 'first',
      host: '127.0.0.1',
      port: 3306,
      public_host: 'db.example.test',
      public_port: 3307,
      provisioner: address,
      observer: { user: 'o', password: 'x' },
    },
  );
  return {
    app,
    config,
    env,
    resources,
    db,
    worker,
    serverPrivateKey,
    redisUrl,
    stop: async () => {
      await app.close();
      await worker.stop();
      redis.disconnect();
      await Promise.allSettled([
        changePublisher.close(),
        notificationProducer.close(),
        globalDb.destroy(),
        cellDb.destroy(),
      ]);
      for (const database of databases) await database.drop();
    },
  };
}

/** Creates two empty databases. Returns the environment variables that name them. */
export async function prepareInstallation(
  overrides: Readonly<Record<string, string>> = {},
  platformPort?: number,
): Promise<{ databases: TestDatabase[]; env: Record<string, string>; serverPrivateKey: string }> {
  const servers = getTestServers();
  const engine = servers.engines[0];
  if (engine === undefined) throw new Error('the run has no MySQL-type server');
  const databases = [await createTestDatabase(engine, 'cpg'), await createTestDatabase(engine, 'cpc')];
  const toUrl = ({ name, host, port, user, password }: TestDatabase): string =>
    `mysql://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}:${platformPort ?? port}/${name}`;
  const { publicKey, privateKey } = generateEnvelopeKeys();
  const env = {
    ROWHOUSE_CELL: makeUniqueName('c', 12),
    PLATFORM_GLOBAL_URL: toUrl(databases[0] as TestDatabase),
    PLATFORM_CELL_URL: toUrl(databases[1] as TestDatabase),
    REDIS_URL: servers.redisUrl,
    ROWHOUSE_MASTER_KEY: randomBytes(32).toString('base64url'),
    ROWHOUSE_PEPPER: randomBytes(32).toString('base64url'),
    ROWHOUSE_SERVER_PUBLIC_KEY: publicKey,
    CONTROL_PUBLIC_URL: 'http://127.0.0.1:9',
    GATEWAY_PUBLIC_URL: 'http://127.0.0.1:8/',
    ROWHOUSE_REGION: 'Frankfurt',
    ROWHOUSE_ENV: 'test',
    ...overrides,
  };
  return { databases, env, serverPrivateKey: privateKey };
}

async function openMigrated(
  create: (url: string, bounds?: PlatformBounds) => Promise<DataSource>,
  url: string,
): Promise<DataSource> {
  const source = await (await create(url)).initialize();
  await source.runMigrations({ transaction: 'none' });
  await source.destroy();
  return (await create(url, SERVING_BOUNDS)).initialize();
}
