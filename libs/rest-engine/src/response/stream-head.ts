import type { StreamPlan } from '../plan/plan-stream.js';
import type { LineWriter } from './line-writer.js';
import type { ResultSet } from './result-set.js';

/**
 * Returns the headers of a streamed list. The content is not known yet, so no header reports further or
 * omitted records.
 */
export function toStreamHead(
  plan: StreamPlan,
  writer: LineWriter,
  count: ResultSet | null,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { 'Content-Type': writer.contentType };
  if (count !== null) headers['X-Total-Count'] = String(count.keyCell(0, 0));
  const received = plan.format === 'csv' ? 'csv-formulas=' : 'numbers=';
  const applied = plan.preferences.applied.filter((preference) => preference.startsWith(received));
  if (applied.length > 0) headers['Preference-Applied'] = applied.join(', ');
  return headers;
}
