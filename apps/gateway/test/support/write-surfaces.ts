import type { TestResponse } from './http-call.js';
import { openMcp } from './mcp-client.js';
import type { Stage } from './stage-cell.js';

type Row = Readonly<Record<string, unknown>>;

/** The response of one surface to a create or an upsert. */
export interface SurfaceResponse {
  /** The status. 201 when MCP or an import in parts reports that it stored all records. */
  readonly status: number;
  /** The error body, or the faults of the first record that an import rejected. */
  readonly fault: ReturnType<typeof JSON.parse>;
}

export interface SurfaceOptions {
  readonly onConflict?: string;
  readonly prefer?: string;
}

type Send = (
  stage: Stage,
  table: string,
  rows: readonly Row[],
  options: SurfaceOptions,
) => Promise<SurfaceResponse>;

/**
 * The surfaces that accept records. Each stores `rows` in the table at `/table`. Nested values require JSON.
 */
export const WRITE_SURFACES: Readonly<Record<string, Send>> = {
  objects: async (stage, table, rows, options) => {
    let last: SurfaceResponse = { status: 0, fault: null };
    for (const row of rows) {
      last = toResponse(await stage.call('POST', pathOf(table, options), row, headersOf(options)));
      if (last.status >= 400) break;
    }
    return last;
  },
  array: async (stage, table, rows, options) =>
    toResponse(await stage.call('POST', pathOf(table, options), rows, headersOf(options))),
  csv: async (stage, table, rows, options) =>
    toResponse(await stage.call('POST', pathOf(table, options), toCsv(rows), headersOf(options, 'text/csv'))),
  ndjson: async (stage, table, rows, options) =>
    toResponse(
      await stage.call(
        'POST',
        pathOf(table, options),
        toLines(rows),
        headersOf(options, 'application/x-ndjson'),
      ),
    ),
  'csv in parts': async (stage, table, rows, options) =>
    toReport(
      await stage.call('POST', pathOf(table, options), toCsv(rows), headersOf(inParts(options), 'text/csv')),
    ),
  'ndjson in parts': async (stage, table, rows, options) =>
    toReport(
      await stage.call(
        'POST',
        pathOf(table, options),
        toLines(rows),
        headersOf(inParts(options), 'application/x-ndjson'),
      ),
    ),
  batch: async (stage, table, rows, options) => {
    const operations = [{ method: 'POST', path: pathOf(table, options), body: rows }];
    const response = await stage.call('POST', '/_batch', { operations }, headersOf(options));
    return response.status === 200 ? { status: response.json[0].status, fault: null } : toResponse(response);
  },
  mcp: async (stage, table, rows, options) => {
    const client = await openMcp(stage.gateway.url, stage.tenant.key);
    try {
      const reply = await client.call('create_records', {
        table,
        records: rows,
        ...(options.onConflict === undefined ? {} : { on_conflict: options.onConflict.split(',') }),
      });
      return reply.isError ? { status: 400, fault: reply.reported.error } : { status: 201, fault: null };
    } finally {
      await client.close();
    }
  },
};

function pathOf(table: string, { onConflict }: SurfaceOptions): string {
  return `/_tables/${table}${onConflict === undefined ? '' : `?_on_conflict=${onConflict}`}`;
}

function headersOf({ prefer }: SurfaceOptions, type?: string): Record<string, string> {
  return {
    ...(prefer === undefined ? {} : { prefer }),
    ...(type === undefined ? {} : { 'content-type': type }),
  };
}

function inParts(options: SurfaceOptions): SurfaceOptions {
  return {
    ...options,
    prefer: ['on-error=continue', ...(options.prefer === undefined ? [] : [options.prefer])].join(', '),
  };
}

function toResponse({ status, json }: TestResponse): SurfaceResponse {
  return { status, fault: status < 400 ? null : (json as SurfaceResponse['fault']) };
}

function toReport({ status, text, json }: TestResponse): SurfaceResponse {
  if (status !== 200) return { status, fault: json };
  const first: SurfaceResponse['fault'] = JSON.parse(text.slice(0, text.indexOf('\n')));
  return first.committed === undefined
    ? { status: first.status, fault: first }
    : { status: 201, fault: null };
}

function toLines(rows: readonly Row[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

function toCsv(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const field = (value: unknown): string =>
    value === null
      ? ''
      : `"${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('"', '""')}"`;
  return [
    names.join(','),
    ...rows.map((row) => names.map((name) => field(row[name] ?? null)).join(',')),
  ].join('\r\n');
}
