import { Injectable } from '@nestjs/common';
import type { DatabaseResponse, LoadResponse, RestoreRequest } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { RequestContext } from '../../access/request-context.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { DatabasePlacement } from '../databases/database-placement.js';
import { DatabaseService } from '../databases/database-service.js';
import { LoadService } from './load-service.js';
import { readManifest } from './transfer-responses.js';
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

  /**
   * Creates a database from a file. If that takes long, the response is sent before it is complete, as the
   * `state` of both shows.
   */
  async restore(
    context: RequestContext,
    request: RestoreRequest,
  ): Promise<{ database: DatabaseResponse; load: LoadResponse }> {
    const { project } = context;
    const file = await this.files.findReady(project.id, request.file);
    await this.databases.assertFree(project.id, request.environment);
    const { hiddenColumns = {}, numberColumns = {} } = readManifest(file);
    const from = {
      fileId: file.id,
      revision: file.revision ?? 0,
      rowsTotal: file.rowsTotal,
      accountId: context.accountId,
      settings: { hidden_columns: hiddenColumns, number_columns: numberColumns },
    };
    const [created] = await this.databases.insertMany(project, [{ environment: request.environment, from }], {
      preferred: await this.placement.readEngineOf(file.databaseId),
      record: async (manager, databaseId) => {
        await this.files.lockReady(manager, project.id, file.id);
        await this.audit.record(manager, context, {
          action: 'database.restore',
          target: databaseId,
          databaseId,
          detail: { file: file.id, environment: request.environment },
        });
      },
    });
    if (created === undefined || created.loadId === null)
      throw new AppError('internal.defect', { internal: 'a restore made no database' });
    await this.databases.assertStillAllowed(context, created.databaseId);
    await this.tasks.wait(created.taskId).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
    return {
      database: await this.databases.find(created.databaseId),
      load: await this.loads.find(created.databaseId, created.loadId),
    };
  }
}
