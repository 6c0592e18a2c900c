import type { RouteSchema } from '@rowhouse/query-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';

const known = new WeakMap<CompiledSnapshot, RouteSchema>();

/** Tables and the columns that they show, as the key may see them. Made once for each snapshot as it is seen. */
export function toRouteSchema(compiled: CompiledSnapshot): RouteSchema {
  const found = known.get(compiled);
  if (found !== undefined) return found;
  const schema: RouteSchema = { tables: compiled.tableNames.map((name) => ({ name, columns: compiled.findByName(name)?.shown.map((column) => column.name) ?? [] })) };
  known.set(compiled, schema);
  return schema;
}
