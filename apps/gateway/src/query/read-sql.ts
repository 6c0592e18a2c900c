import { AppError } from '@rowhouse/errors';
import { isShortQuestion, QUESTION_LENGTH_MAX } from '@rowhouse/nl-engine';
import {
  describeSql,
  explainMisspelling,
  guardQuery,
  isWriteRequest,
  routeQuery,
  toExactNumber,
  type GuardedQuery,
  type GuardOptions,
} from '@rowhouse/query-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import type { Translation } from '../questions/models/translation-cache.js';
import type { QuestionContext } from '../questions/question-context.js';
import { translateQuestion } from '../questions/translate-question.js';
import type { Tenant } from '../tenant/tenant.js';
import { listGuardOptions, toRouteSchema } from './list-guard-options.js';
import type { QueryRequest } from './query-request.js';

/** The SQL of a request, or the translation of its question. */
export interface ReadQuery {
  readonly sql: string;
  readonly params: QueryRequest['params'];
  /** Set when a question was translated. */
  readonly reply: Translation | null;
}

/**
 * Determines whether the text is SQL or a question. The request can state it, and otherwise the text decides.
 *
 * @throws AppError 400 `query.invalid_sql` for SQL that cannot be parsed, 422 `query.not_understood` for a
 *   question that asks for a change or is too long
 */
export function routeRequest(
  request: QueryRequest,
  compiled: CompiledSnapshot,
): { readonly kind: 'sql' | 'question'; readonly text: string } {
  if (request.mode === 'sql') return { kind: 'sql', text: request.query };
  const routed =
    request.mode === 'question'
      ? ({ kind: 'question', question: request.query } as const)
      : routeQuery(request.query, toRouteSchema(compiled));
  if (routed.kind === 'invalid') throw routed.error;
  if (routed.kind === 'sql') return { kind: 'sql', text: routed.sql };
  if (!isShortQuestion(routed.question)) {
    throw new AppError('query.not_understood', {
      detail: `A question can have at most ${QUESTION_LENGTH_MAX.toLocaleString('en')} characters.`,
      hint: 'Ask for one thing in a sentence or two, or send an SQL SELECT.',
    });
  }
  if (isWriteRequest(routed.question)) {
    throw new AppError('query.not_understood', {
      detail: 'Questions can only read. This one asks for a change.',
      hint: 'Write records with the table endpoints, or with SQL and a key with the scope query:write.',
    });
  }
  return { kind: 'question', text: routed.question };
}

export async function readSql(
  routed: ReturnType<typeof routeRequest>,
  context: Omit<QuestionContext, 'today'>,
): Promise<ReadQuery> {
  if (routed.kind === 'sql') return { sql: routed.text, params: context.request.params, reply: null };
  const reply = await translateQuestion(context);
  const params = reply.params.map((param) =>
    typeof param === 'number' ? toExactNumber(String(param)) : param,
  );
  return { sql: reply.sql, params, reply };
}

/**
 * Checks the SQL against the rights of the key. Tables that it may not use are reported as unknown. SQL
 * translated from a question may only read.
 */
export function judgeSql(
  { sql, params, reply }: ReadQuery,
  tenant: Tenant,
  compiled: CompiledSnapshot,
): GuardedQuery {
  const having = (verb: 'write' | 'delete'): string[] =>
    compiled.tableNames.filter((name) => compiled.findByName(name)?.verbs.includes(verb));
  const mayWrite = reply === null && tenant.key.scopes.includes('query:write');
  const writes = mayWrite
    ? {
        writable: having('write'),
        deletable: having('delete'),
        hasReturning: tenant.database.record.server.engine === 'mariadb',
      }
    : ('forbidden' as const);
  const options = { ...listGuardOptions(tenant, compiled), params, writes };
  try {
    return guardQuery(sql, options);
  } catch (error) {
    throw reply === null
      ? explainMisspelling(error, sql, toRouteSchema(compiled), (repaired) => isReadable(repaired, options))
      : error;
  }
}

function isReadable(sql: string, options: GuardOptions): boolean {
  try {
    guardQuery(sql, options);
    return true;
  } catch (error) {
    return error instanceof AppError && error.code !== 'query.invalid_sql';
  }
}

/** Explains a query from its statement alone. Returns null for anything but a query. */
export function explain(
  { reply }: ReadQuery,
  guarded: GuardedQuery,
  compiled: CompiledSnapshot,
): string | null {
  if (reply !== null) return reply.explanation;
  return guarded.kind === 'select' ? describeSql(guarded.sql, toRouteSchema(compiled)) : null;
}
