import type { DatabaseResponse } from '@rowhouse/contracts';
import { ApiError } from '../client/api-error.js';
import { readGateway, toTablePath } from '../gateway/call-gateway.js';
import type { TableView } from '../schema/read-tables.js';
import type { Row } from './cell-text.js';

/** A change of one row, as it is sent to the gateway. */
export interface RowChange {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly id: string;
  /** The path of the record. Null for a new record. */
  readonly path: string | null;
  readonly etag: string | null;
  readonly values: Row;
}

/**
 * The result of a batch. Either all changes were saved, or none was, and the errors are listed by the id of
 * the change.
 */
export type BatchResult =
  | { readonly kind: 'done'; readonly saved: readonly SavedChange[] }
  | {
      readonly kind: 'rejected';
      readonly error: ApiError;
      readonly faults: Readonly<Record<string, RowFault>>;
    };

export interface RowFault {
  readonly message: string;
  readonly columns: Readonly<Record<string, string>>;
  /**
   * Set if someone else has changed the row. `current` is the row as it is stored now, or null if it was
   * deleted.
   */
  readonly conflict: { readonly current: Row | null; readonly etag: string | null } | null;
}

/** A change that was saved. `values` is the row as it is stored now, or null after a deletion. */
export interface SavedChange {
  readonly id: string;
  readonly values: Row | null;
  readonly etag: string | null;
}

/**
 * Identifies a batch of changes. The gateway runs a batch only once, even if it is sent again with the same
 * identity.
 */
export interface BatchIdentity {
  readonly idempotencyKey: string;
  /** Whether the response omits the records. The records are then read one by one. */
  readonly isMinimal: boolean;
}

const CONFLICTS = new Set(['record.stale', 'record.not_found', 'record.precondition_required']);

interface BatchResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Row | null;
}

/**
 * Sends all changes as one batch. The gateway stores either all changes or none. Throws `ApiError` for an
 * error that was not caused by a single change.
 */
export async function applyChanges(
  database: DatabaseResponse,
  table: TableView,
  changes: readonly RowChange[],
  { idempotencyKey, isMinimal }: BatchIdentity,
): Promise<BatchResult> {
  const operations = changes.map((change) => toOperation(table, change));
  try {
    const { body } = await readGateway<BatchResponse[]>(database, {
      method: 'POST',
      path: '/_batch',
      body: { operations },
      headers: {
        Prefer: `${isMinimal ? 'return=minimal, ' : ''}numbers=string`,
        'Idempotency-Key': idempotencyKey,
      },
    });
    const saved = isMinimal
      ? await Promise.all(changes.map((change, index) => readSaved(database, table, change, body[index])))
      : changes.map(({ id }, index) => ({
          id,
          values: body[index]?.body ?? null,
          etag: body[index]?.headers['ETag'] ?? null,
        }));
    return { kind: 'done', saved };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const position = error.extra['operation'];
    const rejected = typeof position === 'number' ? changes[position] : undefined;
    if (rejected === undefined) throw error;
    const reported = { [rejected.id]: toRowFault(error, table) };
    const stale = CONFLICTS.has(error.code) ? await findConflicts(database, table, changes) : {};
    return { kind: 'rejected', error, faults: { ...reported, ...stale } };
  }
}

/**
 * Reads a row that was saved, because the batch's response contains no records. Returns null for the row if
 * it was deleted or cannot be read.
 */
async function readSaved(
  database: DatabaseResponse,
  table: TableView,
  { id, kind, path }: RowChange,
  response: BatchResponse | undefined,
): Promise<SavedChange> {
  const created = response?.headers['Location']?.split('/').at(-1);
  const rowPath = kind === 'insert' ? created : path;
  if (kind === 'delete' || !rowPath) return { id, values: null, etag: null };
  try {
    const { body, headers } = await readRow(database, table, rowPath);
    return { id, values: body, etag: headers.get('etag') };
  } catch {
    // The batch is stored, so this failed read must not be shown as a failed save.
    return { id, values: null, etag: null };
  }
}

function toOperation(table: TableView, { kind, path, etag, values }: RowChange): Row {
  const address = `${toTablePath(table)}${path === null ? '' : `/${path}`}`;
  if (kind === 'insert') return { method: 'POST', path: address, body: wrapJson(table, values) };
  const ifMatch = etag === null ? {} : { if_match: etag };
  return kind === 'delete'
    ? { method: 'DELETE', path: address, ...ifMatch }
    : { method: 'PATCH', path: address, body: wrapJson(table, values), ...ifMatch };
}

/**
 * Wraps JSON values of the form `{"$value": …}` once more, because the gateway unwraps this form in batches.
 */
function wrapJson(table: TableView, values: Row): Row {
  const isJson = (name: string): boolean =>
    table.columns.find((column) => column.name === name)?.valueKind === 'json';
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isJson(name) && typeof value === 'object' && value !== null && '$value' in value
        ? { $value: value }
        : value,
    ]),
  );
}

function toRowFault(error: ApiError, table: TableView): RowFault {
  const columns: Record<string, string> = {};
  for (const { path, message } of error.faults) {
    const [name] = path;
    if (table.columns.some((column) => column.name === name)) columns[String(name)] = message;
  }
  const named = Array.isArray(error.extra['columns']) ? error.extra['columns'].map(String) : [];
  for (const name of named) columns[name] ??= error.message;
  return { message: error.details.join(' '), columns, conflict: null };
}

/**
 * Finds all rows that someone else has changed since they were loaded. The batch's response reports only the
 * first one.
 */
async function findConflicts(
  database: DatabaseResponse,
  table: TableView,
  changes: readonly RowChange[],
): Promise<Record<string, RowFault>> {
  const stored = changes.filter((change) => change.path !== null && change.etag !== null);
  const found = await Promise.all(stored.map((change) => readVersion(database, table, change)));
  return Object.fromEntries(found.filter((entry) => entry !== null));
}

async function readVersion(
  database: DatabaseResponse,
  table: TableView,
  change: RowChange,
): Promise<readonly [string, RowFault] | null> {
  try {
    const { body, headers } = await readRow(database, table, change.path ?? '');
    const etag = headers.get('etag');
    if (etag === change.etag) return null;
    return [
      change.id,
      {
        message: 'Someone else changed this row after you loaded it.',
        columns: {},
        conflict: { current: body, etag },
      },
    ];
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      return [
        change.id,
        {
          message: 'This row has since been deleted.',
          columns: {},
          conflict: { current: null, etag: null },
        },
      ];
    // The batch was rejected, and a failed read must not hide the reason. The next save checks the row again.
    return null;
  }
}

function readRow(
  database: DatabaseResponse,
  table: TableView,
  path: string,
): Promise<{ readonly body: Row; readonly headers: Headers }> {
  return readGateway<Row>(database, {
    path: `${toTablePath(table)}/${path}`,
    headers: { Prefer: 'numbers=string' },
  });
}
