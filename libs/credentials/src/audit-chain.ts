import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { fingerprintKey } from './secret-box.js';

/**
 * The hash chain of the audit log. Each event has an HMAC over itself and the HMAC of the previous event.
 * Without the master key, changing, deleting or inserting a row breaks the chain at that row.
 */
export interface AuditChain {
  /**
   * Returns the HMAC that links an event to the previous one.
   *
   * @param previous the HMAC of the previous event, 32 bytes; zeros for the first event
   * @param event the event as one text
   */
  link(previous: Buffer, seq: number, event: string): Buffer;
  /**
   * Identifies the key. After a key rotation, older events are verified with the key that was used for them.
   */
  readonly keyId: string;
}

export const AUDIT_CHAIN_START = Buffer.alloc(32);

export function createAuditChain(masterKey: Buffer): AuditChain {
  return openAuditChain(fingerprintKey(masterKey), deriveAuditKey(masterKey));
}

/**
 * Derives the key that must be kept to verify audit events after a rotation of the master key. It cannot
 * decrypt anything.
 */
export function deriveAuditKey(masterKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'rowhouse audit chain', 32));
}

/** Opens the chain of events for an earlier master key, with the audit key that was kept. */
export function openAuditChain(keyId: string, auditKey: Buffer): AuditChain {
  const key: KeyObject = createSecretKey(auditKey);
  return {
    keyId,
    link: (previous, seq, event) =>
      createHmac('sha256', key).update(previous).update(`${seq}\0`).update(event).digest(),
  };
}
