import { Injectable } from '@nestjs/common';
import type { DatabaseAnswer, LoadAnswer, RestoreRequest } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { CallContext } from '../../access/call-context.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { DatabasePlacement } from '../databases/database-placement.js';
import { DatabaseService } from '../databases/database-service.js';
import { LoadService } from './load-service.js';
import { readManifest } from './transfer-answers.js';
import { TransferFiles } from './transfer-files.js';

/** Creates databases from files. */
@Injectable()
export class RestoreService {
  constructor(
    private readonly files: TransferFiles,
    private readonly databases: DatabaseService,
    private readonly placement: DatabasePlacement,
    private readonly loads: LoadService,
    private readonly tasks: TaskRunner,
    private readonly audit: AuditWriter,
  ) {}

  /** Responds before it is finished if that takes long, as the `state` of both shows. */
  async restore(call: CallContext, request: RestoreRequest): Promise<{ database: DatabaseAnswer; load: LoadAnswer }> {
    const { project } = call;
    const file = await this.files.findReady(project.id, request.file);
    await this.databases.assertFree(project.id, request.environment);
    const { hiddenColumns = {}, numberColumns = {} } = readManifest(file);
    const from = { fileId: file.id, revision: file.revision ?? 0, rowsTotal: file.rowsTotal, accountId: call.accountId, settings: { hidden_columns: hiddenColumns, number_columns: numberColumns } };
    const [made] = await this.databases.insertMany(project, [{ environment: request.environment, from }], { preferred: await this.placement.readEngineOf(file.databaseId) });
    if (made === undefined || made.loadId === null) throw new AppError('internal.defect', { internal: 'a restore made no database' });
    await this.databases.assertHolds(call, made.databaseId);
    await this.audit.write(call, { action: 'database.restore', target: made.databaseId, databaseId: made.databaseId, detail: { file: file.id, environment: request.environment } });
    await this.tasks.wait(made.taskId).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
    return { database: await this.databases.find(made.databaseId), load: await this.loads.find(made.databaseId, made.loadId) };
  }
}
