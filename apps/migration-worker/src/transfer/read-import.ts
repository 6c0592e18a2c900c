import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { TaskPayload, TaskResult, TransferTable } from '@rowhouse/contracts';
import { findBroken, findStopwordTables } from '@rowhouse/ddl-plan';
import { AppError } from '@rowhouse/errors';
import { quoteName, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { OpenFile, WorkerServer } from '@rowhouse/platform-store';
import type { RawTable, Snapshot } from '@rowhouse/schema-model';
import { encodeSnapshot } from '@rowhouse/snapshot-store';
import { assertReadBack } from '../scratch/assert-read-back.js';
import { withScratch, type ScratchDatabase } from '../scratch/scratch-database.js';
import { toSnapshot } from '../snapshots/fingerprints.js';
import { readSchema } from '../snapshots/inspect-schema.js';
import type { WorkerContext } from '../worker-context.js';
import { createChunkWriter, type ChunkWriter } from './chunk-writer.js';
import { decodeUpload } from './import/decode-dump.js';
import { createImportReport, type ImportReport } from './import/import-report.js';
import { readDump, type ParsedDump } from './import/read-dump.js';
import { createUnpackLimit } from './unpack-limit.js';
import { chooseServer } from '../scratch/choose-server.js';
import { loadDraft } from '../scratch/read-on.js';

/** The generation number of the uploaded chunks. */
const UPLOAD = 0;

/**
 * Reads an uploaded dump. The dump's schema becomes the next revision of the draft, and its rows become the
 * chunks of the file.
 */
export async function readImport(
  ctx: WorkerContext,
  payload: TaskPayload<'read_import'>,
): Promise<TaskResult<'read_import'>> {
  const server = await chooseServer(ctx, {
    base: payload.mode === 'apply' ? payload.base : null,
    project_id: payload.project_id,
  });
  const file = await ctx.transfers.openFile(payload.file_id);
  const report = createImportReport();
  const writer = createChunkWriter(ctx.transfers, file);
  const { draft, dump } = await withScratch(ctx, server, async (scratch) => {
    if (payload.mode === 'apply' && payload.base !== null) await loadDraft(scratch, server, payload.base);
    // Dumps create tables in the order of their names, even if a table references later ones.
    await scratch.connection.run('SET SESSION foreign_key_checks = 0');
    const parsedDump = await readDump(decodeUpload(readUpload(ctx, file)), {
      scratch,
      server,
      writer,
      report,
    });
    await omitBrokenViews(scratch, server, report);
    return {
      draft: toSnapshot(
        await readSchema(scratch.connection, scratch.schemaName, server.engine),
        payload.base,
      ),
      dump: parsedDump,
    };
  });
  if (dump.accepted.length === 0 && writer.rows === 0) throw noTablesTaken(report);
  await assertReadBack(ctx, server, draft, payload.base);
  ctx.planCache.remember(server, draft);
  if (payload.base !== null)
    for (const use of findBroken(payload.base, draft))
      report.problem(1, use.name, `The ${use.kind} uses ${use.what}, which no longer exists.`);
  if (!server.isDedicated)
    for (const table of findStopwordTables(payload.base, draft))
      report.problem(
        1,
        table,
        'Its first column is the VARCHAR `value`. Other accounts of a shared server can compare words with such a table. Put another column first.',
      );
  return finish(ctx, payload, { file, writer, report, draft, dump });
}

function noTablesTaken(report: ImportReport): AppError {
  const { problems } = report.close();
  return new AppError('transfer.unreadable', {
    detail:
      problems[0] === undefined
        ? 'The file contains no statements.'
        : `Nothing could be imported. Line ${problems[0].line}: ${problems[0].reason}`,
    extra: { problems: problems.slice(0, 20) },
  });
}

async function* readUpload(ctx: Pick<WorkerContext, 'transfers'>, file: OpenFile): AsyncGenerator<Buffer> {
  let ordinal = 0;
  const limit = createUnpackLimit();
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for (
      let chunk = await ctx.transfers.readChunk(file.id, UPLOAD, 0);
      chunk !== null;
      chunk = await ctx.transfers.readChunk(file.id, UPLOAD, ordinal)
    ) {
      limit.packed(chunk.body.length);
      yield chunk.body;
      ordinal += 1;
    }
  };
  const plain = createGunzip();
  // Errors of the pipeline are thrown by the loop below.
  pipeline(Readable.from(chunks()), plain, () => undefined);
  try {
    for await (const part of plain as AsyncIterable<Buffer>) {
      limit.plain(part.length);
      yield part;
    }
  } catch (error) {
    if ((error as { code?: unknown }).code?.toString().startsWith('Z_') === true)
      throw new AppError('transfer.unreadable', {
        detail: 'The upload is not a complete gzip file.',
        cause: error,
      });
    throw error;
  }
}

/** Removes views that read omitted objects, because each read of such a view would fail. */
async function omitBrokenViews(
  scratch: ScratchDatabase,
  server: WorkerServer,
  report: ImportReport,
): Promise<void> {
  const { tables } = await readSchema(scratch.connection, scratch.schemaName, server.engine);
  for (const view of tables.filter((table: RawTable) => table.kind === 'view')) {
    if (await works(scratch.connection, view.name)) continue;
    await scratch.connection.run(`DROP VIEW ${quoteName(view.name)}`);
    report.problem(1, view.name, 'The view was omitted, because it reads something that does not exist.');
  }
}

async function works(connection: AdminConnection, view: string): Promise<boolean> {
  try {
    await connection.rows(`SELECT * FROM ${quoteName(view)} LIMIT 0`);
    return true;
  } catch (error) {
    const fault = readServerFault(error);
    if (fault === null || fault.isConnectionLost) throw error;
    return false;
  }
}

interface ImportState {
  readonly file: OpenFile;
  readonly writer: ChunkWriter;
  readonly report: ImportReport;
  readonly draft: Snapshot;
  readonly dump: ParsedDump;
}

async function finish(
  ctx: Pick<WorkerContext, 'failPoint' | 'transfers'>,
  payload: TaskPayload<'read_import'>,
  { file, writer, report, draft, dump }: ImportState,
): Promise<TaskResult<'read_import'>> {
  const present = new Set(draft.tables.map((table) => table.name));
  const numbered = [...dump.nextNumbers.keys()].filter((name) => !writer.tables.has(name));
  const tables: TransferTable[] = [...writer.tables, ...numbered.map((name) => [name, 0] as const)].map(
    ([name, rows]) => ({ name, rows, digest: null, nextNumber: dump.nextNumbers.get(name) ?? null }),
  );
  const acting = dump.actingTriggers;
  if (acting.length > 0)
    report.note(
      'The dump creates these triggers before the rows of their tables, so they run when the rows ' +
        `are loaded: ${acting.join(', ')}.`,
    );
  for (const removed of tables.filter((table) => !present.has(table.name)))
    report.problem(
      1,
      removed.name,
      `A later statement dropped the table, so its ${removed.rows} rows were omitted.`,
    );
  const { contentHash, body } = await encodeSnapshot(draft);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(payload.base);
  ctx.failPoint('import-before-end');
  const revision = await ctx.transfers.finishImport(file, {
    content: {
      chunks: writer.chunks,
      contentHash,
      schemaBody: body,
      manifest: { tables, ...report.close(), ...(acting.length === 0 ? {} : { actingTriggers: acting }) },
      bytes: writer.bytes,
      rowsTotal: writer.rows,
    },
    draft: !isChanged
      ? null
      : {
          projectId: payload.project_id,
          base: payload.base_revision,
          snapshot: JSON.stringify(draft),
          statements: dump.accepted.map((sql) => `${sql};\n`).join(''),
          createdBy: payload.created_by,
        },
  });
  return { revision: revision ?? payload.base_revision };
}
