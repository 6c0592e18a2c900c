import { auditKeyPurpose } from '@rowhouse/contracts';
import { createAuditChain, createSecretBox, deriveAuditKey, fingerprintKey, openAuditChain, type AuditChain } from '@rowhouse/credentials';
import type { DataSource, EntityManager } from 'typeorm';

type KeyRing = readonly [Buffer, ...Buffer[]];

const PREFIX = 'audit_key:';

/** Keeps of each earlier master key what its audit events are verified with, sealed under the newest. Safe to run again. */
export async function keepAuditKeys(manager: EntityManager, masterKeys: KeyRing): Promise<void> {
  const box = createSecretBox(masterKeys);
  const kept = await readKept(manager);
  for (const { keyId, sealed } of kept) await write(manager, keyId, box.seal(box.open(sealed, auditKeyPurpose(keyId)), auditKeyPurpose(keyId)));
  for (const masterKey of masterKeys.slice(1)) {
    const keyId = fingerprintKey(masterKey);
    await write(manager, keyId, box.seal(deriveAuditKey(masterKey).toString('base64'), auditKeyPurpose(keyId)));
  }
}

/** The keys that audit events were linked under so far. */
export interface AuditChains {
  /** Of the master keys at hand, the newest first: while it is changed there are several. */
  readonly current: readonly AuditChain[];
  /** Of those before: good for the events of their time, and for none after it. Whoever changes a key may do so since somebody else has it. */
  readonly earlier: readonly AuditChain[];
}

export async function openAuditChains(db: DataSource, masterKeys: KeyRing): Promise<AuditChains> {
  const box = createSecretBox(masterKeys);
  const kept = await readKept(db.manager);
  const current = masterKeys.map(createAuditChain);
  const earlier = kept.map(({ keyId, sealed }) => openAuditChain(keyId, Buffer.from(box.open(sealed, auditKeyPurpose(keyId)), 'base64')));
  return { current, earlier: earlier.filter(({ keyId }) => !current.some((chain) => chain.keyId === keyId)) };
}

async function readKept(manager: EntityManager): Promise<{ keyId: string; sealed: Buffer }[]> {
  const rows = await manager.query<{ name: string; value: string }[]>('SELECT name, value FROM platform_setting WHERE name LIKE ?', [`${PREFIX}%`]);
  return rows.map(({ name, value }) => ({ keyId: name.slice(PREFIX.length), sealed: Buffer.from(value, 'base64') }));
}

async function write(manager: EntityManager, keyId: string, sealed: Buffer): Promise<void> {
  const value = sealed.toString('base64');
  await manager.query('INSERT INTO platform_setting (name, value, updated_at) VALUES (?, ?, UTC_TIMESTAMP(3)) ON DUPLICATE KEY UPDATE value = ?, updated_at = UTC_TIMESTAMP(3)', [`${PREFIX}${keyId}`, value, value]);
}
