import { findValueHits, type RouteSchema } from '@rowhouse/query-engine';
import { runStepsInSlices } from '@rowhouse/schema-model';
import type { ModelEngine, ModelOutcome, ModelQuestion } from '../../llm/model-engine.js';
import { listReadableValues } from '../../vocabulary/list-readable-values.js';
import { ClientDisconnectedError, type GatewayRequest } from '../gateway-request.js';
import { StaleSchemaError } from '../stale-schema-error.js';
import { listReadableSteps } from './list-readable.js';
import { listGuardOptions } from './list-guard-options.js';
import { rehearseQuery } from './run-query.js';
import type { QuestionContext } from './translate-question.js';

/**
 * Asks the model's engine, with everything that this key may reveal to it. The question ends when the call
 * ends.
 */
export async function translateWithModel(
  context: QuestionContext,
  engine: ModelEngine,
  hint: string | null,
): Promise<{ outcome: ModelOutcome; schema: RouteSchema }> {
  const { gateway, gatewayRequest, tenant, compiled, request, today } = context;
  const { record } = tenant.database;
  const tables = await runStepsInSlices(listReadableSteps(compiled), () =>
    gateway.turns.turn(record.schemaName),
  );
  const schema: RouteSchema = {
    tables: tables.map((table) => ({
      name: table.name,
      columns: table.columns.map((column) => column.name),
    })),
  };
  const vocabulary = await gateway.words.read(tenant.database);
  const values = findValueHits(
    request.query,
    listReadableValues(tables, vocabulary, record.settings.unindexed_columns),
  );
  const disconnected = new AbortController();
  const onClose = (): void => disconnected.abort(new ClientDisconnectedError());
  gatewayRequest.res.once('close', onClose);
  if (gatewayRequest.res.destroyed) onClose();
  const watch = watchSchema(context, disconnected);
  try {
    const outcome = await engine.translate({
      question: request.query,
      projectId: record.projectId,
      databaseId: record.id,
      tokensPerDay: record.settings.language_model_tokens_per_day ?? null,
      scope: `${tenant.view.name} ${compiled.number}`,
      engine: compiled.engine,
      tables,
      schema,
      guard: listGuardOptions(tenant, compiled),
      today,
      timezone: request.timezone,
      hint,
      values,
      signal: disconnected.signal,
      rehearse: (query) => rehearse(context, query),
    });
    return { outcome, schema };
  } finally {
    clearInterval(watch);
    gatewayRequest.res.off('close', onClose);
  }
}

/** Calls that have already been restarted once. They run to their end. */
const begunAgain = new WeakSet<GatewayRequest>();
const WATCH_INTERVAL_MS = 100;

/**
 * Restarts a question when the schema changes. A model takes seconds, and a schema change waits for requests
 * on the old schema.
 */
function watchSchema(
  { gateway, gatewayRequest: request, tenant, compiled }: QuestionContext,
  disconnected: AbortController,
): NodeJS.Timeout {
  return setInterval(() => {
    const live = gateway.schemas.use(tenant.database.record.id, tenant.view);
    live?.release();
    const isPaused = live === null && gateway.schemas.isPaused(tenant.database.record.id);
    if ((!isPaused && (live === null || live.number <= compiled.number)) || begunAgain.has(request)) return;
    begunAgain.add(request);
    disconnected.abort(new StaleSchemaError(0, 'the schema changed while a model was asked'));
  }, WATCH_INTERVAL_MS);
}

/**
 * Lets the server parse the statement and resolve its names, under the account and the limits that will
 * apply.
 */
async function rehearse(
  { gateway, tenant, compiled }: QuestionContext,
  query: Parameters<ModelQuestion['rehearse']>[0],
): Promise<void> {
  await rehearseQuery(gateway, tenant, query, { compiled, groupsStrictly: true });
}
