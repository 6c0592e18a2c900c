import { AppError } from '@rowhouse/errors';
import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { IfMatch } from '../request/api-request.js';
import { versionColumns } from '../sql/version-columns.js';
import type { PlanOptions, RecordCondition } from './plan.js';

/** 428 for a change without `If-Match` of a table that asks for it. `hint`: the way out where the call cannot have one. */
export function requireIfMatch(table: CompiledTable, ifMatch: IfMatch | null, options: PlanOptions, hint = 'Read the record and send its ETag with the write. If-Match: * says that any version will do.'): void {
  if (ifMatch !== null || options.requireIfMatch?.includes(table.name) !== true) return;
  throw new AppError('record.precondition_required', { detail: `Records of ${table.name} are changed and deleted with If-Match only.`, hint });
}

/** Each tag with the columns it was made of. A tag whose columns are not all here any more matches nothing. */
export function planIfMatch(table: CompiledTable, ifMatch: IfMatch | null, options: PlanOptions): RecordCondition | null {
  if (ifMatch === null || ifMatch.kind === 'any') return ifMatch;
  const versions = ifMatch.tags.flatMap((tag) => {
    const columns = tag.snapshot === table.schema.number ? versionColumns(table) : findColumns(table, options.storedColumnsAt(tag.snapshot));
    return columns === null ? [] : [{ columns, digest: tag.digest }];
  });
  return { kind: 'versions', versions };
}

function findColumns(table: CompiledTable, names: readonly string[] | null): readonly CompiledColumn[] | null {
  if (names === null) return null;
  const current = versionColumns(table);
  const found = names.map((name) => current.find((column) => column.name === name)).filter((column) => column !== undefined);
  return found.length === names.length ? found : null;
}
