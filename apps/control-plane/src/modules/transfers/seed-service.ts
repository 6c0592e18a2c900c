import { Injectable } from '@nestjs/common';
import type { SeedResponse, SeedRequest } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { RequestContext } from '../../access/request-context.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { readStarterRows } from '../../starters/read-starter.js';

const ROWS_USUAL = 20;
const SEED_USUAL = 'rowhouse';
/**
 * The maximum wait in milliseconds. Inserting the maximum number of rows takes some seconds, and longer on a
 * busy server.
 */
const DEADLINE_MS = 60_000;
/** Matches names of environments that serve real users. */
const SERVES_USERS = /(^|-)(prod|production|live|main|primary)\d*(-|$)/;

/** Creates sample rows for empty tables. */
@Injectable()
export class SeedService {
  constructor(
    private readonly db: PlatformDb,
    private readonly tasks: TaskRunner,
    private readonly audit: AuditWriter,
  ) {}

  async seed(context: RequestContext, request: SeedRequest): Promise<SeedResponse> {
    const { database } = context;
    if (database.provisionState !== 'ready') throw new AppError('db.provisioning', { retryAfterSeconds: 2 });
    if (SERVES_USERS.test(database.environment) && request.production !== true) {
      throw new AppError('transfer.not_possible', {
        detail: `Sample rows for ${database.environment} need an explicit confirmation.`,
        hint: 'Choose another database, or send "production": true.',
        extra: { needs: 'production' },
      });
    }
    const { rows = ROWS_USUAL, seed = SEED_USUAL, tables = null, append = false, starter } = request;
    const given = starter === undefined ? {} : { statements: await readStarterRows(starter) };
    const taskId = await this.db.cellTransaction(async (manager) => {
      await this.audit.record(manager, context, {
        action: 'database.seed',
        target: database.id,
        detail: starter === undefined ? { seed, rows, tables: tables?.slice(0, 100) ?? null } : { starter },
      });
      return this.tasks.insert(
        manager,
        'seed_rows',
        { database_id: database.id, tables, rows, seed, into_full: append, ...given },
        { databaseId: database.id, projectId: database.projectId },
      );
    });
    await this.tasks.notify(taskId);
    const done = await this.tasks.wait<'seed_rows'>(taskId, DEADLINE_MS);
    return { seed, rows: done.rows, tables: done.tables.map((table) => ({ ...table })) };
  }
}
