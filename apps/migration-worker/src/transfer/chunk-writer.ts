import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { TRANSFER_BYTES_MAX } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { OpenFile, TransferStore } from '@rowhouse/platform-store';
import { escapeLineBreaks } from '@rowhouse/sql-files';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/**
 * The maximum number of characters of a chunk in memory, not counting its last row. It is far below the limit
 * that servers have for a statement.
 */
const CHUNK_CHARS = 256 * 1024;
const CHUNK_ROWS_MAX = 5_000;
/**
 * The maximum number of chunks that are open at the same time. They differ in the beginning of their INSERT,
 * which is strict or lax.
 */
const OPEN_MAX = 2;

/** Writes rows into an export file, with one INSERT per chunk. */
export interface ChunkWriter {
  /**
   * Adds a row. `values` are the row's values without parentheses. Rows with the same `insert` prefix keep
   * their order.
   */
  add(tableName: string, insert: string, values: string): Promise<void>;
  /** Writes the chunks that are in memory. */
  flush(): Promise<void>;
  readonly chunks: number;
  readonly bytes: number;
  readonly rows: number;
  /** The number of written rows by table. */
  readonly tables: ReadonlyMap<string, number>;
}

interface OpenChunk {
  readonly tableName: string;
  readonly insert: string;
  readonly parts: string[];
  chars: number;
}

export function createChunkWriter(store: TransferStore, file: OpenFile): ChunkWriter {
  /**
   * The open chunks by the beginning of their INSERT. All of them are for the same table, whose rows may
   * alternate between them.
   */
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

/** Returns the statement that a chunk contains. */
export async function readChunkText(body: Buffer): Promise<string> {
  return (await decompress(body)).toString('utf8').replace(/;\n$/, '');
}
