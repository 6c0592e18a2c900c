import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type {
  AcceptedQuestionResponse,
  AcceptQuestionRequest,
  JudgeQuestionRequest,
  ListResponse,
  ModelUseResponse,
  QuestionResponse,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { guardQuery } from '@rowhouse/query-engine';
import { createId } from '@rowhouse/runtime';
import type { EntityManager } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { AcceptedQuestion } from '../../platform-db/entities/accepted-question.js';
import { QuestionLogEntry } from '../../platform-db/entities/question-log-entry.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';

/** A position in a list that is sorted by time: directly after the last returned entry. */
interface PagePosition {
  readonly at: Date;
  readonly id: string;
}
export interface Page {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * The maximum number of accepted questions per database. It exceeds the number that a model is ever shown.
 */
const ACCEPTED_MAX = 1_000;

/** Lists the question history of a database and stores feedback. */
@Injectable()
export class QuestionService {
  constructor(
    private readonly db: PlatformDb,
    private readonly snapshots: SnapshotReader,
    private readonly audit: AuditWriter,
  ) {}

  async list({ id: databaseId }: TenantDatabase, page: Page): Promise<ListResponse<QuestionResponse>> {
    const query = this.db.cell
      .getRepository(QuestionLogEntry)
      .createQueryBuilder('entry')
      .where('entry.databaseId = :databaseId AND entry.cellId = :cellId', {
        databaseId,
        cellId: this.db.cellId,
      });
    const before = readPageCursor(page.cursor);
    if (before !== null) query.andWhere('(entry.at < :at OR (entry.at = :at AND entry.id < :id))', before);
    const rows = await query
      .orderBy('entry.at', 'DESC')
      .addOrderBy('entry.id', 'DESC')
      .take(page.limit)
      .getMany();
    return {
      items: rows.map(toResponse),
      next_cursor: rows.length < page.limit ? null : writePageCursor(rows.at(-1)),
    };
  }

  /**
   * Stores feedback. An accepted question and its SQL belong to this database, and are never shown to another
   * tenant's model.
   */
  async judge(
    context: RequestContext,
    questionId: string,
    body: JudgeQuestionRequest,
  ): Promise<QuestionResponse> {
    const entries = this.db.cell.getRepository(QuestionLogEntry);
    const entry = await entries.findOneBy({
      id: questionId,
      databaseId: context.database.id,
      cellId: this.db.cellId,
    });
    if (entry === null)
      throw new AppError('resource.not_found', {
        detail: 'The question is not in the history of this database.',
      });
    const sql = body.sql ?? entry.sqlText;
    if (body.verdict === 'accepted') {
      if (sql === null)
        throw new AppError('body.invalid', {
          faults: [
            {
              loc: ['body', 'sql'],
              msg: 'This question has no SQL. Send the correct SQL',
              type: 'missing',
            },
          ],
        });
      await this.#assertReads(context.database, sql);
    }
    const { verdict } = body;
    await this.audit.changeCell(
      context,
      { action: 'question.judge', target: entry.id, detail: { verdict } },
      async (manager) => {
        if (verdict === 'accepted' && sql !== null) await this.#store(manager, context, entry.question, sql);
        else
          await manager
            .getRepository(AcceptedQuestion)
            .delete({ databaseId: context.database.id, questionHash: hashQuestion(entry.question) });
        await manager.getRepository(QuestionLogEntry).update({ id: entry.id }, { verdict });
      },
    );
    return toResponse({ ...entry, verdict: body.verdict });
  }

  async accept(context: RequestContext, body: AcceptQuestionRequest): Promise<AcceptedQuestionResponse> {
    await this.#assertReads(context.database, body.sql);
    const row = await this.db.cellTransaction(async (manager) => {
      const stored = await this.#store(manager, context, body.question, body.sql);
      await this.audit.record(manager, context, { action: 'question.accept', target: stored.id });
      return stored;
    });
    return toAcceptedResponse(row);
  }

  async listAccepted(
    { id: databaseId }: TenantDatabase,
    page: Page,
  ): Promise<ListResponse<AcceptedQuestionResponse>> {
    const query = this.db.cell
      .getRepository(AcceptedQuestion)
      .createQueryBuilder('pair')
      .where('pair.databaseId = :databaseId AND pair.cellId = :cellId', {
        databaseId,
        cellId: this.db.cellId,
      });
    const before = readPageCursor(page.cursor);
    if (before !== null)
      query.andWhere('(pair.createdAt < :at OR (pair.createdAt = :at AND pair.id < :id))', before);
    const rows = await query
      .orderBy('pair.createdAt', 'DESC')
      .addOrderBy('pair.id', 'DESC')
      .take(page.limit)
      .getMany();
    const last = rows.at(-1);
    return {
      items: rows.map(toAcceptedResponse),
      next_cursor:
        rows.length < page.limit || last === undefined
          ? null
          : writePageCursor({ at: last.createdAt, id: last.id }),
    };
  }

  async forget(context: RequestContext, acceptedId: string): Promise<void> {
    await this.audit.changeCell(
      context,
      { action: 'question.forget', target: acceptedId },
      async (manager) => {
        const { affected } = await manager
          .getRepository(AcceptedQuestion)
          .delete({ id: acceptedId, databaseId: context.database.id, cellId: this.db.cellId });
        if (affected === 0)
          throw new AppError('resource.not_found', { detail: 'The accepted question does not exist.' });
      },
    );
  }

  async listUse({ id: databaseId, projectId }: TenantDatabase): Promise<ModelUseResponse[]> {
    const rows = await this.db.cell.query<Record<string, string>[]>(
      `SELECT DATE_FORMAT(day, '%Y-%m-%d') AS day, questions, requests, tokens_in, tokens_out, repairs, failures FROM model_use_day
       WHERE project_id = ? AND database_id = ? AND cell_id = ? ORDER BY day DESC LIMIT 90`,
      [projectId, databaseId, this.db.cellId],
    );
    const count = (row: Record<string, string>, name: string): number => Number(row[name]);
    return rows.map((row) => ({
      day: String(row['day']),
      questions: count(row, 'questions'),
      requests: count(row, 'requests'),
      tokens_in: count(row, 'tokens_in'),
      tokens_out: count(row, 'tokens_out'),
      repairs: count(row, 'repairs'),
      failures: count(row, 'failures'),
    }));
  }

  /** Stores the SQL of a question. It replaces earlier SQL of the same question. */
  async #store(
    manager: EntityManager,
    { accountId, database }: RequestContext,
    question: string,
    sql: string,
  ): Promise<AcceptedQuestion> {
    const pairs = manager.getRepository(AcceptedQuestion);
    const row = {
      id: createId('acq'),
      cellId: this.db.cellId,
      databaseId: database.id,
      questionHash: hashQuestion(question),
      question,
      sqlText: sql,
      createdBy: accountId,
      createdAt: new Date(),
    };
    await pairs
      .createQueryBuilder()
      .insert()
      .values(row)
      .orUpdate(['question', 'sql_text', 'created_by', 'created_at'])
      .updateEntity(false)
      .execute();
    const accepted = await pairs.findOneByOrFail({ databaseId: database.id, questionHash: row.questionHash });
    const surplus = await pairs.find({
      where: { databaseId: database.id },
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: ACCEPTED_MAX,
      take: 100,
      select: { id: true },
    });
    if (surplus.length > 0) await pairs.delete(surplus.map((acceptedQuestion) => acceptedQuestion.id));
    return accepted;
  }

  async #assertReads(database: TenantDatabase, sql: string): Promise<void> {
    const snapshot = await this.snapshots.deployed(database);
    const guarded = guardQuery(sql, {
      tables: snapshot?.tables.map((table) => table.name) ?? [],
      hiddenNames: [],
      schemaName: database.schemaName,
    });
    if (guarded.kind !== 'select')
      throw new AppError('query.not_allowed', { detail: 'Only a SELECT can be accepted for a question.' });
  }
}

/**
 * Returns a hash of a question. Questions that differ only in white space or letter case have the same hash.
 */
function hashQuestion(question: string): string {
  return createHash('sha256').update(question.toLowerCase().replaceAll(/\s+/g, ' ').trim()).digest('hex');
}

function toResponse(row: QuestionLogEntry): QuestionResponse {
  return {
    id: row.id,
    at: row.at.toISOString(),
    question: row.question,
    sql: row.sqlText,
    source: row.source === '' ? null : row.source,
    code: row.code === '' ? null : row.code,
    duration_ms: row.durationMs,
    tokens: row.tokens,
    repairs: row.repairs,
    verdict: row.verdict,
    key_id: row.keyId,
    request_id: row.requestId,
  };
}

function toAcceptedResponse(row: AcceptedQuestion): AcceptedQuestionResponse {
  return {
    id: row.id,
    question: row.question,
    sql: row.sqlText,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
  };
}

export function writePageCursor(position: PagePosition | undefined): string | null {
  return position === undefined ? null : `${position.at.getTime()}.${position.id}`;
}

/**
 * Parses a cursor. Returns null for the beginning of the list. An invalid cursor leads to a position after
 * the end.
 */
export function readPageCursor(cursor: string | undefined): PagePosition | null {
  if (cursor === undefined) return null;
  const [, ms, id] = /^(\d{1,15})\.([a-z]+_\w{1,36})$/.exec(cursor) ?? [];
  return ms === undefined || id === undefined
    ? { at: new Date(0), id: '' }
    : { at: new Date(Number(ms)), id };
}
