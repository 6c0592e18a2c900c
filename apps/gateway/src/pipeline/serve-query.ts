import { negotiateFormat, parsePreferences, type Preferences } from '@rowhouse/rest-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import { awaitLargeBody, type LargeBody } from './await-large-body.js';
import type { Answer, Call } from './call.js';
import { prepareNames } from './compile-whole.js';
import type { Gateway } from './gateway.js';
import { onLiveSchema, seenBy } from './on-live-schema.js';
import { checkPlace, openTenant, requireScope } from './open-tenant.js';
import { answerQuery, type AskedQuery } from './query/answer-query.js';
import { acceptsEvents, serveQueryEvents } from './query/serve-query-events.js';
import { readQueryRequest } from './query/query-request.js';
import { explain, judgeSql, readSql, routeRequest } from './query/read-sql.js';
import { queryHeaders, sqlOf, writeQueryAnswer } from './query/write-query-answer.js';
import { refuseOtherThanJson } from './query/write-written.js';
import { readJsonBody } from './read-body.js';
import { streamQuery } from './streams/stream-query.js';
import { writeShortLines } from './streams/write-short-lines.js';

/** `POST /v1/-/query`: runs SQL behind all guards, with only the rights of the key. */
export async function serveQuery(gateway: Gateway, call: Call): Promise<Answer> {
  const { tenant: first, admitted } = await openTenant(gateway, call);
  let large: LargeBody | null = null;
  try {
    requireScope(first, 'query');
    checkPlace(first);
    large = await awaitLargeBody(gateway, call, first);
    const tenant = large?.tenant ?? first;
    const body = large === null ? readJsonBody(call) : await large.read();
    const isEvents = acceptsEvents(call.headers.accept);
    const format = isEvents ? 'json' : negotiateFormat(call.headers.accept ?? '', true);
    const preferences = parsePreferences(call.headers, true);
    const asked: AskedQuery = { call, tenant, request: readQueryRequest(body, format !== 'json'), preferences };
    const headers = { ...admitted.headers, ...toApplied(preferences, format) };
    if (isEvents) return await serveQueryEvents(gateway, asked, headers);
    return await onLiveSchema(gateway, tenant.database, tenant.view, call.trace, ({ compiled }, view) => serveOn(gateway, { ...asked, tenant: seenBy(tenant, view) }, compiled, format, headers));
  } finally {
    large?.leave();
    admitted.release();
  }
}

/** Returns the header for the applied preferences that affect the rows. */
function toApplied({ applied }: Preferences, format: ReturnType<typeof negotiateFormat>): Record<string, string> {
  const shaping = applied.filter((preference) => preference.startsWith(format === 'csv' ? 'csv-formulas=' : 'numbers='));
  return shaping.length === 0 ? {} : { 'Preference-Applied': shaping.join(', ') };
}

/** Serves the query on one version of the schema. */
async function serveOn(gateway: Gateway, asked: AskedQuery, compiled: CompiledSnapshot, format: ReturnType<typeof negotiateFormat>, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const { call, tenant, request } = asked;
  const preparing = prepareNames(gateway, compiled, tenant.database);
  if (preparing !== null) await preparing;
  const read = await readSql(routeRequest(request, compiled), { gateway, call, tenant, compiled, request });
  const guarded = judgeSql(read, tenant, compiled);
  call.trace.plan(guarded.kind);
  call.trace.mark('plan');
  const isRun = (guarded.kind === 'select' || guarded.kind === 'explain') && !request.dryRun;
  if (format !== 'json' && isRun) return streamQuery(gateway, { call, tenant, compiled, query: guarded, reply: read.reply, request, format, headers });
  if (format !== 'json') refuseOtherThanJson(guarded);
  const run = await answerQuery(gateway, asked, guarded, compiled);
  call.trace.mark('db');
  call.trace.rows(run.rows.rowCount);
  await gateway.turns.turnForRows(tenant.database.record.schemaName, [run.rows]);
  if (format !== 'json') return writeShortLines(run, format, { ...queryHeaders(sqlOf(guarded, read.sql), read.reply), ...headers });
  const explanation = request.verbose ? explain(read, guarded, compiled) : null;
  return writeQueryAnswer({ request, run, guarded, sql: read.sql, reply: read.reply, explanation, number: compiled.number, requestId: call.id, startedMs: call.trace.startedMs, headers });
}
