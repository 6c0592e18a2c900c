import { AppError } from '@rowhouse/errors';
import type { ApiResponse, Plan } from '@rowhouse/rest-engine';
import type { Answer } from '../call.js';

/** Answers above this are not kept, and the write is not made. */
const BODY_BYTES_MAX = 256 * 1024;

/** An answer as its record holds it. */
export interface KeptAnswer {
  readonly status: number;
  /** JSON text. */
  readonly headers: string;
  readonly body: Buffer | null;
}

interface KeptHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Of the records in the body: whoever replays must still be allowed to see them. */
  readonly columns: readonly string[];
}

export function keepAnswer(plan: Plan, response: ApiResponse): KeptAnswer {
  const body = response.body === null ? null : Buffer.from(response.body as string);
  if (body !== null && body.length > BODY_BYTES_MAX) {
    throw new AppError('idempotency.too_large', { hint: 'The write was not made. Prefer: return=minimal makes the answer small.' });
  }
  const kept: KeptHeaders = { headers: response.headers, columns: shownColumns(plan) };
  return { status: response.status, headers: JSON.stringify(kept), body };
}

/** The same bytes again. Throws 403 when the key may no longer read what they show. */
export function replayAnswer(plan: Plan, kept: KeptAnswer): Answer {
  const { headers, columns } = JSON.parse(kept.headers) as KeptHeaders;
  const allowed = new Set(shownColumns(plan));
  if (columns.some((name) => !allowed.has(name))) {
    throw new AppError('auth.scope', { detail: 'The key may no longer read what this answer shows.', extra: { scope: 'read', table: plan.table.name } });
  }
  return { status: kept.status, headers: { ...headers, 'Idempotent-Replayed': 'true' }, body: kept.body };
}

function shownColumns(plan: Plan): readonly string[] {
  return 'answer' in plan && plan.answer !== null ? plan.answer.map((column) => column.name) : [];
}
