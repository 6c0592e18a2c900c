import { Injectable } from '@nestjs/common';
import type { ExportRequest, TransferFileResponse, TransferKind } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { EntityManager } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { findUnknownNames, rejectUnknownNames } from '../../http/reject-unknown-names.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import type { TransferFile } from '../../platform-db/entities/transfer-file.js';
import { MigrationRow } from '../../platform-db/entities/migration-row.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';
import { toFileResponse } from './transfer-responses.js';
import { TransferFiles } from './transfer-files.js';

export interface ExportInput {
  readonly kind: Extract<TransferKind, 'export' | 'share'>;
  readonly tables: readonly string[] | undefined;
  /** Whether to omit the values of hidden columns, for files that leave the project. */
  readonly leavesHiddenOut: boolean;
  readonly expiresAt?: Date | null;
}

/** Exports databases to files. */
@Injectable()
export class ExportService {
  constructor(
    private readonly db: PlatformDb,
    private readonly files: TransferFiles,
    private readonly tasks: TaskRunner,
    private readonly snapshots: SnapshotReader,
    private readonly audit: AuditWriter,
  ) {}

  /**
   * Starts an export. If it takes long, the response is sent before the file is complete, as the file's
   * `state` shows.
   */
  async export(context: RequestContext, request: ExportRequest): Promise<TransferFileResponse> {
    const { file, taskId } = await this.begin(
      context.accountId,
      context.database,
      { kind: 'export', tables: request.tables, leavesHiddenOut: false },
      (manager, fileId) =>
        this.audit.record(manager, context, {
          action: 'database.export',
          target: fileId,
          detail: { tables: request.tables ?? null },
        }),
    );
    await this.waitAWhile(taskId);
    return toFileResponse(await this.files.rows.findOneByOrFail({ id: file.id }));
  }

  async begin(
    createdBy: string,
    database: TenantDatabase,
    input: ExportInput,
    record?: (manager: EntityManager, fileId: string) => Promise<void>,
  ): Promise<{ file: TransferFile; taskId: string }> {
    if (database.provisionState !== 'ready') throw new AppError('db.provisioning', { retryAfterSeconds: 2 });
    if (input.tables !== undefined) await this.#assertTables(database, input.tables);
    const revision = await this.#deployedRevision(database.id);
    let taskId = '';
    const file = await this.files.insert(
      {
        projectId: database.projectId,
        kind: input.kind,
        databaseId: database.id,
        revision,
        createdBy,
        ...(input.expiresAt === undefined ? {} : { expiresAt: input.expiresAt }),
      },
      async (manager, fileId) => {
        await record?.(manager, fileId);
        // Without a task, the file would never be written, but would count towards the quota for days.
        taskId = await this.tasks.insert(
          manager,
          'export_database',
          {
            file_id: fileId,
            database_id: database.id,
            tables: input.tables ?? null,
            leaves_hidden_out: input.leavesHiddenOut,
          },
          { databaseId: database.id, projectId: database.projectId },
        );
      },
    );
    await this.tasks.notify(taskId);
    return { file, taskId };
  }

  /**
   * Waits for a task for a limited time. Throws the worker's error, but does not throw when the worker needs
   * more time.
   */
  async waitAWhile(taskId: string): Promise<void> {
    await this.tasks.wait(taskId).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'db.timeout')) throw error;
    });
  }

  async #assertTables(database: TenantDatabase, names: readonly string[]): Promise<void> {
    const known = ((await this.snapshots.deployed(database))?.tables ?? [])
      .filter((table) => table.kind === 'table')
      .map((table) => table.name);
    rejectUnknownNames(
      findUnknownNames(names, known, (name, index) => ({
        loc: ['body', 'tables', index],
        msg: `The table ${name} does not exist.`,
        type: 'unknown_table',
      })),
    );
  }

  async #deployedRevision(databaseId: string): Promise<number> {
    const last = await this.db.cell
      .getRepository(MigrationRow)
      .createQueryBuilder('m')
      .where("m.databaseId = :databaseId AND m.state = 'published' AND m.origin <> 'direct'", { databaseId })
      .orderBy('m.publishedNumber', 'DESC')
      .getOne();
    return last?.revision ?? 0;
  }
}
