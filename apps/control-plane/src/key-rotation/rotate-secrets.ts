import { createAuditChain, createSecretBox, fingerprintKey, type SecretBox } from '@rowhouse/credentials';
import type { DataSource } from 'typeorm';
import { appendAudit } from '../audit-chain/append-audit.js';
import { MASTER_KEY_ROTATED } from '../audit-chain/active-keys.js';
import { replaceFingerprint } from '../platform-db/installation.js';
import { keepAuditKeys } from './audit-keys.js';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.js';

export interface Rotation {
  readonly globalDb: DataSource;
  readonly cellDb: DataSource;
  /** The new key, followed by the earlier keys. */
  readonly masterKeys: readonly [Buffer, ...Buffer[]];
  /** The number of rows per transaction. */
  readonly batchRows: number;
  /** Called after each batch. */
  readonly report: (placement: string, resealed: number) => void;
}

/**
 * Encrypts all secrets again under the first key, then records that the installation uses it. The rotation
 * can stop at any point, because the keys decrypt old and new values, and a second run continues.
 *
 * @returns the number of re-encrypted values
 * @throws Error for a value that no key decrypts; then no key may be dropped
 */
export async function rotateSecrets(rotation: Rotation): Promise<number> {
  // With a batch size of zero, every batch would be empty, so the column would count as complete.
  if (!Number.isSafeInteger(rotation.batchRows) || rotation.batchRows < 1)
    throw new Error('--batch must be an integer of at least 1. The default is 500');
  const box = createSecretBox(rotation.masterKeys);
  let total = 0;
  for (const placement of SEALED_COLUMNS) {
    for (let resealed = 1; resealed > 0;) {
      resealed = await resealBatch(rotation, box, placement);
      total += resealed;
      if (resealed > 0) rotation.report(placement.name, resealed);
    }
  }
  await finish(rotation, total);
  return total;
}

/**
 * Encrypts one batch again. Returns the number of rows that had another key. 0 means that the column is
 * complete.
 */
async function resealBatch(
  { globalDb, cellDb, batchRows }: Rotation,
  box: SecretBox,
  placement: SealedColumn,
): Promise<number> {
  return (placement.half === 'global' ? globalDb : cellDb).transaction(async (manager) => {
    const rows = await manager.query<Record<string, unknown>[]>(placement.select, [
      Buffer.from(box.keyId, 'hex'),
      batchRows,
    ]);
    for (const row of rows) {
      const purpose = placement.purposeOf(row);
      await manager.query(placement.update, [
        ...placement.paramsOf(row, box.seal(open(box, placement, row, purpose), purpose)),
      ]);
    }
    return rows.length;
  });
}

function open(
  box: SecretBox,
  placement: SealedColumn,
  row: Readonly<Record<string, unknown>>,
  purpose: string,
): string {
  try {
    return box.open(placement.sealedOf(row), purpose);
  } catch (error) {
    throw new Error(
      `one of the ${placement.name} (${purpose}) cannot be decrypted with any of the keys. Keep ` +
        'all keys, and find the missing one',
      { cause: error },
    );
  }
}

async function finish({ globalDb, masterKeys }: Rotation, resealed: number): Promise<void> {
  await globalDb.transaction(async (manager) => {
    await keepAuditKeys(manager, masterKeys);
    await replaceFingerprint(manager, masterKeys[0]);
    await appendAudit(manager, createAuditChain(masterKeys[0]), {
      at: new Date(),
      organizationId: null,
      projectId: null,
      accountId: null,
      action: MASTER_KEY_ROTATED,
      target: fingerprintKey(masterKeys[0]),
      detail: { resealed },
      address: '',
      requestId: '',
    });
  });
}
