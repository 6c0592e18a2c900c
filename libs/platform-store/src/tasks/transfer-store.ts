import type { ImportProblem, LoadState, TaskError, TransferManifest } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { AdminPool, AdminSession } from '@rowhouse/mysql';
import { readJson } from '../sql-values.js';

/**
 * A file that an attempt is writing. The generation identifies the attempt. It becomes invalid when a later
 * attempt begins.
 */
export interface OpenFile {
  readonly id: string;
  readonly generation: number;
}

export interface TransferFileRecord {
  readonly id: string;
  readonly projectId: string;
  readonly generation: number;
  readonly chunks: number;
  readonly contentHash: string;
  readonly schemaBody: Buffer | null;
  readonly manifest: TransferManifest | null;
  readonly rowsTotal: number;
}

export interface TransferChunk {
  readonly ordinal: number;
  readonly tableName: string;
  readonly rows: number;
  readonly body: Buffer;
}

export interface LoadRecord {
  readonly state: LoadState;
  readonly createdBy: string;
}

export interface FileContent {
  readonly chunks: number;
  readonly contentHash: string;
  readonly schemaBody: Buffer;
  readonly manifest: TransferManifest;
  readonly bytes: number;
  readonly rowsTotal: number;
}

/** The next revision of a draft schema. */
export interface NewDraft {
  readonly projectId: string;
  readonly base: number;
  readonly snapshot: string;
  readonly statements: string;
  readonly createdBy: string;
}

/**
 * The worker's access to files and loads. It throws `resource.not_found` for a file or load that was
 * canceled, deleted or taken over by another worker.
 */
export interface TransferStore {
  /**
   * Begins an attempt to write a file. The chunks of earlier attempts are deleted later. Uploaded chunks have
   * the generation 0 and remain.
   */
  openFile(fileId: string): Promise<OpenFile>;
  writeChunk(file: OpenFile, chunk: TransferChunk): Promise<void>;
  finishFile(file: OpenFile, content: FileContent): Promise<void>;
  /**
   * Completes the file and adds its draft in one transaction. Returns the new revision. Throws
   * `schema.stale_base` if another revision was added since then.
   */
  finishImport(
    file: OpenFile,
    ending: { readonly content: FileContent; readonly draft: NewDraft | null },
  ): Promise<number | null>;
  failFile(fileId: string, error: TaskError, session: AdminSession): Promise<void>;
  /** Deletes the chunks of a failed file. */
  dropPieces(fileId: string): Promise<void>;
  /** Reads a file that is ready. */
  readFile(fileId: string): Promise<TransferFileRecord>;
  /** Reads a chunk. Returns null after the last chunk. */
  readChunk(fileId: string, generation: number, ordinal: number): Promise<TransferChunk | null>;
  /** Returns the numbers of a file's chunks with their tables, in order. */
  listOrdinals(
    file: Pick<TransferFileRecord, 'id' | 'generation'>,
  ): Promise<{ ordinal: number; tableName: string }[]>;
  /** Marks a load as running, and records the time of its first start. */
  beginLoad(loadId: string): Promise<LoadRecord>;
  noteLoad(
    loadId: string,
    progress: {
      readonly state: 'running' | 'verifying';
      readonly chunksDone: number;
      readonly rowsDone: number;
    },
  ): Promise<void>;
  /** Ends a load. Uses `session` if it is given. */
  endLoad(
    loadId: string,
    state: 'done' | 'failed',
    error: TaskError | null,
    session?: AdminSession,
  ): Promise<void>;
  /** Stores the notes of a load, for example about values that were changed. */
  writeLoadNotes(loadId: string, notes: readonly string[]): Promise<void>;
}

const PROBLEMS_STORED_MAX = 200;

export function cutProblems(
  problems: readonly ImportProblem[],
): Pick<TransferManifest, 'problems' | 'problemsTotal'> {
  return { problems: problems.slice(0, PROBLEMS_STORED_MAX), problemsTotal: problems.length };
}

export function createTransferStore(pool: AdminPool, cellId: string): TransferStore {
  const removed = (what: string): AppError =>
    new AppError('resource.not_found', { detail: `The ${what} was deleted or canceled.` });

  return {
    async openFile(fileId) {
      return pool.transaction(async (session) => {
        const { affectedRows } = await session.run(
          `UPDATE transfer_file SET generation = generation + 1 WHERE id = ? AND cell_id = ? AND state = 'writing'`,
          [fileId, cellId],
        );
        if (affectedRows === 0) throw removed('file');
        const [row] = await session.rows<{ generation: number }>(
          'SELECT generation FROM transfer_file WHERE id = ?',
          [fileId],
        );
        return { id: fileId, generation: Number(row?.generation) };
      });
    },
    async writeChunk(file, chunk) {
      const { affectedRows } = await pool.run(
        `INSERT INTO transfer_chunk (cell_id, file_id, generation, ordinal, table_name, rows_count, body)
         SELECT cell_id, id, generation, ?, ?, ?, ? FROM transfer_file WHERE id = ? AND generation = ? AND state = 'writing'`,
        [chunk.ordinal, chunk.tableName, chunk.rows, chunk.body, file.id, file.generation],
      );
      if (affectedRows === 0) throw removed('file');
    },
    async finishFile(file, content) {
      if (!(await markReady(pool, file, content, null))) throw removed('file');
      await deleteChunks(pool, `file_id = ? AND generation <> ?`, [file.id, file.generation]);
    },
    async finishImport(file, { content, draft }) {
      const revision = draft === null ? null : draft.base + 1;
      await pool.transaction(async (session) => {
        if (draft !== null) await addRevision(session, cellId, draft);
        if (!(await markReady(session, file, content, revision ?? null))) throw removed('file');
      });
      await deleteChunks(pool, `file_id = ? AND generation <> ?`, [file.id, file.generation]);
      return revision;
    },
    async failFile(fileId, error, session) {
      await session.run(
        `UPDATE transfer_file SET state = 'failed', error = ?, finished_at = UTC_TIMESTAMP(3) WHERE id = ? AND cell_id = ? AND state = 'writing'`,
        [JSON.stringify(error), fileId, cellId],
      );
    },
    async dropPieces(fileId) {
      await deleteChunks(
        pool,
        `file_id = ? AND file_id IN (SELECT id FROM transfer_file WHERE state = 'failed')`,
        [fileId],
      );
    },
    async readFile(fileId) {
      const [row] = await pool.rows<FileRow>(
        `SELECT id, project_id, generation, chunks, content_hash, schema_body, manifest, rows_total FROM transfer_file WHERE id = ? AND cell_id = ? AND state = 'ready'`,
        [fileId, cellId],
      );
      if (row === undefined) throw removed('file');
      return {
        id: row.id,
        projectId: row.project_id,
        generation: Number(row.generation),
        chunks: Number(row.chunks),
        contentHash: row.content_hash,
        schemaBody: row.schema_body,
        manifest: readJson<TransferManifest>(row.manifest),
        rowsTotal: Number(row.rows_total),
      };
    },
    async readChunk(fileId, generation, ordinal) {
      const [row] = await pool.rows<ChunkRow>(
        'SELECT ordinal, table_name, rows_count, body FROM transfer_chunk WHERE file_id = ? AND generation = ? AND ordinal = ?',
        [fileId, generation, ordinal],
      );
      return row === undefined
        ? null
        : {
            ordinal: Number(row.ordinal),
            tableName: row.table_name,
            rows: Number(row.rows_count),
            body: row.body,
          };
    },
    async listOrdinals(file) {
      const rows = await pool.rows<ChunkRow>(
        'SELECT ordinal, table_name FROM transfer_chunk WHERE file_id = ? AND generation = ? ORDER BY ordinal',
        [file.id, file.generation],
      );
      return rows.map((row) => ({ ordinal: Number(row.ordinal), tableName: row.table_name }));
    },
    async beginLoad(loadId) {
      await pool.run(
        `UPDATE transfer_load SET state = 'running', started_at = COALESCE(started_at, UTC_TIMESTAMP(3)), error = NULL WHERE id = ? AND cell_id = ? AND state IN ('queued', 'running', 'verifying')`,
        [loadId, cellId],
      );
      const [row] = await pool.rows<{ state: LoadState; created_by: string }>(
        'SELECT state, created_by FROM transfer_load WHERE id = ? AND cell_id = ?',
        [loadId, cellId],
      );
      if (row === undefined || row.state === 'cancelled' || row.state === 'failed') throw removed('load');
      return { state: row.state, createdBy: row.created_by };
    },
    async noteLoad(loadId, progress) {
      await pool.run(
        `UPDATE transfer_load SET state = ?, chunks_done = ?, rows_done = ? WHERE id = ? AND cell_id = ? AND state IN ('running', 'verifying')`,
        [progress.state, progress.chunksDone, progress.rowsDone, loadId, cellId],
      );
      const [row] = await pool.rows<{ state: LoadState }>('SELECT state FROM transfer_load WHERE id = ?', [
        loadId,
      ]);
      if (row?.state !== progress.state) throw removed('load');
    },
    async writeLoadNotes(loadId, notes) {
      await pool.run('UPDATE transfer_load SET notes = ? WHERE id = ? AND cell_id = ?', [
        JSON.stringify(notes),
        loadId,
        cellId,
      ]);
    },
    async endLoad(loadId, state, error, session = pool) {
      await session.run(
        `UPDATE transfer_load SET state = ?, error = ?, finished_at = UTC_TIMESTAMP(3) WHERE id = ? AND cell_id = ? AND state NOT IN ('done', 'cancelled')`,
        [state, error === null ? null : JSON.stringify(error), loadId, cellId],
      );
    },
  };
}

/** Marks the file as ready. Returns false if another attempt has replaced this one. */
async function markReady(
  session: AdminSession,
  file: OpenFile,
  content: FileContent,
  revision: number | null,
): Promise<boolean> {
  const { affectedRows } = await session.run(
    `UPDATE transfer_file SET state = 'ready', chunks = ?, content_hash = ?, schema_body = ?, manifest = ?, bytes = ?, rows_total = ?, revision = ?, finished_at = UTC_TIMESTAMP(3)
     WHERE id = ? AND generation = ? AND state = 'writing'`,
    [
      content.chunks,
      content.contentHash,
      content.schemaBody,
      JSON.stringify(content.manifest),
      content.bytes,
      content.rowsTotal,
      revision,
      file.id,
      file.generation,
    ],
  );
  return affectedRows > 0;
}

async function addRevision(session: AdminSession, cellId: string, draft: NewDraft): Promise<void> {
  const [newest] = await session.rows<{ revision: number | null }>(
    'SELECT MAX(revision) AS revision FROM working_schema WHERE project_id = ? FOR UPDATE',
    [draft.projectId],
  );
  if (Number(newest?.revision ?? 0) !== draft.base) {
    throw new AppError('schema.stale_base', {
      detail: 'The working schema has changed while the dump was read.',
      hint: 'Import it again.',
      extra: { revision: Number(newest?.revision ?? 0) },
    });
  }
  await session.run(
    'INSERT INTO working_schema (project_id, revision, cell_id, snapshot, statements, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3))',
    [draft.projectId, draft.base + 1, cellId, draft.snapshot, draft.statements, draft.createdBy],
  );
}

/** The number of chunks in one DELETE, so that a statement does not lock all chunks of a large file. */
const CHUNKS_PER_DELETE = 50;

async function deleteChunks(
  pool: AdminPool,
  where: string,
  values: readonly (string | number)[],
): Promise<void> {
  for (let deleted = CHUNKS_PER_DELETE; deleted === CHUNKS_PER_DELETE;) {
    ({ affectedRows: deleted } = await pool.run(
      `DELETE FROM transfer_chunk WHERE ${where} LIMIT ${CHUNKS_PER_DELETE}`,
      values,
    ));
  }
}

interface FileRow {
  id: string;
  project_id: string;
  generation: number;
  chunks: number;
  content_hash: string;
  schema_body: Buffer | null;
  manifest: unknown;
  rows_total: number | string;
}

interface ChunkRow {
  ordinal: number;
  table_name: string;
  rows_count: number;
  body: Buffer;
}
