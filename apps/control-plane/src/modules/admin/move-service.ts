import { Injectable } from '@nestjs/common';
import { MOVE_END_STATES, type MoveState, type TaskError } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { In, IsNull, Not, type EntityManager } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { toIso } from '../../http/timestamps.js';
import { DatabaseMove } from '../../platform-db/entities/database-move.js';
import { Project } from '../../platform-db/entities/project.js';
import { ServerRow } from '../../platform-db/entities/server-row.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { countCapacity, lockServer } from '../databases/database-locks.js';

export interface MoveResponse {
  id: string;
  database: string;
  from_server: string;
  to_server: string;
  state: MoveState;
  rows_done: number;
  rows_total: number;
  switches: number;
  pause_ms: number | null;
  error: TaskError | null;
  is_cancelled: boolean;
  created_at: string;
  started_at: string | null;
  switched_at: string | null;
  finished_at: string | null;
}

/**
 * The states in which a move can be cancelled. Once the placement was switched, this is no longer possible.
 */
const CANCELLABLE: readonly MoveState[] = ['queued', 'copying', 'comparing', 'switching'];

/** Requests moves of databases between servers. A worker finds each request in the table. */
@Injectable()
export class MoveService {
  constructor(
    private readonly db: PlatformDb,
    private readonly audit: AuditWriter,
  ) {}

  async begin(context: RequestContext, databaseId: string, serverId: string): Promise<MoveResponse> {
    const id = createId('mov');
    await this.db.cellTransaction(async (manager) => {
      // The server is locked before the database. Migrations use the same order, which prevents deadlocks.
      const to = await lockServer(manager, this.db.cellId, serverId);
      const database = await manager.getRepository(TenantDatabase).findOne({
        where: { id: databaseId, cellId: this.db.cellId, deletedAt: IsNull() },
        lock: { mode: 'pessimistic_write' },
      });
      if (database === null)
        throw new AppError('resource.not_found', { detail: 'The database does not exist.' });
      if (database.provisionState !== 'ready')
        throw new AppError('db.provisioning', { retryAfterSeconds: 2 });
      const isMoving = await manager
        .getRepository(DatabaseMove)
        .existsBy({ databaseId, state: Not(In([...MOVE_END_STATES])) });
      if (isMoving)
        throw new AppError('resource.conflict', {
          detail: 'The database is already being moved.',
          hint: 'Follow that move with GET, or cancel it with DELETE.',
        });
      await this.#checkServer(manager, database, to);
      await manager.getRepository(DatabaseMove).insert({
        id,
        cellId: this.db.cellId,
        databaseId,
        fromServerId: database.serverId,
        toServerId: serverId,
        createdBy: context.accountId,
        createdAt: new Date(),
      });
      await this.audit.record(manager, context, {
        action: 'database.move',
        target: databaseId,
        databaseId,
        detail: { from: database.serverId, to: serverId },
      });
    });
    return this.get(databaseId);
  }

  /** Returns the latest move of the database. */
  async get(databaseId: string): Promise<MoveResponse> {
    const [row] = await this.#rows.find({
      where: { databaseId, cellId: this.db.cellId },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: 1,
    });
    if (row === undefined)
      throw new AppError('resource.not_found', { detail: 'This database has never been moved.' });
    return toResponse(row);
  }

  async cancel(context: RequestContext, databaseId: string): Promise<MoveResponse> {
    const { id } = await this.get(databaseId);
    await this.audit.changeCell(
      context,
      { action: 'database.move_cancel', target: databaseId, databaseId, detail: { move: id } },
      async (manager) => {
        const { affected } = await manager
          .getRepository(DatabaseMove)
          .update({ id, state: In([...CANCELLABLE]) }, { cancelRequestedAt: new Date() });
        if (affected === 0)
          throw new AppError('resource.conflict', {
            detail: 'This move can no longer be cancelled.',
            hint: 'Move the database back when it is done.',
          });
      },
    );
    return this.get(databaseId);
  }

  async #checkServer(manager: EntityManager, database: TenantDatabase, to: ServerRow | null): Promise<void> {
    if (to === null) throw new AppError('resource.not_found', { detail: 'The server does not exist.' });
    const reject = (detail: string, hint?: string): never => {
      throw new AppError('resource.conflict', { detail, ...(hint === undefined ? {} : { hint }) });
    };
    if (to.id === database.serverId) reject('The database is already on this server.');
    if (
      to.organizationId !== null &&
      !(await this.db.global
        .getRepository(Project)
        .existsBy({ id: database.projectId, organizationId: to.organizationId }))
    ) {
      reject(
        'This server is dedicated to another organization.',
        'Choose a shared server, or one that is dedicated to this organization.',
      );
    }
    if (to.state !== 'active')
      reject(
        'This server does not accept more databases.',
        'Make it active again, or choose another server.',
      );
    const from = await manager.getRepository(ServerRow).findOneByOrFail({ id: database.serverId });
    if (to.capabilities === null || from.capabilities === null)
      reject(
        'The capabilities of the servers are not known yet.',
        'Check both servers with POST /api/admin/servers/{id}/probe.',
      );
    if (from.capabilities?.cluster === 'galera')
      reject(
        'The database is on a cluster, and databases cannot be moved from a cluster.',
        'Export it, and import the file into a database on the other server.',
      );
    if (to.engine !== from.engine)
      reject(
        `The database runs on ${from.engine}, but the server is ${to.engine}. Databases cannot be ` +
          'moved between engines.',
      );
    const lacking = listLacking(from.capabilities, to.capabilities);
    if (lacking.length > 0)
      reject(
        `The server lacks features of the current server: ${lacking.join(', ')}.`,
        'Choose a server of the same version or a newer one.',
      );
    if ((await countCapacity(manager, to)) < 1)
      reject('This server is full.', 'Raise its `databases_max`, or choose another server.');
  }

  get #rows() {
    return this.db.cell.getRepository(DatabaseMove);
  }
}

/** Returns capabilities that the target lacks. Statements planned for the source must stay valid. */
function listLacking(from: object | null, to: object | null): string[] {
  const there: Record<string, unknown> = { ...to };
  // These capabilities affect how a server rebuilds tables, but not the statements of a plan.
  return Object.entries(from ?? {})
    .filter(([name, value]) => value === true && there[name] !== true && name !== 'rebuild')
    .map(([name]) => name);
}

function toResponse(row: DatabaseMove): MoveResponse {
  return {
    id: row.id,
    database: row.databaseId,
    from_server: row.fromServerId,
    to_server: row.toServerId,
    state: row.state,
    rows_done: row.rowsDone,
    rows_total: row.rowsTotal,
    switches: row.switches,
    pause_ms: row.pauseMs,
    error: row.error,
    is_cancelled: row.cancelRequestedAt !== null,
    created_at: row.createdAt.toISOString(),
    started_at: toIso(row.startedAt),
    switched_at: toIso(row.switchedAt),
    finished_at: toIso(row.finishedAt),
  };
}
