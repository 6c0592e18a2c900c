import { pauseOf } from '@rowhouse/admission';
import { toAppError, toErrorBody } from '@rowhouse/errors';
import { CACHE_NEVER } from '../http/error-response.js';
import {
  ClientDisconnectedError,
  type GatewayResponse,
  type GatewayRequest,
} from '../http/gateway-request.js';
import type { QuestionServices } from '../questions/question-context.js';
import { prepareNames } from '../schema/compile-tables.js';
import { onLiveSchema, withView, type LiveSchemaServices } from '../schema/on-live-schema.js';
import { openStream, type StreamOut } from '../streams/stream-out.js';
import { describeWarnings } from './describe-query.js';
import { executeQuery, type QueryExecution, type QueryResponseServices } from './execute-query.js';
import { explain, judgeSql, readSql, routeRequest } from './read-sql.js';
import type { QueryRun } from './run-query.js';
import { round, sourceOf, sqlOf, writeParams } from './write-query-response.js';

export interface QueryEventServices extends LiveSchemaServices, QuestionServices, QueryResponseServices {}

const EVENTS_TYPE = 'text/event-stream';

/** Returns whether the client requests an event for each stage (`Accept: text/event-stream`). */
export function acceptsEvents(accept: string | undefined): boolean {
  return (
    accept !== undefined &&
    accept.split(',').some((part) => part.split(';')[0]?.trim().toLowerCase() === EVENTS_TYPE)
  );
}

/**
 * Sends an event for each stage: `route`, `sql`, `rows` and `done`. An error ends the stages with the event
 * `error`, which has the body of an error response.
 */
export async function serveQueryEvents(
  services: QueryEventServices,
  query: QueryExecution,
  headers: Readonly<Record<string, string>>,
): Promise<GatewayResponse> {
  const { gatewayRequest: request } = query;
  // The response is not compressed, because compression would delay each event until the next one.
  const { 'accept-encoding': _packed, ...plain } = request.headers;
  const out = openStream(
    { ...request, headers: plain },
    {
      'Content-Type': `${EVENTS_TYPE}; charset=utf-8`,
      'Cache-Control': CACHE_NEVER,
      'X-Accel-Buffering': 'no',
      ...headers,
    },
  );
  try {
    await reportStages(services, query, out);
  } catch (thrownError) {
    if (thrownError instanceof ClientDisconnectedError) throw thrownError;
    const error = toAppError(thrownError);
    request.trace.plan(`failed: ${error.code}`);
    sendEvent(out, 'error', JSON.stringify({ status: error.status, ...toErrorBody(error, request.id) }));
  }
  return { status: 200, headers: {}, body: null, sentBytes: await out.end() };
}

async function reportStages(
  services: QueryEventServices,
  query: QueryExecution,
  out: StreamOut,
): Promise<void> {
  const { gatewayRequest, tenant: first, request } = query;
  await onLiveSchema(
    services,
    first.database,
    first.view,
    gatewayRequest.trace,
    async ({ compiled }, view) => {
      const tenant = withView(first, view);
      await prepareNames(services, compiled, tenant.database);
      const routed = routeRequest(request, compiled);
      sendEvent(out, 'route', JSON.stringify({ kind: routed.kind }));
      const read = await readSql(routed, { services, gatewayRequest, tenant, compiled, request });
      const guarded = judgeSql(read, tenant, compiled);
      const { reply } = read;
      const about = {
        sql: sqlOf(guarded, read.sql),
        source: sourceOf(reply),
        explanation: explain(read, guarded, compiled),
        confidence: reply?.confidence ?? null,
        assumptions: reply?.assumptions ?? [],
        ...(reply === null ? {} : { llm: reply.llm, question_id: reply.questionId }),
      };
      sendEvent(
        out,
        'sql',
        `{"params":${writeParams('params' in guarded ? guarded.params : [])},${JSON.stringify(about).slice(1)}`,
      );
      gatewayRequest.trace.plan(guarded.kind);
      gatewayRequest.trace.mark('plan');
      const run = await executeQuery(services, { ...query, tenant }, guarded, compiled);
      gatewayRequest.trace.mark('db');
      gatewayRequest.trace.rows(run.rows.rowCount);
      await reportRows(out, run, pauseOf(services, tenant.database));
      sendEvent(out, 'done', writeDone(gatewayRequest, guarded, run, compiled.number));
    },
  );
}

function writeDone(
  request: GatewayRequest,
  guarded: Parameters<typeof describeWarnings>[0],
  run: Parameters<typeof describeWarnings>[1],
  number: number,
): string {
  const { rows, elapsedMs, written } = run;
  const changed =
    written === null
      ? ''
      : `"affected_rows":${written.affectedRows},"insert_id":${written.insertId ?? 'null'},`;
  const rest = {
    row_count: rows.rowCount,
    truncated: rows.isTruncated,
    warnings: describeWarnings(guarded, run),
    timing: { total_ms: round(performance.now() - request.trace.startedMs), database_ms: round(elapsedMs) },
    schema_version: number,
    request_id: request.id,
  };
  return `{${changed}${JSON.stringify(rest).slice(1)}`;
}

/** The bytes of rows between two pauses. */
const ROWS_SLICE_BYTES = 64 * 1024;

/** Sends the rows in slices, because they may have megabytes. */
async function reportRows(out: StreamOut, { rows }: QueryRun, pause: () => Promise<void>): Promise<void> {
  const head = `{"columns":${JSON.stringify(rows.columns)},"data":`;
  if (typeof rows.json === 'string') return sendEvent(out, 'rows', `${head}${rows.json}}`);
  out.write(`event: rows\ndata: ${head}`);
  for (let index = 0; index < rows.json.length; index += ROWS_SLICE_BYTES) {
    if (index > 0) await pause();
    if (out.isFull()) await out.drained();
    out.stop.signal.throwIfAborted();
    writeDataLines(
      out,
      Buffer.from(
        rows.json.buffer,
        rows.json.byteOffset + index,
        Math.min(ROWS_SLICE_BYTES, rows.json.length - index),
      ),
    );
  }
  out.write('}\n\n');
  out.flush();
}

/**
 * Writes bytes as lines of an event. Unlike `sendEvent` it splits CRLF into two lines, which is equivalent in
 * JSON.
 */
function writeDataLines(out: StreamOut, bytes: Buffer): void {
  let from = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    if (bytes[index] !== LINE_FEED && bytes[index] !== CARRIAGE_RETURN) continue;
    out.writeBytes(bytes.subarray(from, index));
    out.write('\ndata: ');
    from = index + 1;
  }
  out.writeBytes(bytes.subarray(from));
}

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/**
 * Sends an event. Stored JSON may contain line breaks, and each line of an event's data needs the prefix
 * `data: `.
 */
function sendEvent(out: StreamOut, event: string, json: string): void {
  out.write(`event: ${event}\ndata: ${json.replaceAll(/\r\n|\r|\n/g, '\ndata: ')}\n\n`);
  out.flush();
}
