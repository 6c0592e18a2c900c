import { compress, type Encoding } from './send-answer.js';

/** A text that many are sent as it is: compressed once for each way, whoever asks and however often. */
export interface KeptDocument {
  readonly text: string;
  readonly pack: (encoding: Encoding) => Promise<Buffer>;
}

export function keepDocument(text: string): KeptDocument {
  const packed = new Map<Encoding, Promise<Buffer>>();
  return {
    text,
    pack(encoding) {
      let bytes = packed.get(encoding);
      if (bytes === undefined) {
        bytes = compress(text, encoding);
        packed.set(encoding, bytes);
        bytes.catch(() => packed.delete(encoding));
      }
      return bytes;
    },
  };
}
