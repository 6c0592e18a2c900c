import { auditKeyPurpose } from '@rowhouse/contracts';
import {
  createAuditChain,
  createSecretBox,
  deriveAuditKey,
  fingerprintKey,
  openAuditChain,
  type AuditChain,
} from '@rowhouse/credentials';
import type { DataSource, EntityManager } from 'typeorm';

type KeyRing = readonly [Buffer, ...Buffer[]];

const PREFIX = 'audit_key:';

/**
 * Stores the audit key of each earlier master key, encrypted under the newest master key. Safe to run again.
 */
export async function keepAuditKeys(manager: EntityManager, masterKeys: KeyRing): Promise<void> {
  const box = createSecretBox(masterKeys);
  const storedKeys = await readStored(manager);
  for (const { keyId, sealed } of storedKeys)
    await write(manager, keyId, box.seal(box.open(sealed, auditKeyPurpose(keyId)), auditKeyPurpose(keyId)));
  for (const masterKey of masterKeys.slice(1)) {
    const keyId = fingerprintKey(masterKey);
    await write(
      manager,
      keyId,
      box.seal(deriveAuditKey(masterKey).toString('base64'), auditKeyPurpose(keyId)),
    );
  }
}

/** The keys with which audit events were linked. */
export interface AuditChains {
  /** The configured master keys, newest first. There are several during a rotation. */
  readonly current: readonly AuditChain[];
  /**
   * Earlier keys. They verify only events from their time, because a key may have been replaced after a leak.
   */
  readonly earlier: readonly AuditChain[];
}

export async function openAuditChains(db: DataSource, masterKeys: KeyRing): Promise<AuditChains> {
  const box = createSecretBox(masterKeys);
  const storedKeys = await readStored(db.manager);
  const current = masterKeys.map(createAuditChain);
  const earlier = storedKeys.map(({ keyId, sealed }) =>
    openAuditChain(keyId, Buffer.from(box.open(sealed, auditKeyPurpose(keyId)), 'base64')),
  );
  return { current, earlier: earlier.filter(({ keyId }) => !current.some((chain) => chain.keyId === keyId)) };
}

async function readStored(manager: EntityManager): Promise<{ keyId: string; sealed: Buffer }[]> {
  const rows = await manager.query<{ name: string; value: string }[]>(
    'SELECT name, value FROM platform_setting WHERE name LIKE ?',
    [`${PREFIX}%`],
  );
  return rows.map(({ name, value }) => ({
    keyId: name.slice(PREFIX.length),
    sealed: Buffer.from(value, 'base64'),
  }));
}

async function write(manager: EntityManager, keyId: string, sealed: Buffer): Promise<void> {
  const value = sealed.toString('base64');
  await manager.query(
    'INSERT INTO platform_setting (name, value, updated_at) VALUES (?, ?, UTC_TIMESTAMP(3)) ON DUPLICATE KEY UPDATE value = ?, updated_at = UTC_TIMESTAMP(3)',
    [`${PREFIX}${keyId}`, value, value],
  );
}
