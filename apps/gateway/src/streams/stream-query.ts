import type { EventLoopScheduler, SchedulingServices } from '@rowhouse/admission';
import { AppError } from '@rowhouse/errors';
import { runStream } from '@rowhouse/mysql';
import {
  createLineWriter,
  CSV_TYPE,
  NDJSON_TYPE,
  parsePreferences,
  type LineWriter,
  type StreamFormat,
} from '@rowhouse/rest-engine';
import { canonicalJson, type CompiledSnapshot } from '@rowhouse/schema-model';
import { admitQuery } from '../cost/admit-query.js';
import type { GatewayResponse, GatewayRequest } from '../http/gateway-request.js';
import { LIMITS } from '../limits/limits.js';
import type { QueryRequest } from '../query/query-request.js';
import { createExplainCleaner } from '../query/query-sink.js';
import { toResultShape } from '../query/result-shape.js';
import {
  findQueryAccount,
  toRunQueryError,
  type RunnableQuery,
  type QueryRunServices,
} from '../query/run-query.js';
import { queryHeaders } from '../query/write-query-response.js';
import type { Translation } from '../questions/models/translation-cache.js';
import { mayBeRightsChange } from '../schema/retry-through-schema-change.js';
import { CONNECTION_WAIT_MS } from '../statements/run-program.js';
import { requireScope } from '../tenant/open-tenant.js';
import type { Tenant } from '../tenant/tenant.js';
import { openStream, toStreamError, type StreamOut } from './stream-out.js';
import { createStreamSink, type StreamPart } from './stream-sink.js';
import { watchStream, type StreamWatchServices } from './stream-watch.js';
import type { Streams } from './streams.js';

export interface QueryStreamServices extends QueryRunServices, SchedulingServices, StreamWatchServices {
  readonly streams: Streams;
}

export interface QueryStream {
  readonly gatewayRequest: GatewayRequest;
  readonly tenant: Tenant;
  readonly compiled: CompiledSnapshot;
  readonly query: RunnableQuery;
  /** The translation of a question, or null for SQL. */
  readonly reply: Translation | null;
  readonly request: QueryRequest;
  readonly format: StreamFormat;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Streams the rows of a user's statement as NDJSON or CSV. One statement runs for up to 60 s and returns any
 * number of rows.
 */
export function streamQuery(services: QueryStreamServices, stream: QueryStream): Promise<GatewayResponse> {
  return services.streams.run(stream.tenant, 'query', async () => {
    const { gatewayRequest: request, tenant, compiled, format } = stream;
    const headers = {
      'Content-Type': format === 'csv' ? CSV_TYPE : NDJSON_TYPE,
      ...queryHeaders(stream.query.sql, stream.reply),
      ...stream.headers,
    };
    const out = openStream(request, headers);
    const watch = watchStream(
      {
        services,
        tenant,
        number: compiled.number,
        address: request.address,
        isOpen: () => out.isOpen(),
        authorize: (current) => checkSame(tenant, current),
      },
      out.stop,
    );
    try {
      const part = await runStatement(services, stream, out);
      request.trace.rows(part.rows);
      const sentBytes = await out.end();
      request.trace.mark('db');
      return { status: 200, headers: {}, body: null, sentBytes };
    } finally {
      watch.end();
    }
  });
}

/** Checks that the rights are unchanged, because the statement was guarded under the earlier rights. */
function checkSame(before: Tenant, now: Tenant): void {
  requireScope(now, 'query');
  if (canonicalJson(before.view.rights.tables) !== canonicalJson(now.view.rights.tables))
    throw new AppError('auth.scope', { detail: 'The rights of this key have changed.' });
}

async function runStatement(
  services: QueryStreamServices,
  stream: QueryStream,
  out: StreamOut,
): Promise<StreamPart> {
  const { tenant, query, compiled, request } = stream;
  const { database } = tenant;
  const target = { server: database.server, account: findQueryAccount(tenant) };
  const options = {
    waitMs: CONNECTION_WAIT_MS,
    connectionsMax: LIMITS.queriesPerDatabaseMax,
    statementMsMax: LIMITS.streamStatementMsMax,
    kind: 'read_only',
  } as const;
  const sink = createSink(stream, out, services.scheduler);
  try {
    return await services.queryGate(database.record.id).run((onLeft) =>
      services.streams.runInSlot(database, 'query', () =>
        runStream(services.pools, target, { ...options, onLeft }, async (run) => {
          const remainingMs = await admitQuery(services.costs, tenant, query, compiled, run, {
            statementMsMax: LIMITS.streamStatementMsMax,
            rowsMax: request.limit,
          });
          const result = await run(query.runSql, query.params, sink, remainingMs);
          out.stop.signal.throwIfAborted();
          // Some statements report success although they were stopped at the time limit.
          if (result.elapsedMs >= remainingMs) throw new AppError('query.timeout');
          return result.rows;
        }),
      ),
    );
  } catch (error) {
    out.stop.signal.throwIfAborted();
    throw toStreamError(
      toRunQueryError(error, query, compiled, (errno) =>
        mayBeRightsChange(services, database.record.id, errno),
      ),
      out,
    );
  }
}

function createSink(
  { gatewayRequest, compiled, tenant, query, request, format }: QueryStream,
  out: StreamOut,
  scheduler: EventLoopScheduler,
): ReturnType<typeof createStreamSink> {
  const { numbers, formulas } = parsePreferences(gatewayRequest.headers, false);
  const clean = createExplainCleaner(query, tenant.database.record.schemaName);
  let writer: LineWriter | null = null;
  return createStreamSink(out, {
    scheduler,
    owner: tenant.database.record.schemaName,
    holdMsMax: null,
    ...(request.limit === null ? {} : { rowsMax: request.limit }),
    onColumns(columns) {
      writer = createLineWriter(toResultShape(columns, compiled).shape, format, {
        numbers,
        formulas,
        isArray: request.arrayMode,
      });
      out.write(writer.head);
    },
    format: () => (clean === null ? (writer?.format ?? null) : null),
    line: (cells) => writer?.line(clean === null ? cells : cells.map(clean)) ?? '',
  });
}
