import { toUrlPath, type CompiledTable } from '@rowhouse/schema-model';
import type { Plan } from '../plan/plan.js';
import { encodeOnlyKey } from '../request/parse-path.js';
import type { ResultSet } from '../sql/statement.js';
import { makeValueWriter, type ValueWriter } from '../sql/value-writer.js';

/**
 * Returns the URL of a created record. The values of its key are escaped and joined with commas, in the order
 * of the key. `from` is the position of the first key value among the retained cells.
 */
export function makeLocation(plan: Pick<Plan, 'table' | 'address'>, result: ResultSet, from = 0): string {
  const { path, parts } = findAddress(plan.table);
  let text = `${plan.address.prefix}/${path}/`;
  for (let index = 0; index < parts.length; index += 1) {
    const { isSet, write } = parts[index] as AddressPart;
    const cell = result.keyCell(0, from + index) ?? '';
    const json = write(cell);
    if (index > 0) text += ',';
    const key = json.startsWith('"') ? String(JSON.parse(json)) : isSet ? String(cell) : json;
    text += parts.length === 1 ? encodeOnlyKey(key) : encodeURIComponent(key);
  }
  return text;
}

/** One column of the key in a record's URL. */
interface AddressPart {
  readonly isSet: boolean;
  readonly write: ValueWriter;
}

/** The URL parts for the records of each table, computed once. */
const addresses = new WeakMap<
  CompiledTable,
  { readonly path: string; readonly parts: readonly AddressPart[] }
>();

function findAddress(table: CompiledTable): {
  readonly path: string;
  readonly parts: readonly AddressPart[];
} {
  let address = addresses.get(table);
  if (address === undefined) {
    const parts = (table.rowKey ?? []).map((column) => ({
      isSet: column.valueKind === 'set',
      write: makeValueWriter({ name: column.name, kind: column.valueKind, isOutput: true, column }, 'json'),
    }));
    addresses.set(table, (address = { path: toUrlPath(table.path), parts }));
  }
  return address;
}
