import { createHmac, createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto';

/**
 * The identity of a cached record. The HMAC includes it, so that a record cannot be used as one of another
 * kind, id or time.
 */
export interface RecordLabel {
  readonly kind: 'key' | 'database' | 'snapshot';
  readonly id: string;
}

/**
 * Derives the key that signs records in Redis from the master key. Call it once and keep the KeyObject,
 * because Node would otherwise create one for every record.
 */
export function deriveRecordKey(masterKey: Buffer): KeyObject {
  return createSecretKey(
    Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'rowhouse cached records', 32)),
  );
}

/**
 * Returns `body` with its HMAC before it, in the form that is stored in Redis.
 *
 * @param asOfSeq the number of the newest change log entry that was known when the record was read from its
 * source
 */
export function signRecord(recordKey: KeyObject, label: RecordLabel, asOfSeq: number, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeBigUInt64BE(BigInt(asOfSeq));
  return Buffer.concat([computeMac(recordKey, label, head, body), head, body]);
}

/**
 * Returns the body of a signed record and its sequence number. Returns null if the record was not signed with
 * this key, was changed, or has another identity.
 */
export function verifyRecord(
  recordKey: KeyObject,
  label: RecordLabel,
  stored: Buffer,
): { asOfSeq: number; body: Buffer } | null {
  if (stored.length < 40) return null;
  const head = stored.subarray(32, 40);
  const body = stored.subarray(40);
  if (!timingSafeEqual(stored.subarray(0, 32), computeMac(recordKey, label, head, body))) return null;
  return { asOfSeq: Number(head.readBigUInt64BE()), body };
}

function computeMac(recordKey: KeyObject, label: RecordLabel, head: Buffer, body: Buffer): Buffer {
  return createHmac('sha256', recordKey)
    .update(`${label.kind}\0${label.id}\0`)
    .update(head)
    .update(body)
    .digest();
}
