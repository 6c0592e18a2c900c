import type { ForeignKey, Snapshot } from '@rowhouse/schema-model';
import { startsWith } from './diff/diff-indexes.js';

/** A foreign key for which the referenced table has no index that begins with the referenced columns. */
export interface UnindexedKey {
  readonly table: string;
  readonly key: ForeignKey;
}

/**
 * Finds foreign keys for which a change dropped the index on the referenced columns. MariaDB drops such an
 * index without an error. Afterwards, it rejects each row that refers to another one, allows referenced rows
 * to be deleted, and cannot copy either table.
 *
 * @param before the schema whose unindexed keys are ignored; null when the schema is new
 */
export function findUnindexedKeys(before: Snapshot | null, after: Snapshot): UnindexedKey[] {
  const known = new Set(before === null ? [] : listUnindexed(before).map(({ key }) => key.name));
  return listUnindexed(after).filter(({ key }) => !known.has(key.name));
}

function listUnindexed({ tables }: Snapshot): UnindexedKey[] {
  const indexesOf = new Map(tables.map((table) => [table.name, table.indexes]));
  return tables.flatMap((table) =>
    table.foreignKeys.flatMap((key): UnindexedKey[] => {
      const indexes = indexesOf.get(key.referencedTable);
      const isIndexed = indexes?.some((index) => startsWith(index, key.referencedColumns));
      return isIndexed === false ? [{ table: table.name, key }] : [];
    }),
  );
}
