import { setImmediate as nextSlice } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { TransferManifest } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { runStepsInSlices, quoteName, type Snapshot } from '@rowhouse/schema-model';
import { FILE_FRAME, toCommentLine, writeSchemaSteps, type WrittenSchema } from '@rowhouse/sql-files';
import { renderSchema } from '../schema/render-schema.js';

const compress = promisify(gzip);

export interface DumpParts {
  readonly title: string;
  /**
   * Reads the snapshot. It is called twice instead of holding the schema in memory, because a schema may have
   * megabytes, and a client may read the rows for hours.
   */
  readonly readSnapshot: () => Promise<Snapshot>;
  readonly manifest: TransferManifest;
  readonly chunks: number;
  readonly readChunk: (ordinal: number) => Promise<Buffer | null>;
}

/**
 * Throws when a table cannot be written as safe SQL, because its rows could then not be loaded. Other objects
 * that cannot be written are named in the file.
 */
export async function assertWritable(snapshot: Snapshot): Promise<void> {
  const table = (await write(snapshot)).omitted.find(({ object }) => object === 'table');
  if (table === undefined) return;
  throw new AppError('transfer.not_possible', {
    detail: `The table ${table.name} cannot be written as SQL text: ${table.reason}`,
    hint: 'Restore the file into a new database, or change the table and export again.',
  });
}

/**
 * Writes a file as a single gzip of SQL text, for the command-line clients of both engines. The text contains
 * the schema, the rows and the triggers.
 */
export async function* writeDump(parts: DumpParts): AsyncGenerator<Buffer> {
  yield compress(Buffer.from(await makeHead(parts, await parts.readSnapshot())));
  for (let ordinal = 0; ordinal < parts.chunks; ordinal += 1) {
    const body = await parts.readChunk(ordinal);
    // An error aborts the download, so that an incomplete dump does not look complete.
    if (body === null) throw new Error(`piece ${ordinal} of a file is missing`);
    yield body;
  }
  yield compress(Buffer.from(await makeTail(parts.manifest, await parts.readSnapshot())));
}

async function makeHead({ title, manifest }: DumpParts, snapshot: Snapshot): Promise<string> {
  const tables = snapshot.tables.map(({ triggers: _triggers, ...table }) => table);
  const notes = manifest.notes.map(toCommentLine).join('');
  return `${FILE_FRAME.head}${toCommentLine(title)}${notes}\n${await renderSchema({ ...snapshot, tables })}\n`;
}

async function makeTail(manifest: TransferManifest, snapshot: Snapshot): Promise<string> {
  const numbers = manifest.tables.flatMap((table) =>
    table.nextNumber === null
      ? []
      : [`ALTER TABLE ${quoteName(table.name)} AUTO_INCREMENT = ${table.nextNumber};\n`],
  );
  // Triggers come last, because they would run for the loaded rows.
  const triggers = await write(snapshot, 'trigger');
  return [...numbers, triggers.sql, FILE_FRAME.tail].join('');
}

function write(snapshot: Snapshot, only?: 'trigger'): Promise<WrittenSchema> {
  return runStepsInSlices(
    writeSchemaSteps(snapshot, (object) => only === undefined || object === only),
    () => nextSlice(),
  );
}
