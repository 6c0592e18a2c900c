import { AppError } from '@rowhouse/errors';
import type { ApiResponse, IncludeNode, Plan, Touch } from '@rowhouse/rest-engine';
import { effectiveVerbs, type CompiledSnapshot } from '@rowhouse/schema-model';
import { LIMITS } from '../../limits.js';
import type { Answer } from '../call.js';

/** A response as stored in its record. */
export interface KeptAnswer {
  readonly status: number;
  /** JSON text. */
  readonly headers: string;
  readonly body: Buffer | null;
}

/**
 * The headers, and what a key needs to receive the response: the rights of the write, and access to every
 * column shown.
 */
interface KeptHeaders {
  readonly headers: Readonly<Record<string, string>>;
  readonly touches: readonly Touch[];
  readonly columns: readonly (readonly [table: string, names: readonly string[]])[];
}

/**
 * Converts a response for storage.
 *
 * @throws AppError 422 for a response that is too large, in which case the write is rolled back
 */
export function keepAnswer(plans: readonly Plan[], response: ApiResponse): KeptAnswer {
  const body = response.body === null ? null : Buffer.from(response.body as string);
  if (body !== null && body.length > LIMITS.idempotentAnswerBytesMax) {
    throw new AppError('idempotency.too_large', { hint: 'The write was not made. Prefer: return=minimal makes the answer small.' });
  }
  const kept: KeptHeaders = { headers: response.headers, touches: plans.flatMap((plan) => plan.touches), columns: plans.flatMap(shownColumns) };
  return { status: response.status, headers: JSON.stringify(kept), body };
}

/**
 * Returns the same bytes again, whatever happened to the schema since. The write has happened, and an error
 * would claim otherwise.
 *
 * @throws AppError 403 when the key may no longer do what it did or read what the response shows
 */
export function replayAnswer(compiled: CompiledSnapshot, kept: KeptAnswer): Answer {
  const { headers, touches, columns } = JSON.parse(kept.headers) as KeptHeaders;
  for (const { table, verb } of touches) {
    if (effectiveVerbs(compiled.rights, table)?.includes(verb) !== true) throw refused(verb, table);
  }
  for (const [name, names] of columns) {
    if (effectiveVerbs(compiled.rights, name)?.includes('read') !== true) throw refused('read', name);
    const table = compiled.findByName(name);
    // A table that no longer exists has nothing left to hide.
    if (table !== null && names.some((column) => table.findWritable(column)?.hidden === true)) throw refused('read', name);
  }
  return { status: kept.status, headers: { ...headers, 'Idempotent-Replayed': 'true' }, body: kept.body };
}

function refused(scope: string, table: string): AppError {
  return new AppError('auth.scope', { detail: 'The key may no longer do what this request did, or read what its answer shows.', extra: { scope, table } });
}

/** Returns the columns that a plan shows. The plans of a batch include reads. */
function shownColumns(plan: Plan): KeptHeaders['columns'] {
  if (plan.kind === 'aggregate') {
    const sources = plan.outputs.flatMap(({ term }) => (term.kind === 'count_records' ? [] : [term.source]));
    return sources.map(({ path, column }) => [path.at(-1)?.far.name ?? plan.table.name, [column.name]]);
  }
  const own = 'answer' in plan ? (plan.answer ?? []) : 'select' in plan ? plan.select : [];
  const found: [string, readonly string[]][] = [[plan.table.name, own.map((column) => column.name)]];
  const visit = (nodes: readonly IncludeNode[]): void => {
    for (const { relationship, select, children } of nodes) {
      found.push([relationship.far.name, select.map((column) => column.name)]);
      visit(children);
    }
  };
  if ('include' in plan) visit(plan.include);
  return found.filter(([, names]) => names.length > 0);
}
