import { findValueHits, type RouteSchema } from '@rowhouse/query-engine';
import { doStepsInTurns } from '@rowhouse/schema-model';
import type { ModelEngine, ModelOutcome, ModelQuestion } from '../../llm/model-engine.js';
import { listReadableValues } from '../../words/list-readable-values.js';
import { ClientGone, type Call } from '../call.js';
import { StaleSchema } from '../stale-schema.js';
import { listReadableSteps } from './list-readable.js';
import { listGuardOptions } from './list-guard-options.js';
import { rehearseQuery } from './run-query.js';
import type { Asking } from './translate-question.js';

/**
 * Asks the model's engine, with everything that this key may reveal to it. The question ends when the call
 * ends.
 */
export async function askByModel(asking: Asking, engine: ModelEngine, hint: string | null): Promise<{ outcome: ModelOutcome; schema: RouteSchema }> {
  const { gateway, call, tenant, compiled, request, today } = asking;
  const { record } = tenant.database;
  const tables = await doStepsInTurns(listReadableSteps(compiled), () => gateway.turns.turn(record.schemaName));
  const schema: RouteSchema = { tables: tables.map((table) => ({ name: table.name, columns: table.columns.map((column) => column.name) })) };
  const words = await gateway.words.read(tenant.database);
  const values = findValueHits(request.query, listReadableValues(tables, words, record.settings.unindexed_columns));
  const gone = new AbortController();
  const onClose = (): void => gone.abort(new ClientGone());
  call.res.once('close', onClose);
  if (call.res.destroyed) onClose();
  const watch = watchSchema(asking, gone);
  try {
    const outcome = await engine.translate({
      question: request.query, projectId: record.projectId, databaseId: record.id, tokensPerDay: record.settings.language_model_tokens_per_day ?? null,
      scope: `${tenant.view.name} ${compiled.number}`, engine: compiled.engine, tables, schema, guard: listGuardOptions(tenant, compiled),
      today, timezone: request.timezone, hint, values, signal: gone.signal, rehearse: (query) => rehearse(asking, query),
    });
    return { outcome, schema };
  } finally {
    clearInterval(watch);
    call.res.off('close', onClose);
  }
}

/** Calls that have already been restarted once. They run to their end. */
const begunAgain = new WeakSet<Call>();
const WATCH_INTERVAL_MS = 100;

/**
 * Restarts a question when the schema changes. A model takes seconds, and a schema change waits for requests
 * on the old schema.
 */
function watchSchema({ gateway, call, tenant, compiled }: Asking, gone: AbortController): NodeJS.Timeout {
  return setInterval(() => {
    const live = gateway.schemas.use(tenant.database.record.id, tenant.view);
    live?.release();
    const isPaused = live === null && gateway.schemas.isPaused(tenant.database.record.id);
    if ((!isPaused && (live === null || live.number <= compiled.number)) || begunAgain.has(call)) return;
    begunAgain.add(call);
    gone.abort(new StaleSchema(0, 'the schema changed while a model was asked'));
  }, WATCH_INTERVAL_MS);
}

/**
 * Lets the server parse the statement and resolve its names, under the account and the limits that will
 * apply.
 */
async function rehearse({ gateway, tenant, compiled }: Asking, query: Parameters<ModelQuestion['rehearse']>[0]): Promise<void> {
  await rehearseQuery(gateway, tenant, query, { compiled, groupsStrictly: true });
}
