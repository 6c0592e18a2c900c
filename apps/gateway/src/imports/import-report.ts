import { addExtra, toErrorBody, type AppError } from '@rowhouse/errors';
import type { GatewayResponse } from '../http/gateway-request.js';

/** The progress of an import. */
export interface ImportReport {
  stored(rows: number, lastLine: number): void;
  failed(line: number, error: AppError): void;
  hasStarted(): boolean;
  /** Returns an error that ends the import, with what was stored until then. */
  toError(error: AppError): AppError;
  toAnswer(headers: Readonly<Record<string, string>>): GatewayResponse;
}

/** The maximum length of the lines about rejected records. Further ones are only counted. */
const REPORT_LENGTH_MAX = 1024 * 1024;

export function createImportReport(requestId: string, isRehearsal: boolean): ImportReport {
  const lines: string[] = [];
  let length = 0;
  let committed = 0;
  let failures = 0;
  let untold = 0;
  let lastLine = 0;
  const summary = (): Record<string, number> => ({
    committed: isRehearsal ? 0 : committed,
    ...(isRehearsal ? { would_commit: committed } : {}),
    failed: failures,
    last_line: lastLine,
    ...(untold === 0 ? {} : { untold }),
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
        untold += 1;
        return;
      }
      length += text.length;
      lines.push(`${text}\n`);
    },
    hasStarted: () => committed > 0 || failures > 0,
    toError: (error) => addExtra(error, summary()),
    toAnswer: (headers) => ({
      status: 200,
      headers: { 'Content-Type': 'application/x-ndjson', ...headers },
      body: `${lines.join('')}${JSON.stringify(summary())}\n`,
    }),
  };
}
