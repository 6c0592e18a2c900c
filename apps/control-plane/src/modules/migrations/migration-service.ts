import { Inject, Injectable } from '@nestjs/common';
import {
  MIGRATION_END_STATES,
  type SoftDeletedResponse,
  type ListResponse,
  type MigrationResponse,
  type MigrationState,
  type MigrationStepResponse,
  type QueueResponse,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { In, IsNull } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import type { Config } from '../../config.js';
import { toIso } from '../../http/timestamps.js';
import { Account } from '../../platform-db/entities/account.js';
import { ConnectionUser } from '../../platform-db/entities/connection-user.js';
import { SoftDeletedObjectRow } from '../../platform-db/entities/soft-deleted-object-row.js';
import { MigrationRow } from '../../platform-db/entities/migration-row.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { readPage } from '../../platform/read-page.js';
import { CONFIG } from '../../platform/tokens.js';
import { toMigrationResponse, type ActorNames } from './migration-response.js';
import type { MigrationSnapshot } from './stream-migration.js';

const QUEUE_SHOWN_MAX = 200;
/** The plan's column is selected separately, because its value may have megabytes. */
const PLAN = 'm.plan';

export interface HistoryPage {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Restricts the list to one database. */
  readonly databaseId?: string | undefined;
}

/** Reads the migration journal and requests cancellations. */
@Injectable()
export class MigrationService {
  constructor(
    private readonly db: PlatformDb,
    private readonly audit: AuditWriter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Lists migrations, newest first. The cursor is the time and id of the last entry. */
  async list(projectId: string, page: HistoryPage): Promise<ListResponse<MigrationResponse>> {
    const query = this.#rows.createQueryBuilder('m').where('m.projectId = :projectId', { projectId });
    if (page.databaseId !== undefined)
      query.andWhere('m.databaseId = :databaseId', { databaseId: page.databaseId });
    if (page.cursor !== undefined) {
      const { at: date, id } = readCursor(page.cursor);
      query.andWhere('(m.createdAt < :at OR (m.createdAt = :at AND m.id < :id))', { at: date, id });
    }
    query.orderBy('m.createdAt', 'DESC').addOrderBy('m.id', 'DESC');
    const { rows, isLast } = await readPage(query, PLAN, page.limit);
    const last = rows.at(-1);
    return {
      items: await this.toResponses(rows),
      next_cursor: isLast || last === undefined ? null : `${last.createdAt.toISOString()}_${last.id}`,
    };
  }

  /** Lists unfinished migrations in the order in which the worker runs them, one at a time per database. */
  async showQueue(databaseId: string): Promise<QueueResponse> {
    const query = this.#rows
      .createQueryBuilder('m')
      .where('m.databaseId = :databaseId AND m.state NOT IN (:...states)', {
        databaseId,
        states: [...MIGRATION_END_STATES, 'draft'],
      })
      .orderBy('m.createdAt', 'ASC')
      .addOrderBy('m.id', 'ASC');
    const { rows } = await readPage(query, PLAN, QUEUE_SHOWN_MAX);
    return { items: await this.toResponses(rows), next_cursor: null, is_locked: this.config.ddlLocked };
  }

  async toResponses(rows: readonly MigrationRow[]): Promise<MigrationResponse[]> {
    const names = await this.#readNames(rows);
    return rows.map((row) => toMigrationResponse(row, names));
  }

  /**
   * Cancels a migration. A queued migration ends immediately. A running one ends at its next safe point, if
   * one is left.
   */
  async cancel(context: RequestContext): Promise<MigrationResponse> {
    const { id, state } = context.migration;
    if (MIGRATION_END_STATES.includes(state))
      throw new AppError('schema.not_possible', {
        detail: `This migration has already ended with the state ${state}.`,
      });
    await this.audit.changeCell(context, { action: 'migration.cancel', target: id }, (manager) =>
      manager.query(
        `UPDATE migration SET cancel_requested_at = COALESCE(cancel_requested_at, UTC_TIMESTAMP(3)),
         finished_at = IF(state = 'queued', UTC_TIMESTAMP(3), finished_at), state = IF(state = 'queued', 'cancelled', state) WHERE id = ?`,
        [id],
      ),
    );
    return this.find(id);
  }

  async find(id: string): Promise<MigrationResponse> {
    const [answer] = await this.toResponses([await this.#rows.findOneByOrFail({ id })]);
    return answer as MigrationResponse;
  }

  async check(id: string): Promise<MigrationSnapshot> {
    const [row] = await this.db.cell.query<{ state: MigrationState }[]>(
      'SELECT state, progress, published_number, rows_done, rows_total, eta_seconds, error, started_at, finished_at, reverts_id FROM migration WHERE id = ?',
      [id],
    );
    if (row === undefined)
      throw new AppError('resource.not_found', { detail: 'The migration does not exist.' });
    return { state: row.state, text: JSON.stringify(row) };
  }

  /** Returns the steps that the run has recorded. The list is empty before the run starts. */
  async listSteps(migrationId: string): Promise<ListResponse<MigrationStepResponse>> {
    const rows = await this.db.cell.query<StepView[]>(
      'SELECT ordinal, kind, table_name, statement, strategy, state, started_at, finished_at FROM migration_step WHERE migration_id = ? ORDER BY ordinal',
      [migrationId],
    );
    const items = rows.map((row) => ({
      ordinal: row.ordinal,
      kind: row.kind,
      table: row.table_name,
      statement: row.statement,
      strategy: row.strategy,
      state: row.state,
      started_at: toIso(row.started_at),
      finished_at: toIso(row.finished_at),
      duration_ms:
        row.started_at === null || row.finished_at === null
          ? null
          : row.finished_at.getTime() - row.started_at.getTime(),
    }));
    return { items, next_cursor: null };
  }

  /** Returns the objects that the migrations of a database have soft-deleted and not purged yet. */
  async listSoftDeleted(databaseId: string): Promise<ListResponse<SoftDeletedResponse>> {
    const rows = await this.db.cell.getRepository(SoftDeletedObjectRow).find({
      where: { databaseId, outcome: IsNull() },
      order: { keptAt: 'DESC', id: 'ASC' },
      take: 500,
      select: {
        id: true,
        migrationId: true,
        kind: true,
        tableName: true,
        columnName: true,
        keptAt: true,
        expiresAt: true,
      },
    });
    const items = rows.map((row) => ({
      id: row.id,
      migration: row.migrationId,
      kind: row.kind,
      table: row.tableName,
      column: row.columnName,
      kept_at: row.keptAt.toISOString(),
      expires_at: row.expiresAt.toISOString(),
    }));
    return { items, next_cursor: null };
  }

  /** Marks soft-deleted data as due, so that the worker's next sweep deletes it. */
  async purge(context: RequestContext): Promise<void> {
    const { id } = context.migration;
    await this.audit.changeCell(context, { action: 'migration.purge', target: id }, (manager) =>
      manager.query(
        'UPDATE kept_object SET expires_at = UTC_TIMESTAMP(3) WHERE migration_id = ? AND outcome IS NULL',
        [id],
      ),
    );
  }

  async #readNames(rows: readonly MigrationRow[]): Promise<ActorNames> {
    const pick = (isDirect: boolean): string[] => [
      ...new Set(
        rows
          .filter((row) => (row.origin === 'direct') === isDirect && row.createdBy !== '')
          .map((row) => row.createdBy),
      ),
    ];
    const [accountIds, connectionIds] = [pick(false), pick(true)];
    const accounts =
      accountIds.length === 0
        ? []
        : await this.db.global
            .getRepository(Account)
            .find({ where: { id: In(accountIds) }, select: { id: true, name: true, email: true } });
    const connections =
      connectionIds.length === 0
        ? []
        : await this.db.cell
            .getRepository(ConnectionUser)
            .find({ where: { id: In(connectionIds) }, select: { id: true, name: true } });
    return new Map([
      ...accounts.map((account): [string, string] => [
        account.id,
        account.name === '' ? account.email : account.name,
      ]),
      ...connections.map((connectionUser): [string, string] => [connectionUser.id, connectionUser.name]),
    ]);
  }

  get #rows() {
    return this.db.cell.getRepository(MigrationRow);
  }
}

interface StepView {
  ordinal: number;
  kind: string;
  table_name: string;
  statement: string;
  strategy: string;
  state: string;
  started_at: Date | null;
  finished_at: Date | null;
}

function readCursor(text: string): { at: Date; id: string } {
  const [, time = '', id = ''] = /^([^_]+)_(.+)$/.exec(text) ?? [];
  const date = new Date(time);
  if (Number.isNaN(date.getTime()))
    throw new AppError('params.invalid', {
      faults: [
        { loc: ['query', 'cursor'], msg: 'The cursor does not belong to this list.', type: 'value_error' },
      ],
    });
  return { at: date, id };
}
