import { negotiateFormat, parsePreferences, type JsonValue, type Preferences } from '@rowhouse/rest-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import type { GatewayResponse, GatewayRequest } from '../http/gateway-request.js';
import { awaitLargeBody, type LargeBody, type LargeBodyServices } from '../limits/await-large-body.js';
import { readJsonBody } from '../rest/read-body.js';
import { prepareNames } from '../schema/compile-tables.js';
import { onLiveSchema, withView } from '../schema/on-live-schema.js';
import { streamQuery, type QueryStreamServices } from '../streams/stream-query.js';
import {
  assertPlacementReady,
  openTenant,
  requireScope,
  type RequestServices,
} from '../tenant/open-tenant.js';
import type { Tenant } from '../tenant/tenant.js';
import { executeQuery, type QueryExecution } from './execute-query.js';
import { readQueryRequest } from './query-request.js';
import { explain, judgeSql, readSql, routeRequest } from './read-sql.js';
import { acceptsEvents, serveQueryEvents, type QueryEventServices } from './serve-query-events.js';
import {
  queryHeaders,
  sqlOf,
  writeQueryResponse,
  rejectOtherThanJson,
  writeShortLines,
} from './write-query-response.js';

export interface QueryServices
  extends RequestServices, LargeBodyServices, QueryEventServices, QueryStreamServices {}

/** `POST /v1/-/query`: runs SQL or answers a question, with the rights of the key. */
export async function serveQuery(services: QueryServices, request: GatewayRequest): Promise<GatewayResponse> {
  const { tenant: first, admitted } = await openTenant(services, request);
  let large: LargeBody | null = null;
  try {
    requireScope(first, 'query');
    assertPlacementReady(first);
    large = await awaitLargeBody(services, request, first);
    const body = large === null ? readJsonBody(request) : await large.read();
    return await respondQuery(services, large?.tenant ?? first, request, body, admitted.headers);
  } finally {
    large?.leave();
    admitted.release();
  }
}

/** Responds to an admitted query. `headers` are added to the response. */
export async function respondQuery(
  services: QueryServices,
  tenant: Tenant,
  request: GatewayRequest,
  body: JsonValue | undefined,
  headers: GatewayResponse['headers'],
): Promise<GatewayResponse> {
  const isEvents = acceptsEvents(request.headers.accept);
  const format = isEvents ? 'json' : negotiateFormat(request.headers.accept ?? '', true);
  const preferences = parsePreferences(request.headers, true);
  const query: QueryExecution = {
    gatewayRequest: request,
    tenant,
    request: readQueryRequest(body, format !== 'json'),
    preferences,
  };
  const allHeaders = { ...headers, ...toApplied(preferences, format) };
  if (isEvents) return serveQueryEvents(services, query, allHeaders);
  return onLiveSchema(services, tenant.database, tenant.view, request.trace, ({ compiled }, view) =>
    respondOn(services, { ...query, tenant: withView(tenant, view) }, compiled, format, allHeaders),
  );
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

/** Responds to the query on one version of the schema. */
async function respondOn(
  services: QueryServices,
  query: QueryExecution,
  compiled: CompiledSnapshot,
  format: ReturnType<typeof negotiateFormat>,
  headers: Readonly<Record<string, string>>,
): Promise<GatewayResponse> {
  const { gatewayRequest, tenant, request } = query;
  const preparing = prepareNames(services, compiled, tenant.database);
  if (preparing !== null) await preparing;
  const read = await readSql(routeRequest(request, compiled), {
    services,
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
    return streamQuery(services, {
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
  const run = await executeQuery(services, query, guarded, compiled);
  gatewayRequest.trace.mark('db');
  gatewayRequest.trace.rows(run.rows.rowCount);
  await services.scheduler.nextSliceForRows(tenant.database.record.schemaName, [run.rows]);
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
