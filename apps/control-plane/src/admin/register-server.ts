import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  createServerRequest,
  isPlatformAddress,
  isRedisAddress,
  type CreateServerRequest,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { createJobNotificationProducer } from '@rowhouse/queue/job-notifications';
import { cellName, createLogger, keyMaterial, readConfig, urlSecret } from '@rowhouse/runtime';
import { z } from 'zod';
import { registerServer } from '../modules/admin/server-registry.js';
import { createCellDataSource } from '../platform-db/data-sources.js';
import { PlatformDb } from '../platform-db/platform-db.js';
import { Secrets } from '../platform/secrets.js';
import { TaskRunner } from '../platform/task-runner.js';

/**
 * Entry point of `node dist/admin/register-server.js --file <json>`. Adds or updates a database server by
 * name.
 */
const registerSchema = z.object({
  ROWHOUSE_CELL: cellName(),
  PLATFORM_CELL_URL: urlSecret(isPlatformAddress),
  REDIS_URL: urlSecret(isRedisAddress),
  ROWHOUSE_MASTER_KEY: keyMaterial(),
  ROWHOUSE_PEPPER: keyMaterial(),
  ROWHOUSE_SERVER_PUBLIC_KEY: z.string().min(40),
  LOG_LEVEL: z.string().default('info'),
});

async function registerFromFile(): Promise<void> {
  const config = readConfig(registerSchema);
  const logger = createLogger('register-server', config.LOG_LEVEL);
  const body = await readServerFile();
  const cellDb = await (await createCellDataSource(config.PLATFORM_CELL_URL.reveal())).initialize();
  const notificationProducer = createJobNotificationProducer({
    redisUrl: config.REDIS_URL.reveal(),
    cellId: config.ROWHOUSE_CELL,
    logger,
  });
  try {
    // Servers are stored in the cell database only, so this command does not open the global database.
    const db = new PlatformDb(cellDb, cellDb, config.ROWHOUSE_CELL);
    const secrets = new Secrets({
      masterKey: config.ROWHOUSE_MASTER_KEY,
      pepper: config.ROWHOUSE_PEPPER,
      serverPublicKey: config.ROWHOUSE_SERVER_PUBLIC_KEY,
    });
    const { server } = await registerServer(
      { db, secrets, tasks: new TaskRunner(db, notificationProducer) },
      body,
    );
    process.stdout.write(
      `${JSON.stringify({ id: server.id, name: server.name, host: server.host, port: server.port })}\n`,
    );
  } finally {
    await Promise.allSettled([notificationProducer.close(), cellDb.destroy()]);
  }
}

async function readServerFile(): Promise<CreateServerRequest> {
  const { values } = parseArgs({ options: { file: { type: 'string' } } });
  if (values.file === undefined) throw new Error('specify the description of the server: --file <json>');
  const parsed = createServerRequest.safeParse(JSON.parse(await readFile(values.file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
}

registerFromFile().then(
  () => process.exit(0),
  (error: unknown) => {
    const text =
      error instanceof AppError && error.faults !== undefined
        ? error.faults.map((fault) => fault.msg).join(' ')
        : String(error instanceof Error ? error.message : error);
    process.stderr.write(`The server could not be registered: ${text}\n`);
    process.exit(1);
  },
);
