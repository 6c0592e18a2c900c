import { guardQuery, routeQuery, type GuardedQuery } from '@rowhouse/query-engine';
import { negotiateFormat } from '@rowhouse/rest-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import { LIMITS } from '../limits.js';
import type { Translation } from '../llm/translation.js';
import type { Tenant } from '../tenant/tenant.js';
import type { AnswerHold } from '../tenant/answer-bytes.js';
import { ClientGone, type Answer, type Call } from './call.js';
import type { Gateway } from './gateway.js';
import { onLiveSchema } from './on-live-schema.js';
import { checkPlace, openTenant, requireScope } from './open-tenant.js';
import { describeTable, showTables } from './query/describe-query.js';
import { listGuardOptions } from './query/list-guard-options.js';
import { readQueryRequest, type QueryRequest } from './query/query-request.js';
import { runQuery, type QueryRun } from './query/run-query.js';
import { queryHeaders, sqlOf, writeQueryAnswer } from './query/write-query-answer.js';
import { translateQuestion } from './query/translate-question.js';
import { readJsonBody } from './read-body.js';
import { streamQuery } from './streams/stream-query.js';
import { writeShortLines } from './streams/write-short-lines.js';

/** `POST /v1/-/query`: SQL under the walls, with the key's own rights and never more. */
export async function serveQuery(gateway: Gateway, call: Call): Promise<Answer> {
  const { tenant, admitted } = await openTenant(gateway, call);
  try {
    requireScope(tenant, 'query');
    checkPlace(tenant);
    const format = negotiateFormat(call.headers.accept ?? '', true);
    const request = readQueryRequest(readJsonBody(call), format !== 'json');
    return await onLiveSchema(gateway, tenant.database, tenant.view, call.trace, async ({ compiled }) => {
      const read = await readSql(gateway, call, tenant, request, compiled);
      const { sql } = read;
      const guarded = guard(read, tenant, compiled);
      call.trace.plan(guarded.kind);
      call.trace.mark('plan');
      const isRun = (guarded.kind === 'select' || guarded.kind === 'explain') && !request.dryRun;
      if (format !== 'json' && isRun) return await streamQuery(gateway, { call, tenant, compiled, query: guarded, reply: read.reply, request, format, headers: admitted.headers });
      const run = await answerGuarded(gateway, call, tenant, guarded, request, compiled);
      call.trace.mark('db');
      call.trace.rows(run.rows.rowCount);
      if (format !== 'json') return writeShortLines(run, format, { ...queryHeaders(sqlOf(guarded, sql), read.reply), ...admitted.headers });
      return writeQueryAnswer({ request, run, guarded, sql, reply: read.reply, number: compiled.number, requestId: call.id, startedMs: call.trace.startedMs, headers: admitted.headers });
    });
  } finally {
    admitted.release();
  }
}

interface ReadQuery {
  readonly sql: string;
  readonly params: QueryRequest['params'];
  /** Set where a question was translated. */
  readonly reply: Translation | null;
}

/** The SQL of the request, or what its question was read as. */
async function readSql(gateway: Gateway, call: Call, tenant: Tenant, request: QueryRequest, compiled: CompiledSnapshot): Promise<ReadQuery> {
  const asSql = (sql: string): ReadQuery => ({ sql, params: request.params, reply: null });
  const schema = { tables: compiled.tableNames.map((name) => ({ name, columns: compiled.findByName(name)?.shown.map((column) => column.name) ?? [] })) };
  if (request.mode === 'sql') return asSql(request.query);
  const routed = request.mode === 'question' ? ({ kind: 'question', question: request.query } as const) : routeQuery(request.query, schema);
  if (routed.kind === 'invalid') throw routed.error;
  if (routed.kind === 'sql') return asSql(routed.sql);
  const reply = await translateQuestion({ gateway, call, tenant, compiled, request });
  return { sql: reply.sql, params: reply.params, reply };
}

/** What the key may read, and everything else of the database, which must not even be named. */
function guard({ sql, params }: ReadQuery, tenant: Tenant, compiled: CompiledSnapshot): GuardedQuery {
  return guardQuery(sql, { ...listGuardOptions(tenant, compiled), params });
}

async function answerGuarded(gateway: Gateway, call: Call, tenant: Tenant, guarded: GuardedQuery, request: QueryRequest, compiled: CompiledSnapshot): Promise<QueryRun> {
  switch (guarded.kind) {
    case 'show_tables':
      return fromSnapshot(showTables(compiled, tenant.database.record.schemaName, guarded.like), request);
    case 'describe': {
      const table = compiled.findByName(guarded.table);
      return fromSnapshot(table === null ? [] : describeTable(table, guarded.column), request);
    }
    default: {
      const rehearsed = request.dryRun && guarded.kind === 'select' ? { ...guarded, kind: 'explain' as const, sql: `EXPLAIN ${guarded.sql}` } : guarded;
      const hold = holdUntilSent(gateway, call, tenant);
      const run = await runQuery(gateway, tenant, rehearsed, { compiled, rowsMax: request.limit ?? LIMITS.queryRowsDefault, arrayMode: request.arrayMode, numbers: 'json', addBytes: hold.add });
      // A dry run has let the server read the statement and bind its names; it has no rows of its own.
      return request.dryRun ? fromSnapshot([], request, run.elapsedMs) : run;
    }
  }
}

/** Sent, refused or left: the response is closed in the end, and what its answer held is free again. */
function holdUntilSent(gateway: Gateway, { res }: Call, tenant: Tenant): AnswerHold {
  const hold = gateway.answerBytes.open(tenant.database.record.id);
  let isBound = false;
  return {
    ...hold,
    add(bytes) {
      if (res.destroyed) throw new ClientGone();
      hold.add(bytes);
      if (isBound || !hold.isHolding()) return;
      isBound = true;
      res.once('close', hold.release);
    },
  };
}

function fromSnapshot(rows: readonly Readonly<Record<string, string | null>>[], request: QueryRequest, elapsedMs = 0): QueryRun {
  const shown = rows.slice(0, request.limit ?? LIMITS.queryRowsDefault);
  const names = Object.keys(rows[0] ?? {});
  const json = JSON.stringify(request.arrayMode ? shown.map((row) => names.map((name) => row[name] ?? null)) : shown);
  const columns = names.map((name) => ({ name, type: 'string' as const, nullable: name === 'Default' }));
  return { rows: { json, rowCount: shown.length, isTruncated: rows.length > shown.length, columns }, elapsedMs };
}
