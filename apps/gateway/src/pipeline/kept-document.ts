import { compress, type Encoding } from './send-answer.js';

/** A text that many are sent as it is: compressed once for each way, whoever asks and however often. */
export interface KeptDocument {
  readonly bytes: Buffer;
  readonly pack: (encoding: Encoding) => Promise<Buffer>;
}

/** `turn` is awaited between pieces of a text of megabytes. */
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
