import { compress, type Encoding } from './send-answer.js';

/**
 * A text that is sent unchanged to many clients. It is compressed once per encoding, no matter how many
 * requests there are.
 */
export interface KeptDocument {
  readonly bytes: Buffer;
  readonly pack: (encoding: Encoding) => Promise<Buffer>;
}

/** Encodes the pieces. `turn` is awaited between the parts of a text of several megabytes. */
export async function keepDocument(pieces: readonly string[], turn: () => Promise<void>): Promise<KeptDocument> {
  const encoded: Buffer[] = [];
  let sinceTurn = 0;
  for (const piece of pieces) {
    encoded.push(Buffer.from(piece, 'utf8'));
    sinceTurn += piece.length;
    if (sinceTurn < PIECE_BYTES) continue;
    sinceTurn = 0;
    await turn();
  }
  const bytes = Buffer.concat(encoded);
  const packed = new Map<Encoding, Promise<Buffer>>();
  return {
    bytes,
    pack(encoding) {
      let made = packed.get(encoding);
      if (made === undefined) {
        made = compress(bytes, encoding);
        packed.set(encoding, made);
        made.catch(() => packed.delete(encoding));
      }
      return made;
    },
  };
}

const PIECE_BYTES = 512 * 1024;
