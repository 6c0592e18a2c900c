import type { CompiledSnapshot } from './compiled-snapshot.js';
import { toUrlPath } from './to-url-path.js';

export interface IndexEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: 'table' | 'view';
  readonly href: string;
}

/** Lists the visible tables with their links. `prefix` is the path of the data API, such as `/v1/-`. */
export function describeIndex(compiled: CompiledSnapshot, prefix: string): { tables: IndexEntry[] } {
  const tables: IndexEntry[] = [];
  for (const name of compiled.tableNames) {
    const table = compiled.findByName(name);
    if (table !== null)
      tables.push({ name, path: table.path, kind: table.kind, href: `${prefix}/${toUrlPath(table.path)}` });
  }
  return { tables };
}
