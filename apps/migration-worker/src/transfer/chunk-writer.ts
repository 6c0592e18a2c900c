import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { TRANSFER_BYTES_MAX } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { OpenFile, TransferStore } from '@rowhouse/platform-store';
import { escapeLineBreaks } from '@rowhouse/sql-files';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The size of a piece in memory, besides one row. It is far below every server's limit for a statement. */
const CHUNK_CHARS = 256 * 1024;
const CHUNK_ROWS_MAX = 5_000;
/** The number of INSERT texts that are open in parallel: strict and lax. */
const OPEN_MAX = 2;

/** Writes rows into a file, with one INSERT per piece. */
export interface ChunkWriter {
  /** Adds a row. `values` are its values without parentheses. Rows of one INSERT text follow each other. */
  add(tableName: string, insert: string, values: string): Promise<void>;
  /** Writes what is in memory. */
  flush(): Promise<void>;
  readonly chunks: number;
  readonly bytes: number;
  readonly rows: number;
  /** Rows by table. */
  readonly tables: ReadonlyMap<string, number>;
}

interface OpenChunk {
  readonly tableName: string;
  readonly insert: string;
  readonly parts: string[];
  chars: number;
}

export function createChunkWriter(store: TransferStore, file: OpenFile): ChunkWriter {
  /** Pieces by INSERT text, all of one table. Rows of the other INSERT text may be mixed with them. */
  const open = new Map<string, OpenChunk>();
  let [chunks, bytes, rows] = [0, 0, 0];
  const tables = new Map<string, number>();

  async function write({ tableName, insert, parts }: OpenChunk): Promise<void> {
    open.delete(insert);
    const body = await compress(Buffer.from(`${insert}${parts.join(',\n')};\n`));
    bytes += body.length;
    if (bytes > TRANSFER_BYTES_MAX) throw new AppError('transfer.too_large');
    await store.writeChunk(file, { ordinal: chunks, tableName, rows: parts.length, body });
    chunks += 1;
    rows += parts.length;
    tables.set(tableName, (tables.get(tableName) ?? 0) + parts.length);
  }

  async function flush(): Promise<void> {
    for (const chunk of open.values()) await write(chunk);
  }

  return {
    async add(tableName, insert, values) {
      const [other] = open.values();
      if (other !== undefined && other.tableName !== tableName) await flush();
      const held = open.get(insert);
      if (held === undefined && open.size === OPEN_MAX) await flush();
      else if (
        held !== undefined &&
        (held.chars + values.length > CHUNK_CHARS || held.parts.length >= CHUNK_ROWS_MAX)
      )
        await write(held);
      const chunk = open.get(insert) ?? { tableName, insert, parts: [], chars: 0 };
      open.set(insert, chunk);
      chunk.parts.push(`(${escapeLineBreaks(values)})`);
      chunk.chars += values.length;
    },
    flush,
    tables,
    get chunks() {
      return chunks;
    },
    get bytes() {
      return bytes;
    },
    get rows() {
      return rows;
    },
  };
}

/** Returns the statement of a piece. */
export async function readChunkText(body: Buffer): Promise<string> {
  return (await decompress(body)).toString('utf8').replace(/;\n$/, '');
}
