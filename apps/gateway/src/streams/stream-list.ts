import { defect } from '@rowhouse/errors';
import { runStream, type RunStatement } from '@rowhouse/mysql';
import {
  authorizePlan,
  createLineWriter,
  createStreamSource,
  streamTags,
  toStreamHead,
  type Authorized,
  type LineWriter,
  type StreamFormat,
  type StreamPosition,
  type StreamPlan,
  type StreamSource,
} from '@rowhouse/rest-engine';
import { admitPlan, type CostServices } from '../cost/admit-plan.js';
import type { GatewayResponse, GatewayRequest } from '../http/gateway-request.js';
import { LIMITS } from '../limits/limits.js';
import { guardRegex } from '../statements/guard-regex.js';
import { toPlanError } from '../statements/plan-error.js';
import {
  CONNECTION_WAIT_MS,
  countRecords,
  rowsTarget,
  type RecordServices,
} from '../statements/run-program.js';
import type { Tenant } from '../tenant/tenant.js';
import { openStream, toStreamError, type StreamOut } from './stream-out.js';
import { createStreamSink, type StreamPart } from './stream-sink.js';
import { watchStream, type StreamWatch, type StreamWatchServices } from './stream-watch.js';
import type { Streams } from './streams.js';

export interface ListStreamServices extends CostServices, RecordServices, StreamWatchServices {
  readonly streams: Streams;
}

export interface ListStream {
  readonly request: GatewayRequest;
  readonly tenant: Tenant;
  /** The number of the snapshot for which the plan was created. */
  readonly number: number;
  readonly plan: Authorized<StreamPlan>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a list as NDJSON or CSV while it is read. Errors before the first byte are thrown as usual. */
export function streamList(services: ListStreamServices, stream: ListStream): Promise<GatewayResponse> {
  return services.streams.run(stream.tenant, 'list', async () => {
    const { request, tenant, number, plan } = stream;
    request.trace.plan(plan.kind);
    request.trace.mark('plan');
    const source = createStreamSource(plan);
    await admitPlan(
      services,
      tenant,
      plan,
      source.count === null ? [source.part(null, FIRST_ROWS)] : [source.part(null, FIRST_ROWS), source.count],
    );
    const count =
      source.count === null ? null : await countRecords(services, tenant.database, plan, source.count);
    const { numbers, formulas } = plan.preferences;
    const writer = createLineWriter(source.shape, toStreamFormat(plan), {
      numbers,
      formulas,
      tags: streamTags(plan, source.shape, services.digest),
    });
    const out = openStream(request, { ...toStreamHead(plan, writer, count), ...stream.headers });
    const watch = watchStream(
      {
        services,
        tenant,
        number,
        address: request.address,
        isOpen: () => out.isOpen(),
        authorize: (current) => void authorizePlan(plan, current.view.rights, current.key.scopes),
      },
      out.stop,
    );
    try {
      out.write(writer.head);
      if (request.method !== 'HEAD')
        request.trace.rows(await pumpList({ services, out, watch, plan, source, writer }));
      const sentBytes = await out.end();
      request.trace.mark('db');
      return { status: 200, headers: {}, body: null, sentBytes };
    } finally {
      watch.end();
    }
  });
}

interface ListPump {
  readonly services: ListStreamServices;
  readonly out: StreamOut;
  readonly watch: StreamWatch;
  readonly plan: StreamPlan;
  readonly source: StreamSource;
  readonly writer: LineWriter;
}

const FIRST_ROWS = 1_000;
const LEAST_ROWS = 20;
/**
 * The maximum number of rows of one statement with a regular expression. This number of rows fits into the
 * buffers, so the statement never waits for the client within its short time limit.
 */
const REGEX_ROWS = 200;
/**
 * The maximum time in ms that a statement waits for a slow client. Then the statement is ended, and a new
 * one continues the list when the client is ready.
 */
const HOLD_MS_MAX = 1_000;

async function pumpList(pump: ListPump): Promise<number> {
  const { out, source, plan } = pump;
  let remaining = plan.window.limit;
  let position: StreamPosition = null;
  let size = !source.isInParts ? plan.window.limit : plan.hasRegex === true ? REGEX_ROWS : FIRST_ROWS;
  while (remaining > 0) {
    await out.drained();
    const requestedCount = Math.min(size, remaining);
    const part: StreamPart = await runPart(pump, position, requestedCount);
    remaining -= part.rows;
    if (part.last !== null) position = source.positionOf(part.last);
    if (!source.isInParts || (part.rows < requestedCount && !part.wasEndedEarly)) break;
    out.flush();
    if (part.wasEndedEarly) size = Math.max(LEAST_ROWS, Math.floor(part.rows * 0.75));
    else if (!part.wasPaused && plan.hasRegex !== true)
      size = Math.min(LIMITS.streamRowsPerStatementMax, size * 2);
  }
  return plan.window.limit - remaining;
}

async function runPart(
  { services, out, watch, plan, source, writer }: ListPump,
  position: StreamPosition,
  rowsMax: number,
): Promise<StreamPart> {
  const { database } = watch.tenant();
  const statement = source.part(position, rowsMax);
  const sink = createStreamSink(out, {
    scheduler: services.scheduler,
    owner: database.record.schemaName,
    line: writer.line,
    format: () => writer.format,
    tail: writer.tail,
    holdMsMax: source.isInParts && plan.hasRegex !== true ? HOLD_MS_MAX : null,
  });
  const bound = (run: RunStatement): RunStatement =>
    plan.hasRegex === true ? guardRegex(run, database.record.server.capabilities.regexFaults) : run;
  const options = {
    waitMs: CONNECTION_WAIT_MS,
    connectionsMax: services.streams.connectionsMax,
    statementMsMax: source.isInParts ? LIMITS.statementMsMax : LIMITS.streamStatementMsMax,
    kind: source.isInParts ? 'short' : 'long',
  } as const;
  try {
    const result = await services.streams.runInSlot(database, source.isInParts ? 'part' : 'whole', () =>
      runStream(services.pools, rowsTarget(database), options, (run) =>
        bound(run)(statement.sql, statement.params, sink),
      ),
    );
    out.stop.signal.throwIfAborted();
    return result.rows;
  } catch (error) {
    out.stop.signal.throwIfAborted();
    throw toStreamError(toPlanError(error, plan), out);
  }
}

function toStreamFormat(plan: StreamPlan): StreamFormat {
  if (plan.format === 'json') return defect('a list as JSON is not a stream');
  return plan.format;
}
