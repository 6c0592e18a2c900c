import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { isPlatformAddress } from '@rowhouse/contracts';
import { keyMaterial, keyMaterialList, readConfig, toKeyRing, urlSecret } from '@rowhouse/runtime';
import { z } from 'zod';
import { verifyChain } from '../audit-chain/verify-chain.js';
import { openAuditChains } from '../key-rotation/audit-keys.js';
import { createGlobalDataSource } from '../platform-db/data-sources.js';

/**
 * Entry point of `node dist/admin/verify-audit.js [--head <hex>]`. Verifies that every event of the audit log
 * is unchanged.
 */
const verifySchema = z.object({
  PLATFORM_GLOBAL_URL: urlSecret(isPlatformAddress),
  ROWHOUSE_MASTER_KEY: keyMaterial(),
  ROWHOUSE_MASTER_KEY_PREVIOUS: keyMaterialList(),
});

async function verifyAudit(): Promise<void> {
  const { values } = parseArgs({ options: { head: { type: 'string' } } });
  const config = readConfig(verifySchema);
  const db = await (await createGlobalDataSource(config.PLATFORM_GLOBAL_URL.reveal())).initialize();
  try {
    const chains = await openAuditChains(
      db,
      toKeyRing(config.ROWHOUSE_MASTER_KEY, config.ROWHOUSE_MASTER_KEY_PREVIOUS),
    );
    const findings = await verifyChain(db, chains, values.head?.toLowerCase() ?? null);
    process.stdout.write(`${JSON.stringify(findings)}\n`);
    process.exitCode = findings.faults.length === 0 ? 0 : 1;
  } finally {
    await db.destroy();
  }
}

verifyAudit().catch((error: unknown) => {
  process.stderr.write(
    `The audit log could not be read: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 2;
});
