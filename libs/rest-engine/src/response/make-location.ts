import { toUrlPath } from '@rowhouse/schema-model';
import type { Plan } from '../plan/plan.js';
import type { ResultSet } from './result-set.js';
import { makeValueWriter } from './value-writer.js';

/** The address of a created record: key values in key order, escaped, joined by commas. `from`: where they begin among the kept cells. */
export function makeLocation(plan: Pick<Plan, 'table' | 'address'>, result: ResultSet, from = 0): string {
  const parts = (plan.table.rowKey ?? []).map((column, at) => {
    const cell = result.keyCell(0, from + at) ?? '';
    const json = makeValueWriter({ name: column.name, kind: column.valueKind, isOutput: true, column }, 'json')(cell);
    return encodeURIComponent(json.startsWith('"') ? String(JSON.parse(json)) : column.valueKind === 'set' ? String(cell) : json);
  });
  return `${plan.address.prefix}/${toUrlPath(plan.table.path)}/${parts.join(',')}`;
}
