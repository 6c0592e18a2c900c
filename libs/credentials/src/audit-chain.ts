import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { fingerprintKey } from './secret-box.js';

/**
 * The hash chain of the audit log. Each event carries an HMAC over itself and the previous link. Changing,
 * deleting or inserting a row without the master key breaks the chain at that row.
 */
export interface AuditChain {
  /**
   * Returns the link of an event.
   *
   * @param previous the previous link, 32 bytes; zeros for the first event
   * @param event the event as one text
   */
  link(previous: Buffer, seq: number, event: string): Buffer;
  /** Identifies the key. Events from before a key rotation are verified with their own key. */
  readonly keyId: string;
}

export const AUDIT_CHAIN_START = Buffer.alloc(32);

export function createAuditChain(masterKey: Buffer): AuditChain {
  return openAuditChain(fingerprintKey(masterKey), deriveAuditKey(masterKey));
}

/**
 * Derives the key that must be retained to verify events after a master key rotation. It decrypts nothing
 * else.
 */
export function deriveAuditKey(masterKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'rowhouse audit chain', 32));
}

/** Opens the chain of an earlier master key with its retained audit key. */
export function openAuditChain(keyId: string, auditKey: Buffer): AuditChain {
  const key: KeyObject = createSecretKey(auditKey);
  return {
    keyId,
    link: (previous, seq, event) =>
      createHmac('sha256', key).update(previous).update(`${seq}\0`).update(event).digest(),
  };
}
