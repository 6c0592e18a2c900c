import { Injectable } from '@nestjs/common';
import type {
  CreateSavedQueryRequest,
  SavedQueryResponse,
  UpdateSavedQueryRequest,
} from '@rowhouse/contracts';
import { AppError, DUPLICATE_KEY } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { QueryFailedError } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { SavedQuery } from '../../platform-db/entities/saved-query.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';

/** The maximum number of saved queries per database. */
const QUERIES_MAX = 500;

/**
 * Stores questions and statements under names. They are stored as text only, and running one requires a key.
 */
@Injectable()
export class SavedQueryService {
  constructor(
    private readonly db: PlatformDb,
    private readonly audit: AuditWriter,
  ) {}

  async list(databaseId: string): Promise<SavedQueryResponse[]> {
    return (
      await this.#rows.find({ where: { databaseId, cellId: this.db.cellId }, order: { name: 'ASC' } })
    ).map(toResponse);
  }

  async create(context: RequestContext, body: CreateSavedQueryRequest): Promise<SavedQueryResponse> {
    const { id: databaseId } = context.database;
    if ((await this.#rows.countBy({ databaseId })) >= QUERIES_MAX)
      throw new AppError('resource.conflict', {
        detail: `A database can have at most ${QUERIES_MAX} saved queries.`,
      });
    const now = new Date();
    const row = {
      id: createId('qry'),
      cellId: this.db.cellId,
      databaseId,
      name: body.name,
      kind: body.kind ?? 'question',
      query: body.query,
      createdBy: context.accountId,
      createdAt: now,
      updatedAt: now,
    };
    await this.#orTaken(
      this.audit.changeCell(context, { action: 'saved_query.create', target: row.id }, (manager) =>
        manager.getRepository(SavedQuery).insert(row),
      ),
    );
    return toResponse(row);
  }

  async update(
    context: RequestContext,
    id: string,
    body: UpdateSavedQueryRequest,
  ): Promise<SavedQueryResponse> {
    const row = await this.#find(context, id);
    const next = {
      ...row,
      name: body.name ?? row.name,
      kind: body.kind ?? row.kind,
      query: body.query ?? row.query,
      updatedAt: new Date(),
    };
    const { name, kind, query, updatedAt } = next;
    await this.#orTaken(
      this.audit.changeCell(context, { action: 'saved_query.update', target: row.id }, (manager) =>
        manager.getRepository(SavedQuery).update({ id: row.id }, { name, kind, query, updatedAt }),
      ),
    );
    return toResponse(next);
  }

  async delete(context: RequestContext, id: string): Promise<void> {
    const row = await this.#find(context, id);
    await this.audit.changeCell(context, { action: 'saved_query.delete', target: row.id }, (manager) =>
      manager.getRepository(SavedQuery).delete({ id: row.id }),
    );
  }

  /** Finds a saved query, but only in the database that the access rule has checked. */
  async #find(context: RequestContext, id: string): Promise<SavedQuery> {
    const row = await this.#rows.findOneBy({ id, databaseId: context.database.id, cellId: this.db.cellId });
    if (row === null) throw new AppError('resource.not_found', { detail: 'The saved query does not exist.' });
    return row;
  }

  async #orTaken(writing: Promise<unknown>): Promise<void> {
    await writing.catch((error: unknown) => {
      if (
        error instanceof QueryFailedError &&
        (error.driverError as { errno?: unknown }).errno === DUPLICATE_KEY
      )
        throw new AppError('resource.conflict', {
          detail: 'This database already has a saved query with this name.',
        });
      throw error;
    });
  }

  get #rows() {
    return this.db.cell.getRepository(SavedQuery);
  }
}

function toResponse(row: SavedQuery): SavedQueryResponse {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    query: row.query,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
