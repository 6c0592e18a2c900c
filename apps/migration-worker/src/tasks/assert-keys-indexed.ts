import { findUnindexedKeys } from '@rowhouse/ddl-plan';
import { AppError } from '@rowhouse/errors';
import type { Snapshot } from '@rowhouse/schema-model';

/**
 * Rejects a change after which a foreign key references columns without an index. MySQL itself rejects it.
 *
 * @throws AppError `schema.broken_object` naming the foreign keys
 */
export function assertKeysIndexed(before: Snapshot | null, draft: Snapshot): void {
  const found = findUnindexedKeys(before, draft);
  const [first] = found;
  if (first === undefined) return;
  const columnsOf = ({ key }: typeof first): string =>
    `${key.referencedTable} (${key.referencedColumns.join(', ')})`;
  throw new AppError('schema.broken_object', {
    detail: `${found.map((entry) => `The foreign key ${entry.key.name} of ${entry.table} refers to ${columnsOf(entry)}`).join('. ')}, which no index begins with after this change.`,
    hint: `Add an index on ${columnsOf(first)}, or drop the foreign key in the same text.`,
    extra: {
      uses: found.map((entry) => ({ kind: 'foreign_key', name: entry.key.name, what: columnsOf(entry) })),
    },
  });
}
