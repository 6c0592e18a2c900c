import { createId } from '@rowhouse/runtime';
import type { ExportPayload, ReadImportPayload, TransferKind } from '@rowhouse/contracts';
import type { TestDb, WorkerHarness } from './worker-harness.js';

/** Inserts what the control plane writes for a file, with the chunks of an upload. */
export async function insertFile(
  harness: WorkerHarness,
  kind: TransferKind,
  projectId: string,
  upload: readonly Buffer[] = [],
): Promise<string> {
  const id = createId('fil');
  await harness.platform.run(
    `INSERT INTO transfer_file (id, cell_id, project_id, kind, created_by, created_at) VALUES (?, ?, ?, ?, 'acc_test', UTC_TIMESTAMP(3))`,
    [id, harness.cellId, projectId, kind],
  );
  for (const [ordinal, body] of upload.entries())
    await harness.platform.run(
      `INSERT INTO transfer_chunk (cell_id, file_id, generation, ordinal, table_name, rows_count, body) VALUES (?, ?, 0, ?, '', 0, ?)`,
      [harness.cellId, id, ordinal, body],
    );
  return id;
}

/** Inserts what the control plane writes when a file is loaded into a database. */
export async function insertLoad(
  harness: WorkerHarness,
  kind: 'restore' | 'rows',
  fileId: string,
  database: TestDb,
): Promise<string> {
  const id = createId('lod');
  await harness.platform.run(
    `INSERT INTO transfer_load (id, cell_id, project_id, database_id, file_id, kind, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?, 'acc_test', UTC_TIMESTAMP(3))`,
    [id, harness.cellId, database.projectId, database.id, fileId, kind],
  );
  return id;
}

/** Returns the payload of a task that reads an uploaded dump into the draft of a new project. */
export function importPayload(fileId: string, projectId: string): ReadImportPayload {
  return {
    file_id: fileId,
    project_id: projectId,
    base: null,
    mode: 'apply',
    base_revision: 0,
    created_by: 'acc_test',
  };
}

/** Exports a database to a new file. */
export async function exportDatabase(
  harness: WorkerHarness,
  database: TestDb,
  more: Partial<ExportPayload> = {},
): Promise<string> {
  const fileId = await insertFile(harness, 'export', database.projectId);
  await harness.runTask('export_database', {
    file_id: fileId,
    database_id: database.id,
    tables: null,
    leaves_hidden_out: false,
    ...more,
  });
  return fileId;
}

/** Restores the first revision of a file into an empty database and returns the id of the load. */
export async function restoreInto(harness: WorkerHarness, database: TestDb, fileId: string): Promise<string> {
  const loadId = await insertLoad(harness, 'restore', fileId, database);
  await harness.runTask('restore_database', {
    load_id: loadId,
    file_id: fileId,
    database_id: database.id,
    revision: 1,
  });
  return loadId;
}
