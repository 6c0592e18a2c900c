import { createHash } from 'node:crypto';
import { setImmediate as nextSlice } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, brotliDecompressSync, constants } from 'node:zlib';
import { canonicalJson, type Snapshot, type Table } from '@rowhouse/schema-model';

export interface EncodedSnapshot {
  /** The SHA-256 of the canonical JSON in hexadecimal, which has 64 characters. */
  readonly contentHash: string;
  /** The canonical JSON compressed with Brotli, as it is stored in `snapshot_content.body` and in Redis. */
  readonly body: Buffer;
}

const [compress, decompress] = [promisify(brotliCompress), promisify(brotliDecompress)];

/**
 * The maximum number of bytes of a snapshot's text. Even a snapshot with 5,000 wide tables is far smaller.
 */
const PLAIN_BYTES_MAX = 256 * 1024 * 1024;
/**
 * The Brotli quality. With quality 5, schemas are compressed to a twentieth, in a few milliseconds per
 * megabyte.
 */
const QUALITY = 5;

/**
 * Encodes a snapshot. For equal snapshots, the hash and the body are the same, whatever the order of members.
 * A snapshot with hundreds of tables is encoded in several slices on the event loop, so that other work such
 * as the renewal of leases continues. The snapshot must not change during the call.
 */
export async function encodeSnapshot(snapshot: Snapshot): Promise<EncodedSnapshot> {
  return compressPlain(await writePlain(snapshot));
}

/**
 * Encodes a snapshot like `encodeSnapshot`. If its hash equals `knownHash`, returns null without compressing
 * it.
 */
export async function encodeChanged(snapshot: Snapshot, knownHash: string): Promise<EncodedSnapshot | null> {
  const written = await writePlain(snapshot);
  return written.contentHash === knownHash ? null : compressPlain(written);
}

interface WrittenSnapshot {
  readonly contentHash: string;
  readonly plain: Buffer;
}

async function writePlain(snapshot: Snapshot): Promise<WrittenSnapshot> {
  const chunks: Buffer[] = [];
  const contentHash = await writeInSlices(snapshot, (chunk) => chunks.push(chunk));
  return { contentHash, plain: Buffer.concat(chunks) };
}

async function compressPlain({ contentHash, plain }: WrittenSnapshot): Promise<EncodedSnapshot> {
  const body = await compress(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  });
  return { contentHash, body };
}

/** Returns the hash that `encodeSnapshot` would return. The work is divided into the same slices. */
export function hashSnapshot(snapshot: Snapshot): Promise<string> {
  return writeInSlices(snapshot, () => undefined);
}

/**
 * Passes the canonical JSON to `onPiece` in chunks and returns its hash. `tables` is the last member of the
 * JSON.
 */
async function writeInSlices(snapshot: Snapshot, onPiece: (chunk: Buffer) => void): Promise<string> {
  const hash = createHash('sha256');
  let text = canonicalJson({ ...snapshot, tables: [] }).slice(0, -END.length);
  const flush = (): void => {
    const chunk = Buffer.from(text, 'utf8');
    hash.update(chunk);
    onPiece(chunk);
    text = '';
  };
  for (const [index, table] of snapshot.tables.entries()) {
    text += `${index === 0 ? '' : ','}${canonicalJson(table)}`;
    if (text.length < WRITTEN_PER_SLICE) continue;
    flush();
    await nextSlice();
  }
  text += END.toString('utf8');
  flush();
  return hash.digest('hex');
}

/** Decodes a snapshot like `readSnapshot`, and returns only the snapshot. */
export async function decodeSnapshot(body: Buffer, contentHash: string): Promise<Snapshot> {
  return (await readSnapshot(body, contentHash)).snapshot;
}

/** A snapshot with the size of its JSON text, which the limit of the cache counts. */
export interface SizedSnapshot {
  readonly snapshot: Snapshot;
  readonly plainBytes: number;
}

/**
 * Decodes a snapshot. A snapshot with hundreds of tables has several megabytes, so it is parsed in several
 * slices on the event loop. Rejects if the body is damaged or does not match the hash.
 */
export async function readSnapshot(body: Buffer, contentHash: string): Promise<SizedSnapshot> {
  const small = body.length <= SMALL_BODY_BYTES_MAX ? decompressSmall(body) : null;
  if (small !== null) return readAtOnce(small, contentHash);
  const plain = await decompress(body, { maxOutputLength: PLAIN_BYTES_MAX });
  const hash = createHash('sha256');
  for (let index = 0; index < plain.length; index += HASHED_PER_SLICE) {
    hash.update(plain.subarray(index, index + HASHED_PER_SLICE));
    await nextSlice();
  }
  if (hash.digest('hex') !== contentHash) throw damaged(contentHash);
  return { snapshot: checkFormat(await parseInSlices(plain)), plainBytes: plain.length };
}

/**
 * The maximum sizes of a body and its text that are decoded in one slice. Both are needed, because a thousand
 * similar columns compress to the size of a dozen different ones.
 */
const SMALL_BODY_BYTES_MAX = 8 * 1024;
const SMALL_PLAIN_BYTES_MAX = 256 * 1024;
const HASHED_PER_SLICE = 4 * 1024 * 1024;
const PARSED_PER_SLICE = 256 * 1024;
/** The number of characters that are written in one slice, which takes a few milliseconds. */
const WRITTEN_PER_SLICE = 256 * 1024;
/**
 * The first bytes of each table in canonical JSON. They do not occur anywhere else, because quotes inside
 * strings are escaped.
 */
const TABLE_START = Buffer.from('{"checks":');
const END = Buffer.from(']}');

/**
 * Parses the tables in several slices. `tables` is the last member of the JSON, and each table is parsed as a
 * whole.
 */
async function parseInSlices(plain: Buffer): Promise<Snapshot> {
  const first = plain.indexOf(TABLE_START);
  if (first === -1 || !plain.subarray(-END.length).equals(END))
    return JSON.parse(plain.toString('utf8')) as Snapshot;
  const tables: Table[] = [];
  const last = plain.length - END.length;
  for (let from = first; from < last;) {
    const next = plain.indexOf(TABLE_START, Math.min(from + PARSED_PER_SLICE, last));
    const until = next === -1 ? last : next - 1;
    // The tables are not passed as arguments of a single call, because there may be ten thousand of them.
    for (const table of JSON.parse(`[${plain.toString('utf8', from, until)}]`) as Table[]) tables.push(table);
    from = until + 1;
    await nextSlice();
  }
  return { ...(JSON.parse(`${plain.toString('utf8', 0, first)}]}`) as Snapshot), tables };
}

/** Decompresses a small body. Returns null if the text is longer than expected. */
function decompressSmall(body: Buffer): Buffer | null {
  try {
    return brotliDecompressSync(body, { maxOutputLength: SMALL_PLAIN_BYTES_MAX });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw error;
  }
}

function readAtOnce(plain: Buffer, contentHash: string): SizedSnapshot {
  if (createHash('sha256').update(plain).digest('hex') !== contentHash) throw damaged(contentHash);
  return { snapshot: checkFormat(JSON.parse(plain.toString('utf8')) as Snapshot), plainBytes: plain.length };
}

function damaged(contentHash: string): Error {
  return new Error(`snapshot content is not what its hash ${contentHash} names`);
}

function checkFormat(snapshot: Snapshot): Snapshot {
  if (snapshot.format !== 1) throw new Error(`snapshot format ${String(snapshot.format)} is not known here`);
  return snapshot;
}
