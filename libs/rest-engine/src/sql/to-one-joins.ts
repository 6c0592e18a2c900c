import type { CompiledRelationship } from '@rowhouse/schema-model';

/** An item at the end of a path of to-one relationships. */
export interface Joined {
  readonly path: readonly CompiledRelationship[];
}

export interface ToOneJoins {
  /** The ` LEFT JOIN …` clauses after the table, whose alias is then `t`. Empty without joins. */
  readonly sql: string;
  /** Returns the alias of the table at the end of the path, or '' without joins. */
  aliasOf(end: Joined): string;
}

/** Returns one LEFT JOIN for each to-one path in use, so that records without a target remain. */
export function toOneJoins(ends: readonly Joined[]): ToOneJoins {
  const aliases = new Map<string, string>();
  let sql = '';
  const pathText = (end: Joined, length: number): string =>
    JSON.stringify(end.path.slice(0, length).map((step) => step.name));
  for (const end of ends) {
    end.path.forEach((step, index) => {
      const path = pathText(end, index + 1);
      if (aliases.has(path)) return;
      const source = index === 0 ? 't' : (aliases.get(pathText(end, index)) ?? 't');
      const alias = `s${aliases.size + 1}`;
      aliases.set(path, alias);
      const on = step.nearColumns
        .map((column, part) => `${source}.${column.quoted} = ${alias}.${step.farColumns[part]?.quoted ?? ''}`)
        .join(' AND ');
      sql += ` LEFT JOIN ${step.far.quoted} AS ${alias} ON ${on}`;
    });
  }
  return {
    sql,
    aliasOf: (end) =>
      end.path.length === 0 ? (sql === '' ? '' : 't') : (aliases.get(pathText(end, end.path.length)) ?? 't'),
  };
}
