import { createHash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { canonicalJson, type Snapshot } from '@rowhouse/schema-model';

export interface EncodedSnapshot {
  /** SHA-256 in hex over the canonical JSON: 64 characters. */
  readonly contentHash: string;
  /** What `snapshot_content.body` and Redis hold: Brotli over the canonical JSON. */
  readonly body: Buffer;
}

/** A snapshot of 5,000 wide tables stays far below this. */
const PLAIN_BYTES_MAX = 256 * 1024 * 1024;
/** Quality 5 compresses schemas 20 to 1 at a few milliseconds a megabyte. */
const QUALITY = 5;

/** Equal snapshots give the same hash and the same body, whatever the order of their members. */
export function encodeSnapshot(snapshot: Snapshot): EncodedSnapshot {
  const plain = Buffer.from(canonicalJson(snapshot), 'utf8');
  const body = brotliCompressSync(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  });
  return { contentHash: hashText(plain), body };
}

/** Throws when the body is damaged or is not the content that the hash names. */
export function decodeSnapshot(body: Buffer, contentHash: string): Snapshot {
  return decodeSnapshotSized(body, contentHash).snapshot;
}

/** As `decodeSnapshot`, with the size of the text it was read from: the measure of the cache. */
export function decodeSnapshotSized(body: Buffer, contentHash: string): { snapshot: Snapshot; plainBytes: number } {
  const plain = brotliDecompressSync(body, { maxOutputLength: PLAIN_BYTES_MAX });
  if (hashText(plain) !== contentHash) throw new Error(`snapshot content is not what its hash ${contentHash} names`);
  const snapshot = JSON.parse(plain.toString('utf8')) as Snapshot;
  if (snapshot.format !== 1) throw new Error(`snapshot format ${String(snapshot.format)} is not known here`);
  return { snapshot, plainBytes: plain.length };
}

function hashText(plain: Buffer): string {
  return createHash('sha256').update(plain).digest('hex');
}
