import { AppError, toAppError } from '@rowhouse/errors';
import { describeSql, isWriteRequest } from '@rowhouse/query-engine';
import { createId } from '@rowhouse/runtime';
import { ClientDisconnectedError } from '../http/gateway-request.js';
import { StaleSchemaError } from '../schema/retry-through-schema-change.js';
import type { ModelEngine } from './models/model-engine.js';
import type { Translation } from './models/translation-cache.js';
import { insertValues } from './insert-values.js';
import { findToday, type QuestionContext } from './question-context.js';
import { readByRules, toRulesError } from './translate-by-rules.js';
import { translateWithModel } from './translate-with-model.js';

/** A translation before its id is assigned. */
type Read = Omit<Translation, 'questionId'>;

/**
 * Translates a question to SQL over what the key may read. The rules are tried first. If the rules have no
 * answer, the language model is tried, if there is one. The request's `engine` can select either of them.
 *
 * @throws AppError `query.not_understood`, `query.ambiguous` 422; with `engine: llm` also `llm.*`
 */
export async function translateQuestion(parts: Omit<QuestionContext, 'today'>): Promise<Translation> {
  const nowMs = Date.now();
  const questionId = createId('qst');
  const context: QuestionContext = { ...parts, today: findToday(nowMs, parts.request.timezone) };
  try {
    const read = await readQuestion(context);
    noteQuestion(context, questionId, nowMs, read, '');
    return { ...read, questionId };
  } catch (error) {
    // A question that is restarted or abandoned is not recorded, because it has no final result.
    if (error instanceof StaleSchemaError || error instanceof ClientDisconnectedError) throw error;
    const { code } = toAppError(error);
    noteQuestion(context, questionId, nowMs, null, code);
    throw error;
  }
}

async function readQuestion(context: QuestionContext): Promise<Read> {
  const { request } = context;
  const models = findEngine(context);
  if (request.engine === 'llm') return await readByModel(context, models, null);
  const outcome = await readByRules(context);
  if (outcome.kind === 'answer') return { ...outcome, source: 'rules', llm: null };
  // If the schema has no tables, the model cannot find an answer either.
  if (request.engine === 'rules' || models === null || (outcome.kind === 'refused' && outcome.isEmpty))
    throw toRulesError(outcome);
  try {
    return await readByModel(
      context,
      models,
      outcome.kind === 'ambiguous' && outcome.choices[0] !== undefined
        ? insertValues(outcome.choices[0])
        : null,
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // When the model is unavailable, the response is the same as on an installation without a model.
    if (error.code.startsWith('llm.') || error.code === 'limit.concurrency')
      throw toRulesError(outcome, { language_model: error.code });
    if (error.code === 'query.not_understood' && !isWriteRequest(request.query))
      throw toRulesError(outcome, { language_model: error.code, ...error.extra });
    throw error;
  }
}

/** Returns null when this database has no model, or has turned it off. */
function findEngine({ services, tenant }: QuestionContext): ModelEngine | null {
  const { record } = tenant.database;
  return record.settings.language_model === false ? null : services.models.engineOf(record);
}

async function readByModel(
  context: QuestionContext,
  engine: ModelEngine | null,
  hint: string | null,
): Promise<Read> {
  if (engine === null) {
    const isOff = context.services.models.engineOf(context.tenant.database.record) !== null;
    throw new AppError('query.not_understood', {
      detail: isOff
        ? 'The language model is turned off for this database.'
        : 'Neither this project nor this installation has a language model.',
      hint: 'Send the question with "engine": "rules", or an SQL SELECT.',
    });
  }
  if (isWriteRequest(context.request.query))
    throw new AppError('query.not_understood', {
      detail: 'This asks for a change. Questions can only read.',
      hint: 'Write rows with the table endpoints, and change tables with a schema change.',
    });
  const { outcome, schema } = await translateWithModel(context, engine, hint);
  if (outcome.kind === 'unable')
    throw new AppError('query.not_understood', {
      detail: 'The language model found no answer in the schema.',
      hint: 'Rephrase the question with the names of the tables, or send an SQL SELECT.',
      extra: { reason: outcome.reason },
    });
  const { sql, note, isCached } = outcome;
  return {
    sql,
    params: [],
    explanation: describeSql(sql, schema),
    assumptions: [],
    confidence: null,
    source: isCached ? 'cache' : 'llm',
    llm: isCached ? { ...note, tokens: 0, attempts: 0 } : note,
  };
}

function noteQuestion(
  { services, gatewayRequest, tenant, request }: QuestionContext,
  id: string,
  startedMs: number,
  read: Read | null,
  code: string,
): void {
  const { record } = tenant.database;
  if (record.settings.question_history === false) return;
  services.models.history.note({
    id,
    databaseId: record.id,
    keyId: tenant.key.id,
    at: new Date(startedMs).toISOString().replace('T', ' ').slice(0, 23),
    question: request.query,
    sql: read?.sql ?? null,
    source: read?.source ?? '',
    code,
    durationMs: Date.now() - startedMs,
    tokens: read?.llm?.tokens ?? 0,
    repairs: read?.llm?.repairs ?? 0,
    requestId: gatewayRequest.id,
  });
}
