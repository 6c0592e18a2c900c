import { Injectable } from '@nestjs/common';
import {
  type CreateSynonymRequest,
  type SynonymResponse,
  type UpdateSynonymRequest,
  SYNONYMS_MAX,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import type { Snapshot } from '@rowhouse/schema-model';
import type { EntityManager } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { findUnknownNames, rejectUnknownNames } from '../../http/reject-unknown-names.js';
import { Synonym } from '../../platform-db/entities/synonym.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { ChangeLog } from '../../platform/change-log.js';
import { WorkingSchemaStore } from '../schema/working-schema-store.js';

interface Meaning {
  readonly phrase: string;
  readonly table: string;
  readonly column: string | null;
}

/**
 * Manages the synonyms of projects. Concurrent requests may slightly exceed their maximum number, which is
 * harmless.
 */
@Injectable()
export class SynonymService {
  constructor(
    private readonly db: PlatformDb,
    private readonly changes: ChangeLog,
    private readonly schemas: WorkingSchemaStore,
    private readonly audit: AuditWriter,
  ) {}

  async list(projectId: string): Promise<SynonymResponse[]> {
    const rows = await this.db.cell
      .getRepository(Synonym)
      .find({ where: { projectId, cellId: this.db.cellId }, order: { phrase: 'ASC', id: 'ASC' } });
    const { snapshot } = await this.schemas.newest(projectId);
    return rows.map((row) => toResponse(row, snapshot));
  }

  async create(context: RequestContext, body: CreateSynonymRequest): Promise<SynonymResponse> {
    const projectId = context.project.id;
    const snapshot = await this.#check(projectId, body);
    const row = {
      id: createId('syn'),
      cellId: this.db.cellId,
      projectId,
      ...toColumns(body),
      createdBy: context.accountId,
      createdAt: new Date(),
    };
    await this.#record(projectId, async (manager) => {
      // Concurrent calls may slightly exceed the limit, which is harmless.
      if ((await manager.getRepository(Synonym).countBy({ projectId })) >= SYNONYMS_MAX)
        throw new AppError('resource.conflict', {
          detail: `A project can have at most ${SYNONYMS_MAX} synonyms.`,
        });
      await manager.getRepository(Synonym).insert(row);
      await this.audit.record(manager, context, {
        action: 'synonym.create',
        target: row.id,
        detail: { phrase: row.phrase, table: body.table, column: body.column },
      });
    });
    return toResponse(row, snapshot);
  }

  async update(context: RequestContext, id: string, body: UpdateSynonymRequest): Promise<SynonymResponse> {
    const projectId = context.project.id;
    const row = await this.#find(projectId, id);
    const meaning = {
      phrase: row.phrase,
      table: row.tableName,
      column: row.columnName === '' ? null : row.columnName,
      ...dropUndefined(body),
    };
    const snapshot = await this.#check(projectId, meaning);
    await this.#record(projectId, async (manager) => {
      await manager.getRepository(Synonym).update({ id, projectId }, toColumns(meaning));
      await this.audit.record(manager, context, {
        action: 'synonym.update',
        target: id,
        detail: { ...meaning },
      });
    });
    return toResponse({ ...row, ...toColumns(meaning) }, snapshot);
  }

  async remove(context: RequestContext, id: string): Promise<void> {
    const projectId = context.project.id;
    const row = await this.#find(projectId, id);
    await this.#record(projectId, async (manager) => {
      await manager.getRepository(Synonym).delete({ id, projectId });
      await this.audit.record(manager, context, {
        action: 'synonym.delete',
        target: id,
        detail: { phrase: row.phrase },
      });
    });
  }

  async #find(projectId: string, id: string): Promise<Synonym> {
    const row = await this.db.cell
      .getRepository(Synonym)
      .findOneBy({ id, projectId, cellId: this.db.cellId });
    if (row === null) throw new AppError('resource.not_found', { detail: 'The synonym does not exist.' });
    return row;
  }

  /** Throws 422 with similar names when the working schema lacks the table or column. */
  async #check(projectId: string, meaning: Meaning): Promise<Snapshot | null> {
    const { snapshot } = await this.schemas.newest(projectId);
    const tables = snapshot?.tables ?? [];
    const table = tables.find((table) => table.name === meaning.table);
    if (table === undefined) assertKnown('table', meaning.table, tables);
    else if (meaning.column !== null) assertKnown('column', meaning.column, table.columns);
    return snapshot;
  }

  /** Writes one change log entry per database of the project in the transaction of the change. */
  #record(projectId: string, change: (manager: EntityManager) => Promise<unknown>): Promise<void> {
    return this.changes.recordOfProject(projectId, 'words', (manager) => change(manager).catch(toConflict));
  }
}

function toConflict(error: unknown): never {
  if ((error as { code?: string }).code === 'ER_DUP_ENTRY')
    throw new AppError('resource.conflict', { detail: 'This synonym already exists.' });
  throw error;
}

function assertKnown(
  what: 'table' | 'column',
  requested: string,
  known: readonly { readonly name: string }[],
): void {
  const names = known.map((item) => item.name);
  rejectUnknownNames(
    findUnknownNames([requested], names, (name) => ({
      loc: ['body', what],
      msg: `The working schema has no ${what} ${name}.`,
      type: `unknown_${what}`,
    })),
  );
}

/**
 * Returns the columns of a synonym. Its phrase is stored in lower case, because questions are
 * case-insensitive.
 */
function toColumns({ phrase, table, column }: Meaning): {
  phrase: string;
  tableName: string;
  columnName: string;
} {
  return { phrase: phrase.toLowerCase().split(/\s+/).join(' '), tableName: table, columnName: column ?? '' };
}

function toResponse(
  row: Pick<Synonym, 'id' | 'phrase' | 'tableName' | 'columnName' | 'createdAt'>,
  snapshot: Snapshot | null,
): SynonymResponse {
  const table = snapshot?.tables.find((table) => table.name === row.tableName);
  const isKnown =
    table !== undefined &&
    (row.columnName === '' || table.columns.some((column) => column.name === row.columnName));
  return {
    id: row.id,
    phrase: row.phrase,
    table: row.tableName,
    column: row.columnName === '' ? null : row.columnName,
    is_known: isKnown,
    created_at: row.createdAt.toISOString(),
  };
}

function dropUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
