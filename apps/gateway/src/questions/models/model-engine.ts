import { createHash } from 'node:crypto';
import type { Gate, GateMap } from '@rowhouse/admission';
import { AppError } from '@rowhouse/errors';
import {
  isPromptTooLong,
  openDeadline,
  type Deadline,
  type ModelClient,
  type ModelSettings,
} from '@rowhouse/language-model';
import type { ModelUse } from '@rowhouse/platform-store';
import {
  buildModelPrompt,
  checkModelSql,
  guardQuery,
  PROMPT_VERSION,
  readModelAnswer,
  SQL_ANSWER_FORM,
  writeRepair,
  type AcceptedPair,
  type GuardedRead,
  type GuardOptions,
  type PromptMessage,
  type RouteSchema,
  type ValueHit,
} from '@rowhouse/query-engine';
import type { EngineKind, Table } from '@rowhouse/schema-model';
import type { AcceptedQuestions } from './accepted-questions.js';
import type { TokenBudget } from './token-budget.js';
import type { TranslationCache, ModelNote } from './translation-cache.js';

/** A question with everything that the model may know about the database. */
export interface ModelQuestion {
  readonly question: string;
  readonly projectId: string;
  readonly databaseId: string;
  /** The setting of the database, or null for the operator's limit. */
  readonly tokensPerDay: number | null;
  /** An identifier of the key's rights and the schema, as part of the cache key. */
  readonly scope: string;
  readonly engine: EngineKind;
  /** The tables that the key may read. */
  readonly tables: readonly Table[];
  readonly schema: RouteSchema;
  readonly guard: GuardOptions;
  readonly today: string;
  readonly timezone: string;
  readonly hint: string | null;
  /** The values from rows that the question mentions. */
  readonly values: readonly ValueHit[];
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /**
   * Lets the server parse a statement without running it. Rejects with an error `query.*` if the server does
   * not accept it.
   */
  readonly rehearse: (query: GuardedRead) => Promise<void>;
}

export type ModelOutcome =
  | { readonly kind: 'sql'; readonly sql: string; readonly note: ModelNote; readonly isCached: boolean }
  /** The model finds no answer in the schema. */
  | { readonly kind: 'unable'; readonly reason: string };

/**
 * Translates questions to SQL with a language model. Rejects with AppError `llm.*`, `limit.concurrency`, or
 * the reason of `signal`.
 */
export interface ModelEngine {
  translate(question: ModelQuestion): Promise<ModelOutcome>;
}

export interface ModelEngineParts {
  readonly client: ModelClient;
  readonly timeoutMs: number;
  /** The maximum number of tokens per project and day. */
  readonly tokensPerDay: number;
  readonly budget: TokenBudget;
  readonly accepted: AcceptedQuestions;
  readonly cache: TranslationCache;
  /** The gates by project. */
  readonly gates: GateMap;
  /** The gate of this process. */
  readonly gate: Gate;
}

const REPAIRS_MAX = 2;
const SCHEMA_TOKENS_MAX = 8_000;
/** The minimum size to which the description of the schema in the prompt may be shortened, in tokens. */
const SCHEMA_TOKENS_MIN = 500;
const ANSWER_TOKENS_MAX = 1_500;
/** The errors that are sent back to the model for correction. */
const CORRECTABLE: ReadonlySet<string> = new Set([
  'query.invalid_sql',
  'query.unknown_table',
  'query.unknown_column',
  'query.not_allowed',
  'body.invalid',
]);

export function createModelEngine(parts: ModelEngineParts): ModelEngine {
  return {
    async translate(question) {
      const accepted = await parts.accepted.find(question.databaseId, question.question, question.guard);
      const name = nameTranslation(question, parts.client.settings, accepted);
      const cached = await parts.cache.get(question.databaseId, name);
      if (cached !== null) return { kind: 'sql', ...cached, isCached: true };
      await parts.budget.check(
        question.projectId,
        Math.min(parts.tokensPerDay, question.tokensPerDay ?? parts.tokensPerDay),
      );
      const outcome = await parts.gates
        .of(question.projectId)
        .run(() => parts.gate.run(() => translateOnce(parts, question, accepted)));
      if (outcome.kind === 'sql')
        parts.cache.set(question.databaseId, name, { sql: outcome.sql, note: outcome.note });
      return outcome;
    },
  };
}

/**
 * Returns the cache key of a translation. It covers everything that determines the response: rights, schema,
 * question text, day, examples, values, model and prompt.
 */
function nameTranslation(
  question: ModelQuestion,
  { baseUrl, model }: Pick<ModelSettings, 'baseUrl' | 'model'>,
  accepted: readonly AcceptedPair[],
): string {
  const words = question.question.replaceAll(/\s+/g, ' ').trim();
  return createHash('sha256')
    .update(
      JSON.stringify([
        question.databaseId,
        question.scope,
        words,
        baseUrl,
        model,
        PROMPT_VERSION,
        question.today,
        question.timezone,
        accepted,
        question.values,
      ]),
    )
    .digest('base64url');
}

/** Translates one question within a deadline. Its tokens are counted even when it fails. */
async function translateOnce(
  parts: ModelEngineParts,
  question: ModelQuestion,
  accepted: readonly AcceptedPair[],
): Promise<ModelOutcome> {
  const use = {
    projectId: question.projectId,
    databaseId: question.databaseId,
    requests: 0,
    tokensIn: 0,
    tokensOut: 0,
    repairs: 0,
    failures: 0,
  };
  const deadline = openDeadline(parts.timeoutMs, question.signal);
  try {
    return await converse(parts.client, question, accepted, deadline, use);
  } catch (error) {
    use.failures = 1;
    throw error;
  } finally {
    deadline.close();
    parts.budget.spend(use);
  }
}

type OpenUse = { -readonly [K in keyof ModelUse]: ModelUse[K] };

/** Requests SQL from the model and checks it. Faults are sent back for correction, at most twice. */
async function converse(
  client: ModelClient,
  question: ModelQuestion,
  accepted: readonly AcceptedPair[],
  deadline: Deadline,
  use: OpenUse,
): Promise<ModelOutcome> {
  let conversation: readonly PromptMessage[] | null = null;
  for (;;) {
    const response = await requestSql(client, question, accepted, conversation, deadline, use);
    const parsed = readModelAnswer(response.text);
    if (parsed.kind === 'unable') return parsed;
    const faults =
      parsed.kind === 'sql'
        ? await findFaults(question, parsed.sql)
        : [{ message: 'The answer contains no SQL.', similarNames: [] }];
    if (faults.length === 0 && parsed.kind === 'sql') {
      return {
        kind: 'sql',
        sql: parsed.sql,
        isCached: false,
        note: {
          model: response.model,
          tokens: use.tokensIn + use.tokensOut,
          attempts: use.requests,
          repairs: use.repairs,
        },
      };
    }
    if (use.repairs >= REPAIRS_MAX) throw unusable(faults[0]?.message ?? '');
    use.repairs += 1;
    conversation = [...response.messages, ...writeRepair(response.text, faults)];
  }
}

function unusable(last: string): AppError {
  return new AppError('llm.bad_output', {
    detail: `The language model did not write valid SQL in ${REPAIRS_MAX + 1} attempts. Last error: ${last}`,
    hint: 'Rephrase the question with the names of the tables, or send an SQL SELECT.',
  });
}

interface ModelResponse {
  readonly text: string;
  readonly model: string;
  readonly messages: readonly PromptMessage[];
}

/** Sends the prompt. The first prompt is shortened while it is too long for the model. */
async function requestSql(
  client: ModelClient,
  question: ModelQuestion,
  accepted: readonly AcceptedPair[],
  conversation: readonly PromptMessage[] | null,
  deadline: Deadline,
  use: OpenUse,
): Promise<ModelResponse> {
  for (let schemaTokensMax = SCHEMA_TOKENS_MAX; ; schemaTokensMax /= 2) {
    const messages =
      conversation ??
      buildModelPrompt({
        question: question.question,
        engine: question.engine,
        tables: question.tables,
        today: question.today,
        timezone: question.timezone,
        accepted,
        values: question.values,
        hint: question.hint,
        schemaTokensMax,
      }).messages;
    try {
      const response = await client.ask(
        {
          messages,
          answerForm: SQL_ANSWER_FORM,
          tokensMax: ANSWER_TOKENS_MAX,
          onUsage: (tokens) => addUse(use, tokens),
        },
        deadline,
      );
      return { text: response.text, model: response.model, messages };
    } catch (error) {
      if (conversation !== null || !isPromptTooLong(error) || schemaTokensMax <= SCHEMA_TOKENS_MIN)
        throw error;
    }
  }
}

function addUse(use: OpenUse, tokens: { readonly tokensIn: number; readonly tokensOut: number }): void {
  use.requests += 1;
  use.tokensIn += tokens.tokensIn;
  use.tokensOut += tokens.tokensOut;
}

interface Fault {
  readonly message: string;
  readonly similarNames: readonly string[];
}

/**
 * Checks the names in the statement first, then the guard, then the server. Each check sees only statements
 * that the previous one has allowed.
 */
async function findFaults(question: ModelQuestion, sql: string): Promise<readonly Fault[]> {
  const faults = checkModelSql(sql, question.schema);
  if (faults.length > 0) return faults;
  try {
    const guarded = guardQuery(sql, question.guard);
    if (guarded.kind === 'explain')
      return [{ message: 'EXPLAIN does not answer the question. Write only the SELECT.', similarNames: [] }];
    if (guarded.kind === 'select') await question.rehearse(guarded);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || !CORRECTABLE.has(error.code)) throw error;
    if (error.code === 'body.invalid')
      return [
        {
          message: 'Write values into the query, because placeholders have no values here.',
          similarNames: [],
        },
      ];
    const similarNames = Array.isArray(error.extra['suggestions'])
      ? (error.extra['suggestions'] as string[])
      : [];
    return [{ message: error.detail, similarNames }];
  }
}
