import { compress, type Encoding } from '../http/send-response.js';

/** A text that is sent unchanged to many clients. It is compressed only once for each encoding. */
export interface CachedDocument {
  readonly bytes: Buffer;
  readonly pack: (encoding: Encoding) => Promise<Buffer>;
}

/** Encodes the chunks as UTF-8. `nextSlice` is awaited after each half megabyte. */
export async function cacheDocument(
  chunks: readonly string[],
  nextSlice: () => Promise<void>,
): Promise<CachedDocument> {
  const encoded: Buffer[] = [];
  let sinceSlice = 0;
  for (const chunk of chunks) {
    encoded.push(Buffer.from(chunk, 'utf8'));
    sinceSlice += chunk.length;
    if (sinceSlice < SLICE_BYTES) continue;
    sinceSlice = 0;
    await nextSlice();
  }
  return cacheBytes(Buffer.concat(encoded));
}

/** Returns a document with these bytes, which must not be changed afterwards. */
export function cacheBytes(bytes: Buffer): CachedDocument {
  const packed = new Map<Encoding, Promise<Buffer>>();
  return {
    bytes,
    pack(encoding) {
      let created = packed.get(encoding);
      if (created === undefined) {
        created = compress(bytes, encoding);
        packed.set(encoding, created);
        created.catch(() => packed.delete(encoding));
      }
      return created;
    },
  };
}

const SLICE_BYTES = 512 * 1024;
