import { AppError } from '@rowhouse/errors';
import type { ApiResponse, IncludeNode, Plan, Touch } from '@rowhouse/rest-engine';
import { effectiveVerbs, type CompiledSnapshot } from '@rowhouse/schema-model';
import type { GatewayResponse } from '../http/gateway-request.js';
import { LIMITS } from '../limits/limits.js';

/** A response as stored in its record. */
export interface StoredResponse {
  readonly status: number;
  /** `StoredHeaders` as JSON. */
  readonly headers: string;
  readonly body: Buffer | null;
}

/**
 * The response headers as stored, with the rights that a replay requires: those of the write, and reading
 * every shown column.
 */
interface StoredHeaders {
  readonly headers: Readonly<Record<string, string>>;
  readonly touches: readonly Touch[];
  readonly columns: readonly (readonly [table: string, names: readonly string[]])[];
}

/**
 * Converts a response for storage.
 *
 * @throws AppError 422 for a response that is too large, in which case the write is rolled back
 */
export function storeResponse(plans: readonly Plan[], response: ApiResponse): StoredResponse {
  const body = response.body === null ? null : Buffer.from(response.body as string);
  if (body !== null && body.length > LIMITS.idempotentAnswerBytesMax) {
    throw new AppError('idempotency.too_large', {
      hint: 'Nothing was written. Send Prefer: return=minimal for a small response.',
    });
  }
  const stored: StoredHeaders = {
    headers: response.headers,
    touches: plans.flatMap((plan) => plan.touches),
    columns: plans.flatMap(shownColumns),
  };
  return { status: response.status, headers: JSON.stringify(stored), body };
}

/**
 * Returns the stored response unchanged, even if the schema has changed since. An error would suggest that
 * the write was not committed.
 *
 * @throws AppError 403 when the key no longer has the rights of the write, or may not read a shown column
 */
export function replayResponse(compiled: CompiledSnapshot, stored: StoredResponse): GatewayResponse {
  const { headers, touches, columns } = JSON.parse(stored.headers) as StoredHeaders;
  for (const { table, verb } of touches) {
    if (effectiveVerbs(compiled.rights, table)?.includes(verb) !== true) throw rejected(verb, table);
  }
  for (const [name, names] of columns) {
    if (effectiveVerbs(compiled.rights, name)?.includes('read') !== true) throw rejected('read', name);
    const table = compiled.findByName(name);
    // A table that no longer exists has no hidden columns.
    if (table !== null && names.some((column) => table.findWritable(column)?.hidden === true))
      throw rejected('read', name);
  }
  return {
    status: stored.status,
    headers: { ...headers, 'Idempotent-Replayed': 'true' },
    body: stored.body,
  };
}

function rejected(scope: string, table: string): AppError {
  return new AppError('auth.scope', {
    detail: 'The key no longer has the permissions for this request or its stored response.',
    extra: { scope, table },
  });
}

/** Returns the columns that a plan shows. The plans of a batch include reads. */
function shownColumns(plan: Plan): StoredHeaders['columns'] {
  if (plan.kind === 'aggregate') {
    const sources = plan.outputs.flatMap(({ term }) => (term.kind === 'count_records' ? [] : [term.source]));
    return sources.map(({ path, column }) => [path.at(-1)?.target.name ?? plan.table.name, [column.name]]);
  }
  const own = 'returned' in plan ? (plan.returned ?? []) : 'select' in plan ? plan.select : [];
  const found: [string, readonly string[]][] = [[plan.table.name, own.map((column) => column.name)]];
  const visit = (nodes: readonly IncludeNode[]): void => {
    for (const { relationship, select, children } of nodes) {
      found.push([relationship.target.name, select.map((column) => column.name)]);
      visit(children);
    }
  };
  if ('include' in plan) visit(plan.include);
  return found.filter(([, names]) => names.length > 0);
}
