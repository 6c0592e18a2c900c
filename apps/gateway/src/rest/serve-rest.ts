import type { KeyObject } from 'node:crypto';
import { pauseOf } from '@rowhouse/admission';
import { API_PREFIX } from '@rowhouse/contracts';
import {
  authorizePlan,
  cacheShape,
  parseRequest,
  planByShape,
  planRequest,
  prepareDocumentsSteps,
  toResponse,
  toStatements,
  type ApiRequest,
  type Authorized,
  type JsonValue,
  type Plan,
  type PlanOptions,
  type RawRequest,
  type StreamPlan,
} from '@rowhouse/rest-engine';
import { runStepsInSlices, type CompiledSnapshot } from '@rowhouse/schema-model';
import { admitPlan, createNextAdmission, withAdmission } from '../cost/admit-plan.js';
import type { GatewayResponse, GatewayRequest } from '../http/gateway-request.js';
import {
  serveIdempotent,
  type IdempotentWrite,
  type IdempotencyServices,
} from '../idempotency/serve-idempotent.js';
import { awaitLargeBody, type LargeBody, type LargeBodyServices } from '../limits/await-large-body.js';
import { isLargeBody } from '../limits/large-bodies.js';
import { NO_HEADERS } from '../limits/request-admission.js';
import { onLiveSchema, withView, type LiveSchemaServices } from '../schema/on-live-schema.js';
import { loadStoredColumns } from '../schema/stored-columns.js';
import { addBodyTag } from '../statements/finish-results.js';
import { UnreadableWriteError } from '../statements/plan-error.js';
import { runGuarded, runProgram } from '../statements/run-program.js';
import { streamList, type ListStreamServices } from '../streams/stream-list.js';
import { assertPlacementReady, resolveTenant, type RequestServices } from '../tenant/open-tenant.js';
import { readCredential } from '../tenant/read-credential.js';
import type { Tenant, TenantDatabase } from '../tenant/tenant.js';
import { planOptions, toShapeOptions } from './plan-options.js';
import { readJsonBody } from './read-body.js';
import { readWritten } from './read-written.js';

export interface RestServices
  extends RequestServices, LargeBodyServices, LiveSchemaServices, IdempotencyServices, ListStreamServices {
  /** The key that seals cursors. It is the same in every gateway of the deployment. */
  readonly cursorKey: KeyObject;
}

/** Returns the body of a request as a JSON value. Bodies that are not JSON are converted. */
export type ReadBody = (
  request: GatewayRequest,
  compiled: CompiledSnapshot,
  database: TenantDatabase,
) => JsonValue | undefined | Promise<JsonValue | undefined>;

/**
 * Serves one request for the rows of a table: finds its tenant, admits it, and responds. The request is
 * logged by `serveRequest`, because rejected requests are logged too.
 */
export async function serveRest(
  services: RestServices,
  request: GatewayRequest,
  readBody: ReadBody = readJsonBody,
): Promise<GatewayResponse> {
  const { headers, trace } = request;
  const keyHash = readCredential(headers, services.hashKey);
  const tenant = await resolveTenant(services, keyHash, request);
  trace.tenant(tenant);
  assertPlacementReady(tenant);
  const admitted = services.admission.admit(tenant, headers.origin);
  trace.mark('auth');
  let large: LargeBody | null = null;
  try {
    const waiting = awaitLargeBody(services, request, tenant);
    if (waiting !== null) large = await waiting;
    return await respondRest(
      services,
      large?.tenant ?? tenant,
      request,
      admitted.headers,
      large !== null && readBody === readJsonBody ? large.read : readBody,
    );
  } finally {
    large?.leave();
    admitted.release();
  }
}

/** Responds to an admitted request. `headers` are added to the response. */
export async function respondRest(
  services: RestServices,
  admittedTenant: Tenant,
  request: GatewayRequest,
  headers: GatewayResponse['headers'],
  readBody: ReadBody,
): Promise<GatewayResponse> {
  const { database } = admittedTenant;
  // If the schema is not in memory, a session is opened while the schema is being read.
  if (database.rowsAccount !== null && !services.schemas.has(database.record.id))
    services.pools.expect(database.server, database.rowsAccount);
  let tenant = admittedTenant;
  try {
    return await onLiveSchema(services, database, tenant.view, request.trace, ({ compiled }, view) => {
      tenant = withView(admittedTenant, view);
      const body = readBody(request, compiled, database);
      return body instanceof Promise
        ? body.then((value) => planAndRespond(services, tenant, request, compiled, value, headers))
        : planAndRespond(services, tenant, request, compiled, body, headers);
    });
  } catch (error) {
    if (!(error instanceof UnreadableWriteError)) throw error;
    return await readWritten(services, tenant, request, error);
  }
}

/** A planned request, by how it is served. */
type Planned =
  | { readonly kind: 'plain'; readonly plan: Authorized<Plan> }
  | { readonly kind: 'stream'; readonly plan: Authorized<StreamPlan> }
  /** A write under an `Idempotency-Key`, which is only planned if no response is stored. */
  | {
      readonly kind: 'idempotent';
      readonly key: string;
      readonly request: ApiRequest;
      readonly options: PlanOptions;
    };

/**
 * Plans a request on one version of the schema, runs it and responds. A request of a known shape is not
 * parsed again (ADR 0076).
 */
async function planAndRespond(
  services: RestServices,
  tenant: Tenant,
  request: GatewayRequest,
  compiled: CompiledSnapshot,
  body: JsonValue | undefined,
  headers: GatewayResponse['headers'],
): Promise<GatewayResponse> {
  const { database } = tenant;
  const { trace } = request;
  const planned =
    planKnownShape(services, tenant, request, compiled, body) ??
    (await parseAndPlan(services, tenant, request, compiled, body));
  if (planned.kind === 'idempotent')
    return await respondOnce(services, tenant, request, compiled, planned, headers);
  if (planned.kind === 'stream') {
    const { plan } = planned;
    return await streamList(services, { request, tenant, number: compiled.number, plan, headers });
  }
  const { plan } = planned;
  const program = toStatements(plan, database.record.server.capabilities, services.digest);
  trace.plan(plan.kind);
  trace.mark('plan');
  const admitting = admitPlan(services, tenant, plan, program.first.statements);
  if (admitting !== null) await admitting;
  const admitNext = createNextAdmission(services, tenant, plan);
  const options = admitNext === null ? undefined : { admitNext };
  const results = await runProgram(services, database, plan, program, options);
  trace.mark('db');
  const nextSlice = services.scheduler.nextSliceForRows(database.record.schemaName, results);
  if (nextSlice !== null) await nextSlice;
  const created = toResponse(plan, results, services.digest);
  const response =
    created.tagWith === undefined ? created : await addBodyTag(created, pauseOf(services, database));
  trace.rows(results[0]?.rowCount ?? 0);
  return headers === NO_HEADERS ? response : { ...response, headers: { ...response.headers, ...headers } };
}

function toRawRequest(
  { method, rawPath, rawQuery, headers }: GatewayRequest,
  body: JsonValue | undefined,
): RawRequest {
  return { method, rawPath: rawPath.slice(API_PREFIX.length), rawQuery, headers, body };
}

/** Returns null if no request of this shape has been planned yet. */
function planKnownShape(
  services: RestServices,
  tenant: Tenant,
  request: GatewayRequest,
  compiled: CompiledSnapshot,
  body: JsonValue | undefined,
): Planned | null {
  const options = toShapeOptions(services.cursorKey, tenant.database);
  const plan = planByShape(toRawRequest(request, body), compiled, API_PREFIX, options);
  if (plan === null) return null;
  request.trace.route(nameRoute(request.method, plan));
  return { kind: 'plain', plan: authorizePlan(plan, tenant.view.rights, tenant.key.scopes) };
}

async function parseAndPlan(
  services: RestServices,
  { database, view, key }: Tenant,
  gatewayRequest: GatewayRequest,
  compiled: CompiledSnapshot,
  body: JsonValue | undefined,
): Promise<Planned> {
  const raw = toRawRequest(gatewayRequest, body);
  const request = parseRequest(raw, compiled, { prefix: API_PREFIX });
  gatewayRequest.trace.route(nameRoute(raw.method, request));
  if ('body' in request && isLargeBody(gatewayRequest.body))
    await runStepsInSlices(prepareDocumentsSteps(request.table, request.body), pauseOf(services, database));
  const storedColumnsAt = loadStoredColumns(services.directory, database, request, compiled.number);
  const options = planOptions(
    services.cursorKey,
    database,
    storedColumnsAt instanceof Promise ? await storedColumnsAt : storedColumnsAt,
  );
  if (request.idempotencyKey !== null)
    return { kind: 'idempotent', key: request.idempotencyKey, request, options };
  const plan = planRequest(request, options);
  cacheShape(raw, request, plan, compiled, toShapeOptions(services.cursorKey, database));
  const authorized = authorizePlan(plan, view.rights, key.scopes);
  return (authorized.kind === 'list' || authorized.kind === 'aggregate') && authorized.format !== 'json'
    ? { kind: 'stream', plan: authorized }
    : { kind: 'plain', plan: authorized };
}

function nameRoute(method: string, request: Pick<Plan, 'table'>): string {
  return `${method} /${request.table.path}${'key' in request ? '/{id}' : ''}`;
}

/** Responds to a write under an `Idempotency-Key`. */
async function respondOnce(
  services: RestServices,
  tenant: Tenant,
  gatewayRequest: GatewayRequest,
  compiled: CompiledSnapshot,
  { key, request, options }: Extract<Planned, { kind: 'idempotent' }>,
  headers: GatewayResponse['headers'],
): Promise<GatewayResponse> {
  const response = await serveIdempotent(services, tenant, gatewayRequest, {
    key,
    compiled,
    table: request.table,
    prepare: () => prepareWrite(services, tenant, gatewayRequest, request, options),
  });
  gatewayRequest.trace.mark('db');
  return { ...response, headers: { ...response.headers, ...headers } };
}

/** Plans and authorizes an idempotent write. */
function prepareWrite(
  services: RestServices,
  tenant: Tenant,
  gatewayRequest: GatewayRequest,
  request: ApiRequest,
  options: PlanOptions,
): IdempotentWrite {
  const { database, view, key } = tenant;
  const plan = authorizePlan(planRequest(request, options), view.rights, key.scopes);
  const program = toStatements(plan, database.record.server.capabilities, services.digest);
  gatewayRequest.trace.plan(plan.kind);
  return {
    plans: [plan],
    run: (guard) =>
      runGuarded(
        services,
        database,
        plan,
        program,
        withAdmission(services, tenant, plan, program.first.statements, guard),
      ),
  };
}
