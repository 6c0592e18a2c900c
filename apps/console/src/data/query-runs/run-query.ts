import type { GatewayDatabase } from '../gateway/call-gateway.js';
import { readGateway } from '../gateway/call-gateway.js';

export type QueryMode = 'auto' | 'sql' | 'question';
export type QueryParam = string | number | boolean | null;

export interface QueryInput {
  readonly text: string;
  readonly mode: QueryMode;
  readonly params?: readonly QueryParam[];
  /** The maximum number of rows in the result. */
  readonly limit: number;
  /**
   * Set if the statement writes. It then runs with a key that allows writing SQL. `dryRun` rolls all changes
   * back.
   */
  readonly write?: { readonly dryRun: boolean; readonly affectedMax: number };
}

/** The rows of a query, and information about its execution. */
export interface QueryResponse {
  readonly data: readonly (readonly unknown[])[];
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly sql: string;
  readonly params: readonly QueryParam[];
  readonly source: 'sql' | 'rules' | 'llm' | 'cache';
  readonly row_count: number;
  readonly truncated: boolean;
  readonly explanation: string | null;
  readonly confidence: number | null;
  readonly assumptions: readonly string[];
  readonly warnings: readonly string[];
  readonly timing: { readonly total_ms: number; readonly database_ms: number };
  readonly question_id?: string;
  /** The number of changed rows. Only present for a statement that writes. */
  readonly affected_rows?: number;
  readonly request_id: string;
}

/** Queries a database. Throws `ApiError`. Aborting the signal also stops the statement on the server. */
export async function runQuery(
  database: GatewayDatabase,
  { text, mode, params, limit, write }: QueryInput,
  signal?: AbortSignal,
): Promise<QueryResponse> {
  const { body } = await readGateway<QueryResponse>(database, {
    method: 'POST',
    path: '/query',
    body: {
      query: text,
      mode,
      limit,
      verbose: true,
      array_mode: true,
      timezone: zoneOfBrowser(),
      ...(params === undefined || params.length === 0 ? {} : { params }),
      ...(write?.dryRun === true ? { dry_run: true } : {}),
    },
    ...(write === undefined
      ? {}
      : { purpose: 'sql-writes' as const, headers: { Prefer: `max-affected=${write.affectedMax}` } }),
    signal,
  });
  return body;
}

/** Returns the browser's time zone. It decides when a day begins, for example for `today` in a question. */
function zoneOfBrowser(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+){1,2}$/.test(zone) ? zone : 'UTC';
}
