import { findValueHits, type RouteSchema } from '@rowhouse/query-engine';
import { runStepsInSlices } from '@rowhouse/schema-model';
import { ClientDisconnectedError, type GatewayRequest } from '../http/gateway-request.js';
import { listGuardOptions } from '../query/list-guard-options.js';
import { rehearseQuery } from '../query/run-query.js';
import { StaleSchemaError } from '../schema/retry-through-schema-change.js';
import type { ModelEngine, ModelOutcome, ModelQuestion } from './models/model-engine.js';
import type { QuestionContext } from './question-context.js';
import { listReadableValues, listReadableSteps } from './vocabulary/question-vocabulary.js';

/**
 * Translates a question with a language model, which receives only what this key may read. Stops when the
 * client disconnects or the schema changes.
 */
export async function translateWithModel(
  context: QuestionContext,
  engine: ModelEngine,
  hint: string | null,
): Promise<{ outcome: ModelOutcome; schema: RouteSchema }> {
  const { services, gatewayRequest, tenant, compiled, request, today } = context;
  const { record } = tenant.database;
  const tables = await runStepsInSlices(listReadableSteps(compiled), () =>
    services.scheduler.nextSlice(record.schemaName),
  );
  const schema: RouteSchema = {
    tables: tables.map((table) => ({
      name: table.name,
      columns: table.columns.map((column) => column.name),
    })),
  };
  const vocabulary = await services.vocabularies.read(tenant.database);
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

/** The requests that were restarted once. They are not restarted again. */
const restarted = new WeakSet<GatewayRequest>();
const WATCH_INTERVAL_MS = 100;

/**
 * Aborts a question when the schema changes, so that it starts again with the new schema. A schema change
 * waits for requests that use the old one, and a model takes seconds to respond.
 */
function watchSchema(
  { services, gatewayRequest: request, tenant, compiled }: QuestionContext,
  disconnected: AbortController,
): NodeJS.Timeout {
  return setInterval(() => {
    const live = services.schemas.use(tenant.database.record.id, tenant.view);
    live?.release();
    const isPaused = live === null && services.schemas.isPaused(tenant.database.record.id);
    if ((!isPaused && (live === null || live.number <= compiled.number)) || restarted.has(request)) return;
    restarted.add(request);
    disconnected.abort(new StaleSchemaError({ kind: 'rights_changed' }));
  }, WATCH_INTERVAL_MS);
}

/**
 * Checks a statement of the model on the server, with the account and the limits that will run it.
 */
async function rehearse(
  { services, tenant, compiled }: QuestionContext,
  query: Parameters<ModelQuestion['rehearse']>[0],
): Promise<void> {
  await rehearseQuery(services, tenant, query, { compiled, groupsStrictly: true });
}
