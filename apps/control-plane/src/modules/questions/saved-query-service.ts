import { Injectable } from '@nestjs/common';
import type { CreateSavedQueryRequest, SavedQueryAnswer, UpdateSavedQueryRequest } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { QueryFailedError } from 'typeorm';
import type { CallContext } from '../../access/call-context.js';
import { SavedQuery } from '../../platform-db/entities/saved-query.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';

/** The maximum per database. */
const QUERIES_MAX = 500;

/** Stores questions and statements under names. They are texts. Running one requires a key. */
@Injectable()
export class SavedQueryService {
  constructor(
    private readonly db: PlatformDb,
    private readonly audit: AuditWriter,
  ) {}

  async list(databaseId: string): Promise<SavedQueryAnswer[]> {
    return (await this.#rows.find({ where: { databaseId, cellId: this.db.cellId }, order: { name: 'ASC' } })).map(toAnswer);
  }

  async create(call: CallContext, body: CreateSavedQueryRequest): Promise<SavedQueryAnswer> {
    const { id: databaseId } = call.database;
    if ((await this.#rows.countBy({ databaseId })) >= QUERIES_MAX) throw new AppError('resource.conflict', { detail: `A database has at most ${QUERIES_MAX} saved queries.` });
    const now = new Date();
    const row = { id: createId('qry'), cellId: this.db.cellId, databaseId, name: body.name, kind: body.kind ?? 'question', query: body.query, createdBy: call.accountId, createdAt: now, updatedAt: now };
    await this.#orTaken(this.#rows.insert(row));
    await this.audit.write(call, { action: 'saved_query.create', target: row.id });
    return toAnswer(row);
  }

  async update(call: CallContext, id: string, body: UpdateSavedQueryRequest): Promise<SavedQueryAnswer> {
    const row = await this.#find(call, id);
    const next = { ...row, name: body.name ?? row.name, kind: body.kind ?? row.kind, query: body.query ?? row.query, updatedAt: new Date() };
    await this.#orTaken(this.#rows.update({ id: row.id }, { name: next.name, kind: next.kind, query: next.query, updatedAt: next.updatedAt }));
    await this.audit.write(call, { action: 'saved_query.update', target: row.id });
    return toAnswer(next);
  }

  async delete(call: CallContext, id: string): Promise<void> {
    const row = await this.#find(call, id);
    await this.#rows.delete({ id: row.id });
    await this.audit.write(call, { action: 'saved_query.delete', target: row.id });
  }

  /** Only finds queries of the database that the access rule has checked. */
  async #find(call: CallContext, id: string): Promise<SavedQuery> {
    const row = await this.#rows.findOneBy({ id, databaseId: call.database.id, cellId: this.db.cellId });
    if (row === null) throw new AppError('resource.not_found', { detail: 'There is no such saved query.' });
    return row;
  }

  async #orTaken(writing: Promise<unknown>): Promise<void> {
    await writing.catch((error: unknown) => {
      if (error instanceof QueryFailedError && (error.driverError as { errno?: unknown }).errno === 1062) throw new AppError('resource.conflict', { detail: 'Another saved query of this database has this name.' });
      throw error;
    });
  }

  get #rows() {
    return this.db.cell.getRepository(SavedQuery);
  }
}

function toAnswer(row: SavedQuery): SavedQueryAnswer {
  return { id: row.id, name: row.name, kind: row.kind, query: row.query, created_by: row.createdBy, created_at: row.createdAt.toISOString(), updated_at: row.updatedAt.toISOString() };
}
