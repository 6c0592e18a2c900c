import { CSV_TYPE, NDJSON_TYPE, quoteCsv, type StreamFormat } from '@rowhouse/rest-engine';
import type { GatewayResponse } from '../gateway-request.js';
import type { QueryRun } from '../query/run-query.js';

/**
 * Writes a query answered from the snapshot, or a dry run, in the format of a stream. The values are only
 * strings and NULL.
 */
export function writeShortLines(
  run: QueryRun,
  format: StreamFormat,
  headers: Readonly<Record<string, string>>,
): GatewayResponse {
  const rows = JSON.parse(String(run.rows.json)) as readonly (
    | Readonly<Record<string, string | null>>
    | readonly (string | null)[]
  )[];
  const type = format === 'csv' ? CSV_TYPE : NDJSON_TYPE;
  const lines =
    format === 'csv'
      ? toCsv(
          run.rows.columns.map((column) => column.name),
          rows.map((row) => Object.values(row)),
        )
      : rows.map((row) => `${JSON.stringify(row)}\n`);
  return { status: 200, headers: { 'Content-Type': type, ...headers }, body: lines.join('') };
}

function toCsv(names: readonly string[], rows: readonly (readonly (string | null)[])[]): string[] {
  return [
    names.map(quoteCsv),
    ...rows.map((row) => row.map((text) => (text === null ? '' : quoteCsv(text)))),
  ].map((fields) => `${fields.join(',')}\r\n`);
}
