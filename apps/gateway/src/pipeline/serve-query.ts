import { negotiateFormat, parsePreferences, type Preferences } from '@rowhouse/rest-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import { awaitLargeBody, type LargeBody } from './await-large-body.js';
import type { GatewayResponse, GatewayRequest } from './gateway-request.js';
import { prepareNames } from './compile-whole.js';
import type { Gateway } from './gateway.js';
import { onLiveSchema, seenBy } from './on-live-schema.js';
import { assertPlacementReady, openTenant, requireScope } from './open-tenant.js';
import { respondQuery, type QueryExecution } from './query/respond-query.js';
import { acceptsEvents, serveQueryEvents } from './query/serve-query-events.js';
import { readQueryRequest } from './query/query-request.js';
import { explain, judgeSql, readSql, routeRequest } from './query/read-sql.js';
import { queryHeaders, sqlOf, writeQueryResponse } from './query/write-query-response.js';
import { rejectOtherThanJson } from './query/write-written.js';
import { readJsonBody } from './read-body.js';
import { streamQuery } from './streams/stream-query.js';
import { writeShortLines } from './streams/write-short-lines.js';

/** `POST /v1/-/query`: runs SQL behind all guards, with only the rights of the key. */
export async function serveQuery(gateway: Gateway, request: GatewayRequest): Promise<GatewayResponse> {
  const { tenant: first, admitted } = await openTenant(gateway, request);
  let large: LargeBody | null = null;
  try {
    requireScope(first, 'query');
    assertPlacementReady(first);
    large = await awaitLargeBody(gateway, request, first);
    const tenant = large?.tenant ?? first;
    const body = large === null ? readJsonBody(request) : await large.read();
    const isEvents = acceptsEvents(request.headers.accept);
    const format = isEvents ? 'json' : negotiateFormat(request.headers.accept ?? '', true);
    const preferences = parsePreferences(request.headers, true);
    const query: QueryExecution = {
      gatewayRequest: request,
      tenant,
      request: readQueryRequest(body, format !== 'json'),
      preferences,
    };
    const headers = { ...admitted.headers, ...toApplied(preferences, format) };
    if (isEvents) return await serveQueryEvents(gateway, query, headers);
    return await onLiveSchema(gateway, tenant.database, tenant.view, request.trace, ({ compiled }, view) =>
      serveOn(gateway, { ...query, tenant: seenBy(tenant, view) }, compiled, format, headers),
    );
  } finally {
    large?.leave();
    admitted.release();
  }
}

/** Returns the header for the applied preferences that affect the rows. */
function toApplied(
  { applied }: Preferences,
  format: ReturnType<typeof negotiateFormat>,
): Record<string, string> {
  const shaping = applied.filter((preference) =>
    preference.startsWith(format === 'csv' ? 'csv-formulas=' : 'numbers='),
  );
  return shaping.length === 0 ? {} : { 'Preference-Applied': shaping.join(', ') };
}

/** Serves the query on one version of the schema. */
async function serveOn(
  gateway: Gateway,
  query: QueryExecution,
  compiled: CompiledSnapshot,
  format: ReturnType<typeof negotiateFormat>,
  headers: Readonly<Record<string, string>>,
): Promise<GatewayResponse> {
  const { gatewayRequest, tenant, request } = query;
  const preparing = prepareNames(gateway, compiled, tenant.database);
  if (preparing !== null) await preparing;
  const read = await readSql(routeRequest(request, compiled), {
    gateway,
    gatewayRequest,
    tenant,
    compiled,
    request,
  });
  const guarded = judgeSql(read, tenant, compiled);
  gatewayRequest.trace.plan(guarded.kind);
  gatewayRequest.trace.mark('plan');
  const isRun = (guarded.kind === 'select' || guarded.kind === 'explain') && !request.dryRun;
  if (format !== 'json' && isRun)
    return streamQuery(gateway, {
      gatewayRequest,
      tenant,
      compiled,
      query: guarded,
      reply: read.reply,
      request,
      format,
      headers,
    });
  if (format !== 'json') rejectOtherThanJson(guarded);
  const run = await respondQuery(gateway, query, guarded, compiled);
  gatewayRequest.trace.mark('db');
  gatewayRequest.trace.rows(run.rows.rowCount);
  await gateway.turns.turnForRows(tenant.database.record.schemaName, [run.rows]);
  if (format !== 'json')
    return writeShortLines(run, format, {
      ...queryHeaders(sqlOf(guarded, read.sql), read.reply),
      ...headers,
    });
  const explanation = request.verbose ? explain(read, guarded, compiled) : null;
  return writeQueryResponse({
    request,
    run,
    guarded,
    sql: read.sql,
    reply: read.reply,
    explanation,
    number: compiled.number,
    requestId: gatewayRequest.id,
    startedMs: gatewayRequest.trace.startedMs,
    headers,
  });
}
