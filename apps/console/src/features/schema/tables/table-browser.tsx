import { Button, NativeSelect } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { tableStructureQuery, type WorkingSchema } from '../../../data/schema/queries.js';
import { EmptyState } from '../../../ui/notices/empty-state.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { lazyPart } from '../../../ui/loading/lazy-part.js';
import { Panel } from '../../../ui/layout/panel.js';
import { SkeletonRows } from '../../../ui/loading/skeleton.js';
import type { PageLocation } from '../../shell/pages.js';
import type { TableMark } from '../deploy/compare-view.js';
import classes from '../schema.module.css';
import { TableDetail } from './table-detail.js';
import { TableList } from './table-list.js';
import { useSchemaLocation } from '../schema-search.js';

const TableEditor = lazyPart(
  () => import('./editor/table-editor.js').then((module) => module.TableEditor),
  <SkeletonRows rows={6} height={38} />,
);

interface TableBrowserProps {
  readonly location: PageLocation;
  readonly schema: WorkingSchema;
  readonly marks: ReadonlyMap<string, TableMark>;
  readonly canEdit: boolean;
}

/** The list of tables, and next to it the selected table, as a description or in its editor. */
export function TableBrowser({ location: pageLocation, schema, marks, canEdit }: TableBrowserProps) {
  const { location: at, goTo } = useSchemaLocation();
  const chosen = at.table ?? (at.edit === 'new' ? undefined : schema.tables[0]?.name);
  if (schema.tables.length === 0 && at.edit !== 'new') return <NoTables canEdit={canEdit} />;
  return (
    <div className={classes.columns}>
      <div className={classes.side}>
        <Panel
          title="Tables"
          note={`${schema.tables.length} in the draft`}
          actions={
            canEdit ? (
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<IconPlus size={14} />}
                onClick={() => goTo({ edit: 'new' })}
              >
                New table
              </Button>
            ) : undefined
          }
        >
          <div className={classes.wideOnly}>
            <TableList
              tables={schema.tables}
              marks={marks}
              chosen={chosen}
              onChoose={(table) => goTo({ table })}
            />
          </div>
          <NativeSelect
            className={classes.narrowOnly ?? ''}
            aria-label="Table shown"
            data={[...(chosen === undefined ? [''] : []), ...schema.tables.map((table) => table.name)]}
            value={chosen ?? ''}
            onChange={(event) => goTo({ table: event.currentTarget.value })}
          />
        </Panel>
      </div>
      <div className={classes.column}>
        {canEdit && at.edit === 'new' ? (
          <TableEditor key="new" location={pageLocation} schema={schema} table={null} />
        ) : null}
        {canEdit && at.edit === 'table' && chosen !== undefined ? (
          <OpenEditor key={chosen} location={pageLocation} schema={schema} table={chosen} />
        ) : null}
        {(at.edit === undefined || !canEdit) && chosen !== undefined ? (
          <TableDetail location={pageLocation} table={chosen} mark={marks.get(chosen)} canEdit={canEdit} />
        ) : null}
      </div>
    </div>
  );
}

/**
 * Loads the table at exactly this revision of the draft before the editor opens. With an older revision from
 * the cache, the editor would undo later changes.
 */
function OpenEditor({
  location: pageLocation,
  schema,
  table,
}: {
  location: PageLocation;
  schema: WorkingSchema;
  table: string;
}) {
  const structure = useQuery(tableStructureQuery(pageLocation.projectId, table));
  if (structure.isError)
    return (
      <ErrorNotice
        title="Couldn’t load the table"
        error={structure.error}
        onRetry={() => void structure.refetch()}
      />
    );
  if (structure.data === undefined || structure.data.revision < schema.revision)
    return <SkeletonRows rows={6} height={38} />;
  return (
    <TableEditor
      key={`${table} ${structure.data.revision}`}
      location={pageLocation}
      schema={schema}
      table={structure.data}
    />
  );
}

function NoTables({ canEdit }: { canEdit: boolean }) {
  const { goTo } = useSchemaLocation();
  return (
    <EmptyState
      title="No tables yet"
      action={
        canEdit ? (
          <div className={classes.actions}>
            <Button onClick={() => goTo({ edit: 'new' })}>Create a table</Button>
            <Button variant="default" onClick={() => goTo({ view: 'describe' })}>
              Describe it
            </Button>
            <Button variant="default" onClick={() => goTo({ view: 'sql' })}>
              Write SQL
            </Button>
          </div>
        ) : undefined
      }
    >
      Deployed tables get API endpoints right away. To add a starter or import a dump, use the menu above.
    </EmptyState>
  );
}
