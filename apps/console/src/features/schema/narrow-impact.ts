import type { ApiImpact } from '@rowhouse/contracts';

/**
 * Returns the entries of an impact that concern these tables. Entries look like `GET /posts/{id}`,
 * `posts.title` or `posts?include=tags`.
 */
export function narrowImpact(impact: ApiImpact, tables: readonly string[]): ApiImpact {
  const names = new Set(tables.flatMap((table) => [table, table.replaceAll('_', '-')]));
  const isOurs = (entry: string): boolean => names.has(/^(?:[A-Z]+ \/)?([^./?]+)/.exec(entry)?.[1] ?? '');
  return {
    added: impact.added.filter(isOurs),
    removed: impact.removed.filter(isOurs),
    changed: impact.changed.filter(isOurs),
    usedBy: impact.usedBy.filter((use) => isOurs(use.what)),
  };
}
