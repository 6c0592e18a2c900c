import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { isPlatformAddress } from '@rowhouse/contracts';
import { keyMaterial, keyMaterialList, readConfig, toKeyRing, urlSecret } from '@rowhouse/runtime';
import { z } from 'zod';
import { rotateSecrets } from '../key-rotation/rotate-secrets.js';
import { createCellDataSource, createGlobalDataSource } from '../platform-db/data-sources.js';

/**
 * Entry point of `node dist/admin/rotate-master-key.js [--batch <rows>]`. Encrypts all secrets again under
 * ROWHOUSE_MASTER_KEY. After it exits with 0, ROWHOUSE_MASTER_KEY_PREVIOUS is no longer needed. The command
 * can be interrupted and run again.
 */
const rotateSchema = z.object({
  PLATFORM_GLOBAL_URL: urlSecret(isPlatformAddress),
  PLATFORM_CELL_URL: urlSecret(isPlatformAddress),
  ROWHOUSE_MASTER_KEY: keyMaterial(),
  ROWHOUSE_MASTER_KEY_PREVIOUS: keyMaterialList(),
});
const BATCH_ROWS = 500;

async function rotateMasterKey(): Promise<void> {
  const { values } = parseArgs({ options: { batch: { type: 'string' } } });
  const config = readConfig(rotateSchema);
  if (config.ROWHOUSE_MASTER_KEY_PREVIOUS.length === 0)
    throw new Error('Set ROWHOUSE_MASTER_KEY_PREVIOUS to the key that you want to replace');
  const globalDb = await (await createGlobalDataSource(config.PLATFORM_GLOBAL_URL.reveal())).initialize();
  const cellDb = await (await createCellDataSource(config.PLATFORM_CELL_URL.reveal())).initialize();
  try {
    const masterKeys = toKeyRing(config.ROWHOUSE_MASTER_KEY, config.ROWHOUSE_MASTER_KEY_PREVIOUS);
    const report = (placement: string, resealed: number): void =>
      void process.stdout.write(`${placement}: ${resealed} values encrypted again\n`);
    const total = await rotateSecrets({
      globalDb,
      cellDb,
      masterKeys,
      batchRows: Number(values.batch ?? BATCH_ROWS),
      report,
    });
    process.stdout.write(`${total} values encrypted again. The previous keys are no longer needed.\n`);
  } finally {
    await Promise.allSettled([globalDb.destroy(), cellDb.destroy()]);
  }
}

rotateMasterKey().catch((error: unknown) => {
  process.stderr.write(
    `The master key was not changed: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
});
