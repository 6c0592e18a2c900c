import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { TransferManifest } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { quoteName, type Snapshot } from '@rowhouse/schema-model';
import { FILE_FRAME, renderSchemaSql, toCommentLine, writeSchema } from '@rowhouse/sql-files';

const compress = promisify(gzip);

export interface DumpParts {
  readonly title: string;
  /** Asked for twice: a client may take its rows for hours, and a schema has megabytes. */
  readonly readSnapshot: () => Promise<Snapshot>;
  readonly manifest: TransferManifest;
  readonly chunks: number;
  readonly readChunk: (ordinal: number) => Promise<Buffer | null>;
}

/** Throws where a table of the file has no safe text: its rows would have no place. Other objects are named in the file. */
export function assertWritable(snapshot: Snapshot): void {
  const table = writeSchema(snapshot).leftOut.find(({ object }) => object === 'table');
  if (table === undefined) return;
  throw new AppError('transfer.not_possible', {
    detail: `The table ${table.name} cannot be written as SQL text: ${table.reason}`,
    hint: 'Restore the file into a new database, or change the table and export again.',
  });
}

/** A file as one gzip of SQL text that command-line clients of both engines read: schema, rows, triggers. */
export async function* writeDump(parts: DumpParts): AsyncGenerator<Buffer> {
  yield compress(Buffer.from(makeHead(parts, await parts.readSnapshot())));
  for (let ordinal = 0; ordinal < parts.chunks; ordinal += 1) {
    const body = await parts.readChunk(ordinal);
    // Half a dump must not look like a whole one: the download breaks off.
    if (body === null) throw new Error(`piece ${ordinal} of a file is gone`);
    yield body;
  }
  yield compress(Buffer.from(makeTail(parts.manifest, await parts.readSnapshot())));
}

function makeHead({ title, manifest }: DumpParts, snapshot: Snapshot): string {
  const tables = snapshot.tables.map(({ triggers: _triggers, ...table }) => table);
  const notes = manifest.notes.map(toCommentLine).join('');
  return `${FILE_FRAME.head}${toCommentLine(title)}${notes}\n${renderSchemaSql({ ...snapshot, tables })}\n`;
}

function makeTail(manifest: TransferManifest, snapshot: Snapshot): string {
  const numbers = manifest.tables.flatMap((table) => (table.nextNumber === null ? [] : [`ALTER TABLE ${quoteName(table.name)} AUTO_INCREMENT = ${table.nextNumber};\n`]));
  return [...numbers, renderTriggers(snapshot), FILE_FRAME.tail].join('');
}

/** They would act on the rows that come in, and follow them. */
function renderTriggers(snapshot: Snapshot): string {
  return writeSchema(snapshot, (object) => object === 'trigger').sql;
}
