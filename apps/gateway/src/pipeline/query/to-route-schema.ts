import type { RouteSchema } from '@rowhouse/query-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';

/** Tables and the columns that they show, as the key may see them. */
export function toRouteSchema(compiled: CompiledSnapshot): RouteSchema {
  return { tables: compiled.tableNames.map((name) => ({ name, columns: compiled.findByName(name)?.shown.map((column) => column.name) ?? [] })) };
}
