import { AppError } from '@rowhouse/errors';
import { readServerFault } from '@rowhouse/mysql';
import { LeaseLostError, type TransferChunk, type TransferFileRecord } from '@rowhouse/platform-store';
import { cleanMessage } from '../scratch/apply-schema-text.js';
import type { WorkerContext } from '../worker-context.js';
import { readChunkText } from './chunk-writer.js';
import type { LoadPosition, LoadSession } from './load-session.js';

/** The load and what of it may be told. */
export interface RowLoad {
  readonly loadId: string;
  readonly file: TransferFileRecord;
  readonly schemaName: string;
}

/** Brings in the pieces that are not in yet, one at a time. Throws `transfer.rows_refused` with the table and the server's words. */
export async function loadRowsOfFile(ctx: WorkerContext, session: LoadSession, load: RowLoad): Promise<LoadPosition> {
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

async function insert(session: LoadSession, load: RowLoad, { tableName, rows }: TransferChunk, text: string): Promise<void> {
  try {
    const { affectedRows } = await session.connection.run(text);
    if (affectedRows !== rows) throw new AppError('transfer.differs', { detail: `${tableName}: ${affectedRows} of ${rows} rows came in.` });
  } catch (error) {
    const fault = readServerFault(error);
    if (fault === null || fault.isConnectionLost || fault.errno === 1205 || fault.errno === 1213) throw error;
    throw new AppError('transfer.rows_refused', {
      detail: `${tableName}: ${cleanMessage(fault.message, load.schemaName)}`,
      hint: 'Rows before these are in.', extra: { table: tableName, errno: fault.errno },
    });
  }
}
