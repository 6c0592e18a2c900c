import type { DatabaseResponse } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formatFault, isRecord, readFault } from '../client/api-error.js';
import { callGateway, type GatewayDatabase, toTablePath } from '../gateway/call-gateway.js';
import type { TableView } from '../schema/read-tables.js';
import { rowKeys } from './queries.js';

export interface ImportInput {
  /** One JSON object per line. */
  readonly ndjson: string;
  readonly onError: 'stop' | 'continue';
  /** Whether the server only checks the records and stores none of them. */
  readonly isRehearsal: boolean;
}

/** A record that was not stored, with its number in the file, starting at 1. */
export interface ImportFault {
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

export interface ImportReport {
  readonly committed: number;
  readonly failed: number;
  readonly faults: readonly ImportFault[];
  readonly isRehearsal: boolean;
}

/** Imports rows into a table. The server stores them in parts, and the report lists each rejected row. */
export function useImportRows(database: DatabaseResponse, table: TableView) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ ndjson, onError, isRehearsal }: ImportInput): Promise<ImportReport> => {
      const prefer = `on-error=${onError}${isRehearsal ? ', tx=rollback' : ''}`;
      const response = await callGateway(database, {
        method: 'POST',
        path: toTablePath(table),
        body: ndjson,
        headers: { Accept: 'application/x-ndjson', 'Content-Type': 'application/x-ndjson', Prefer: prefer },
      });
      return readReport(await response.text(), isRehearsal);
    },
    onSuccess: (report) =>
      report.isRehearsal
        ? undefined
        : queryClient.invalidateQueries({ queryKey: rowKeys.of(database.id, table.name) }),
  });
}

/** Parses the report of an import: a line for each rejected record, and a summary. */
export function readReport(text: string, isRehearsal: boolean): ImportReport {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
    .filter(isRecord);
  const total = lines.at(-1) ?? {};
  return {
    committed: Number(total['committed'] ?? total['would_commit'] ?? 0),
    failed: Number(total['failed'] ?? 0),
    isRehearsal,
    faults: lines.slice(0, -1).map((line) => ({
      line: Number(line['line']),
      code: String(line['code']),
      message: describeFault(line['detail']),
    })),
  };
}

function describeFault(detail: unknown): string {
  return Array.isArray(detail)
    ? detail.map((fault) => formatFault(readFault(fault))).join(' ')
    : String(detail);
}

export type ExportForm = 'csv' | 'json' | 'ndjson';

const ACCEPT: Readonly<Record<ExportForm, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/x-ndjson',
};
const TYPES: Readonly<Record<ExportForm, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
};

export interface ExportInput {
  readonly form: ExportForm;
  /** Whether CSV texts that a spreadsheet would run as a formula start with an apostrophe. */
  readonly isDisarmed?: boolean;
  readonly request: { readonly path: string; readonly method?: 'GET' | 'POST'; readonly body?: unknown };
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}

/**
 * Downloads a stream to a file in the browser. Throws if the stream is aborted, so no partial file is saved.
 */
export async function exportStream(
  database: GatewayDatabase,
  { form, isDisarmed = false, request, signal, onBytes }: ExportInput,
): Promise<Blob> {
  const response = await callGateway(database, {
    ...request,
    headers: {
      Accept: ACCEPT[form],
      ...(form === 'csv' && isDisarmed ? { Prefer: 'csv-formulas=escape' } : {}),
    },
    signal,
  });
  const parts: BlobPart[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const read = await reader?.read();
    if (read === undefined || read.done) break;
    parts.push(read.value);
    bytes += read.value.byteLength;
    onBytes(bytes);
  }
  const blob = new Blob(parts, { type: TYPES[form] });
  if (form !== 'json') return blob;
  const lines = (await blob.text()).trimEnd();
  return new Blob(['[', lines === '' ? '' : `\n${lines.replaceAll('\n', ',\n')}\n`, ']\n'], {
    type: TYPES.json,
  });
}
