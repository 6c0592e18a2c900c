import 'reflect-metadata';
import { isPlatformAddress } from '@rowhouse/contracts';
import {
  cellName,
  createLogger,
  keyMaterial,
  keyMaterialList,
  readConfig,
  toKeyRing,
  urlSecret,
  type Logger,
  type Secret,
} from '@rowhouse/runtime';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { createCellDataSource, createGlobalDataSource } from './data-sources.js';
import { findForeignSecrets, noteMakers, writeCellRows, writeFingerprints } from './installation.js';

/**
 * Entry point of `node dist/platform-db/migrate.js`. Creates or updates the platform tables and exits with 0
 * on success.
 */
const migrateSchema = z.object({
  ROWHOUSE_CELL: cellName(),
  PLATFORM_GLOBAL_URL: urlSecret(isPlatformAddress),
  PLATFORM_CELL_URL: urlSecret(isPlatformAddress),
  ROWHOUSE_MASTER_KEY: keyMaterial(),
  ROWHOUSE_MASTER_KEY_PREVIOUS: keyMaterialList(),
  ROWHOUSE_PEPPER: keyMaterial(),
  LOG_LEVEL: z.string().default('info'),
});

async function migratePlatform(): Promise<void> {
  const config = readConfig(migrateSchema);
  const logger = createLogger('platform-migrate', config.LOG_LEVEL);
  const globalDb = await openAndMigrate('global', createGlobalDataSource, config.PLATFORM_GLOBAL_URL, logger);
  try {
    const cellDb = await openAndMigrate('cell', createCellDataSource, config.PLATFORM_CELL_URL, logger);
    try {
      const secrets = {
        masterKeys: toKeyRing(config.ROWHOUSE_MASTER_KEY, config.ROWHOUSE_MASTER_KEY_PREVIOUS),
        pepper: bytesOf(config.ROWHOUSE_PEPPER),
      };
      await writeFingerprints(globalDb, secrets);
      const foreign = await findForeignSecrets(globalDb, secrets);
      if (foreign.length > 0)
        throw new Error(
          `this platform database was created with another ${foreign.join(' and ')}. Restore the ` +
            'previous value',
        );
      await writeCellRows(globalDb, cellDb, config.ROWHOUSE_CELL);
      await noteMakers(globalDb, cellDb, config.ROWHOUSE_CELL);
    } finally {
      await cellDb.destroy();
    }
  } finally {
    await globalDb.destroy();
  }
}

async function openAndMigrate(
  half: 'global' | 'cell',
  create: (url: string) => Promise<DataSource>,
  url: Secret,
  logger: Logger,
): Promise<DataSource> {
  const source = await (await create(url.reveal())).initialize();
  const applied = await source.runMigrations({ transaction: 'none' });
  logger.info({ half, applied: applied.map((migration) => migration.name) }, 'platform tables are in place');
  return source;
}

function bytesOf(secret: Secret): Buffer {
  return Buffer.from(secret.reveal(), 'base64url');
}

migratePlatform().catch((error: unknown) => {
  process.stderr.write(
    'The platform database could not be set up: ' +
      `${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
});
