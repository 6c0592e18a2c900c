import { addExtra, toErrorBody, type AppError } from '@rowhouse/errors';
import type { GatewayResponse } from '../http/gateway-request.js';

/** The progress of an import. */
export interface ImportReport {
  stored(rows: number, lastLine: number): void;
  failed(line: number, error: AppError): void;
  hasStarted(): boolean;
  /** Returns an error that ends the import, with what was stored until then. */
  toError(error: AppError): AppError;
  toResponse(headers: Readonly<Record<string, string>>): GatewayResponse;
}

/** The maximum length of all lines about rejected records. Further records are only counted. */
const REPORT_LENGTH_MAX = 1024 * 1024;

export function createImportReport(requestId: string, isDryRun: boolean): ImportReport {
  const lines: string[] = [];
  let length = 0;
  let committed = 0;
  let failures = 0;
  let omitted = 0;
  let lastLine = 0;
  const summary = (): Record<string, number> => ({
    committed: isDryRun ? 0 : committed,
    ...(isDryRun ? { would_commit: committed } : {}),
    failed: failures,
    last_line: lastLine,
    ...(omitted === 0 ? {} : { untold: omitted }),
  });
  return {
    stored(rows, line) {
      committed += rows;
      lastLine = line;
    },
    failed(line, error) {
      failures += 1;
      const { request_id: _, ...body } = toErrorBody(error, requestId);
      const text = JSON.stringify({ line, status: error.status, ...body });
      if (length + text.length > REPORT_LENGTH_MAX) {
        omitted += 1;
        return;
      }
      length += text.length;
      lines.push(`${text}\n`);
    },
    hasStarted: () => committed > 0 || failures > 0,
    toError: (error) => addExtra(error, summary()),
    toResponse: (headers) => ({
      status: 200,
      headers: { 'Content-Type': 'application/x-ndjson', ...headers },
      body: `${lines.join('')}${JSON.stringify(summary())}\n`,
    }),
  };
}
