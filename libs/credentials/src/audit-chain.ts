import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { fingerprintKey } from './secret-box.js';

/**
 * Each event of the audit log carries an HMAC over itself and over the one before: whoever changes, drops or inserts a
 * row without the master key breaks the chain where he did it.
 */
export interface AuditChain {
  /** The link behind `previous` (32 bytes; the first has zeros) for an event, as one text. */
  link(previous: Buffer, seq: number, event: string): Buffer;
  /** Names the key: rows of before a rotation are verified with theirs. */
  readonly keyId: string;
}

export const AUDIT_CHAIN_START = Buffer.alloc(32);

export function createAuditChain(masterKey: Buffer): AuditChain {
  return openAuditChain(fingerprintKey(masterKey), deriveAuditKey(masterKey));
}

/** What of a master key has to be kept so that the events of its time can be verified without it: nothing else opens with it. */
export function deriveAuditKey(masterKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'rowhouse audit chain', 32));
}

/** The chain of a key that is gone, by what was kept of it. */
export function openAuditChain(keyId: string, auditKey: Buffer): AuditChain {
  const key: KeyObject = createSecretKey(auditKey);
  return {
    keyId,
    link: (previous, seq, event) => createHmac('sha256', key).update(previous).update(`${seq}\0`).update(event).digest(),
  };
}
