import type { LoadResponse, TransferFileResponse, TransferManifest } from '@rowhouse/contracts';
import { toIso } from '../../http/timestamps.js';
import type { TransferFile } from '../../platform-db/entities/transfer-file.js';
import type { TransferLoad } from '../../platform-db/entities/transfer-load.js';

/** Converts a file row to its response. */
export function toFileResponse(row: TransferFile): TransferFileResponse {
  const manifest = readManifest(row);
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    database: row.databaseId,
    bytes: row.bytes,
    rows: row.rowsTotal,
    tables: manifest.tables.map(({ name, rows }) => ({ name, rows })),
    notes: [...manifest.notes],
    problems: [...manifest.problems],
    problems_total: manifest.problemsTotal,
    revision: row.revision,
    error: row.error === null ? null : { code: row.error.code, detail: row.error.detail },
    created_at: row.createdAt.toISOString(),
    finished_at: toIso(row.finishedAt),
    expires_at: toIso(row.expiresAt),
  };
}

const EMPTY: TransferManifest = { tables: [], notes: [], problems: [], problemsTotal: 0 };

export function readManifest(row: Pick<TransferFile, 'manifest'>): TransferManifest {
  return row.manifest === null ? EMPTY : (JSON.parse(row.manifest) as TransferManifest);
}

/** Converts a load row to its response. */
export function toLoadResponse(row: TransferLoad): LoadResponse {
  const { error } = row;
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    database: row.databaseId,
    file: row.fileId,
    rows_done: row.rowsDone,
    rows_total: row.rowsTotal,
    notes: row.notes ?? [],
    error:
      error === null
        ? null
        : {
            code: error.code,
            detail: error.detail,
            ...(error.hint === undefined ? {} : { hint: error.hint }),
            ...(error.extra === undefined ? {} : { extra: error.extra }),
          },
    created_at: row.createdAt.toISOString(),
    started_at: toIso(row.startedAt),
    finished_at: toIso(row.finishedAt),
  };
}
