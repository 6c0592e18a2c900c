import type { DatabaseResponse } from '@rowhouse/contracts';
import type { LiveSchema } from '../../../data/rows/queries.js';
import type { TableView } from '../../../data/schema/read-tables.js';
import type { PageLocation } from '../../shell/pages.js';
import { toGridRow } from '../grid/grid-row.js';
import { RecordSheet } from './record-sheet.js';
import { findChange, stageDelete, stageInsert, stageUpdate, unstage } from '../changes/staged-changes.js';
import type { RowEdits } from '../changes/use-row-edits.js';
import type { NewRow } from './use-open-record.js';

interface OpenRecordProps {
  readonly database: DatabaseResponse;
  readonly location: PageLocation;
  readonly schema: LiveSchema;
  readonly table: TableView;
  readonly edits: RowEdits;
  /** The open new row, or null if a stored row at `path` is open. */
  readonly newRow: NewRow | null;
  readonly path: string | null;
  readonly onClose: () => void;
}

/** Shows the open record next to the grid. Its changes are staged together with those made in the grid. */
export function OpenRecord({
  database,
  location: pageLocation,
  schema,
  table,
  edits,
  newRow,
  path,
  onClose,
}: OpenRecordProps) {
  if (newRow === null && path === null) return null;
  const { staged } = edits.history;
  const row = newRow === null ? edits.rows.find((candidate) => candidate.path === path) : undefined;
  const id = newRow?.id ?? row?.id ?? path ?? '';
  const describe = (stored: Readonly<Record<string, unknown>>, etag: string | null) => ({
    ...edits.toStored(row ?? toGridRow(table, stored, 0)),
    values: stored,
    etag,
  });
  return (
    <RecordSheet
      key={id}
      database={database}
      location={pageLocation}
      table={table}
      tables={schema.tables}
      path={newRow === null ? path : null}
      change={findChange(staged, id) ?? (newRow === null ? undefined : { kind: 'insert', ...newRow })}
      fault={staged.faults[id]}
      isReadOnly={edits.isReadOnly}
      canDelete={edits.canDelete}
      onClose={onClose}
      onStage={(values, stored, etag) => {
        const isStaged = edits.stage((now) =>
          stored === null
            ? stageInsert(now, id, values)
            : stageUpdate(unstage(now, [id]), describe(stored, etag), values),
        );
        if (isStaged) onClose();
      }}
      onDelete={(stored, etag) => {
        if (edits.stage((now) => stageDelete(now, [describe(stored, etag)]))) onClose();
      }}
    />
  );
}
