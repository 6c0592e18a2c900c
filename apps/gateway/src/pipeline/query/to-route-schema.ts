import type { RouteSchema } from '@rowhouse/query-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';

const known = new WeakMap<CompiledSnapshot, RouteSchema>();

/** Returns the tables and columns that the key may see. Computed once for each view of a snapshot. */
export function toRouteSchema(compiled: CompiledSnapshot): RouteSchema {
  const found = known.get(compiled);
  if (found !== undefined) return found;
  const schema: RouteSchema = {
    tables: compiled.tableNames.map((name) => ({
      name,
      columns: compiled.findByName(name)?.shown.map((column) => column.name) ?? [],
    })),
  };
  known.set(compiled, schema);
  return schema;
}
