import { Injectable } from '@nestjs/common';
import type { LoadResponse, LoadRowsRequest } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { In, type EntityManager } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { NEW_LOAD, TransferLoad } from '../../platform-db/entities/transfer-load.js';
import { insertRow } from '../../platform-db/typed-rows.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { lockDatabase } from '../databases/database-locks.js';
import { toLoadResponse } from './transfer-responses.js';
import { AT_WORK, TransferFiles } from './transfer-files.js';

/** Loads files into databases. */
@Injectable()
export class LoadService {
  constructor(
    private readonly db: PlatformDb,
    private readonly files: TransferFiles,
    private readonly tasks: TaskRunner,
    private readonly audit: AuditWriter,
  ) {}

  async list(databaseId: string): Promise<LoadResponse[]> {
    return (
      await this.#rows.find({ where: { databaseId }, order: { createdAt: 'DESC', id: 'ASC' }, take: 200 })
    ).map(toLoadResponse);
  }

  async find(databaseId: string, id: string): Promise<LoadResponse> {
    return toLoadResponse(await this.#findRow(databaseId, id));
  }

  /** Starts to load the rows of a file of the same project. A database can have one load at a time. */
  async begin(context: RequestContext, request: LoadRowsRequest): Promise<LoadResponse> {
    const { database } = context;
    if (database.provisionState !== 'ready') throw new AppError('db.provisioning', { retryAfterSeconds: 2 });
    const id = createId('lod');
    const taskId = await this.db.cellTransaction(async (manager) => {
      const file = await this.files.lockReady(manager, database.projectId, request.file);
      await assertNoneRunning(manager, database.id);
      await insertRow(manager.getRepository(TransferLoad), {
        ...NEW_LOAD,
        id,
        cellId: this.db.cellId,
        projectId: database.projectId,
        databaseId: database.id,
        fileId: file.id,
        kind: 'rows',
        rowsTotal: file.rowsTotal,
        createdBy: context.accountId,
        createdAt: new Date(this.db.nowMs()),
      });
      await this.audit.record(manager, context, {
        action: 'database.load',
        target: id,
        detail: { file: file.id },
      });
      return this.#insertTask(manager, context, id, file.id);
    });
    return this.#awaitTask(context, id, taskId);
  }

  /** Continues a load where it stopped. */
  async retry(context: RequestContext, id: string): Promise<LoadResponse> {
    const row = await this.#findRow(context.database.id, id);
    if (row.kind !== 'rows' || (row.state !== 'failed' && row.state !== 'cancelled'))
      throw new AppError('transfer.not_possible', {
        detail: `Only a load with missing rows can be retried. This one has the state ${row.state}.`,
      });
    const taskId = await this.db.cellTransaction(async (manager) => {
      await this.files.lockReady(manager, row.projectId, row.fileId);
      await assertNoneRunning(manager, row.databaseId);
      await manager.query(
        `UPDATE transfer_load SET state = 'queued', finished_at = NULL WHERE id = ? AND cell_id = ? AND state IN ('failed', 'cancelled')`,
        [id, this.db.cellId],
      );
      await this.audit.record(manager, context, {
        action: 'database.load',
        target: id,
        detail: { again: true },
      });
      return this.#insertTask(manager, context, id, row.fileId);
    });
    return this.#awaitTask(context, id, taskId);
  }

  /**
   * Cancels a load. Rows that are already loaded remain. A database that was being created from the file is
   * removed.
   */
  async cancel(context: RequestContext, id: string): Promise<LoadResponse> {
    const row = await this.#findRow(context.database.id, id);
    if (!AT_WORK.some((state) => state === row.state))
      throw new AppError('transfer.not_possible', {
        detail: `It has already ended with the state ${row.state}.`,
      });
    await this.audit.changeCell(context, { action: 'database.load.cancel', target: id }, (manager) =>
      manager.query(
        `UPDATE transfer_load SET state = 'cancelled', finished_at = UTC_TIMESTAMP(3) WHERE id = ? AND cell_id = ? AND state IN (?)`,
        [id, this.db.cellId, AT_WORK],
      ),
    );
    return this.find(context.database.id, id);
  }

  /** Inserts the task in the transaction of its load, because a load without a task would block later ones. */
  #insertTask(
    manager: EntityManager,
    { database }: RequestContext,
    loadId: string,
    fileId: string,
  ): Promise<string> {
    const payload = { load_id: loadId, file_id: fileId, database_id: database.id, revision: 0 };
    return this.tasks.insert(manager, 'load_rows', payload, {
      databaseId: database.id,
      projectId: database.projectId,
    });
  }

  async #awaitTask({ database }: RequestContext, loadId: string, taskId: string): Promise<LoadResponse> {
    await this.tasks.notify(taskId);
    // The error is ignored here, because the load's row contains the worker's error.
    await this.tasks.wait(taskId).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
    return this.find(database.id, loadId);
  }

  async #findRow(databaseId: string, id: string): Promise<TransferLoad> {
    const row = await this.#rows.findOneBy({ id, databaseId });
    if (row === null) throw new AppError('resource.not_found', { detail: 'The load does not exist.' });
    return row;
  }

  get #rows() {
    return this.db.cell.getRepository(TransferLoad);
  }
}

/**
 * Throws when the database has another load. The lock makes concurrent requests see each other. Otherwise two
 * loads would both find empty tables.
 */
async function assertNoneRunning(manager: EntityManager, databaseId: string): Promise<void> {
  await lockDatabase(manager, databaseId);
  if (!(await manager.getRepository(TransferLoad).existsBy({ databaseId, state: In([...AT_WORK]) }))) return;
  throw new AppError('transfer.not_possible', {
    detail: 'A load into this database is already running.',
  });
}
