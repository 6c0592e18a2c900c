import {
  AppError,
  DEADLOCK,
  LOCK_WAIT_TIMEOUT,
  OUT_OF_RANGE,
  DATA_TRUNCATED,
  WRONG_VALUE,
  DIVISION_BY_ZERO,
  WRONG_VALUE_FOR_COLUMN,
  DATA_TOO_LONG,
  WRONG_VALUE_FOR_FUNCTION,
  MARIADB_INCOMPATIBLE_TYPES,
} from '@rowhouse/errors';
import { quoteName, readServerFault } from '@rowhouse/mysql';
import { LeaseLostError, type TransferChunk, type TransferFileRecord } from '@rowhouse/platform-store';
import { cleanMessage } from '../scratch/apply-schema-text.js';
import type { WorkerContext } from '../worker-context.js';
import { readChunkText } from './chunk-writer.js';
import type { LoadPosition, LoadSession } from './load-session.js';

/** A load of rows, and the values that its errors may contain. */
export interface RowLoad {
  readonly loadId: string;
  readonly file: TransferFileRecord;
  readonly schemaName: string;
}

/**
 * Loads the remaining chunks one at a time. Throws `transfer.rows_refused` with the table and the server's
 * message.
 */
export async function loadRowsOfFile(
  ctx: Pick<WorkerContext, 'failPoint' | 'transfers'>,
  session: LoadSession,
  load: RowLoad,
): Promise<LoadPosition> {
  const { file, loadId } = load;
  let position = await session.read();
  while (position.done < file.chunks) {
    const chunk = await ctx.transfers.readChunk(file.id, file.generation, position.done);
    if (chunk === null) throw new AppError('resource.not_found', { detail: 'The file was deleted.' });
    const text = await readChunkText(chunk.body);
    const next: LoadPosition = { stage: 'rows', done: position.done + 1, rows: position.rows + chunk.rows };
    const isMine = await session.step(position, next, () => insert(session, load, chunk, text));
    if (!isMine) throw new LeaseLostError(loadId);
    ctx.failPoint('load-chunk');
    position = next;
    await ctx.transfers.noteLoad(loadId, { state: 'running', chunksDone: next.done, rowsDone: next.rows });
  }
  return position;
}

/** The server's errors for values that do not fit their column. */
const UNFIT_VALUE: ReadonlySet<number> = new Set([
  OUT_OF_RANGE,
  DATA_TRUNCATED,
  WRONG_VALUE,
  DIVISION_BY_ZERO,
  WRONG_VALUE_FOR_COLUMN,
  DATA_TOO_LONG,
  WRONG_VALUE_FOR_FUNCTION,
  MARIADB_INCOMPATIBLE_TYPES,
]);

/**
 * Inserts the rows of one chunk. Rows that Rowhouse exported must fit. Rows of a dump are stored as a default
 * server would store them, and the notes list each value that changes.
 */
async function insertRows(
  session: LoadSession,
  { file }: RowLoad,
  tableName: string,
  text: string,
): Promise<number> {
  try {
    return (await session.connection.run(text)).affectedRows;
  } catch (error) {
    const isDump = file.manifest?.tables.every((table) => table.digest === null) === true;
    const fault = readServerFault(error);
    if (!isDump || fault === null || fault.isConnectionLost || !UNFIT_VALUE.has(fault.errno)) throw error;
    const [before] = await session.connection.rows<{ n: number | string }>(
      `SELECT COUNT(*) AS n FROM ${quoteName(tableName)}`,
    );
    const { affectedRows, warnings } = await session.runLeniently(text);
    const lines = warnings.map(
      (warning) =>
        `${tableName}: ${warning.replace(/\brow (\d+)$/, (_all, row: string) => `row ${Number(row) + Number(before?.n ?? 0)}`)}. The value was changed to fit.`,
    );
    await session.notes.add(lines);
    return affectedRows;
  }
}

async function insert(
  session: LoadSession,
  load: RowLoad,
  { tableName, rows }: TransferChunk,
  text: string,
): Promise<void> {
  try {
    const affectedRows = await insertRows(session, load, tableName, text);
    // Rows that INSERT IGNORE skips are reported. The count of a REPLACE is not compared, because it counts a
    // replaced row twice.
    if (affectedRows < rows && text.startsWith('INSERT IGNORE'))
      await session.notes.add([
        `${tableName}: ${rows - affectedRows} rows of INSERT IGNORE were skipped, because their key ` +
          'already exists.',
      ]);
    else if (affectedRows !== rows && !text.startsWith('REPLACE'))
      throw new AppError('transfer.differs', {
        detail: `${tableName}: ${affectedRows} of ${rows} rows were imported.`,
      });
  } catch (error) {
    const fault = readServerFault(error);
    if (
      fault === null ||
      fault.isConnectionLost ||
      fault.errno === LOCK_WAIT_TIMEOUT ||
      fault.errno === DEADLOCK
    )
      throw error;
    throw new AppError('transfer.rows_refused', {
      detail: `${tableName}: ${cleanMessage(fault.message, load.schemaName)}`,
      hint: 'Earlier rows are loaded. If triggers act on rows, restore the file into a new database instead.',
      extra: { table: tableName, errno: fault.errno },
    });
  }
}
