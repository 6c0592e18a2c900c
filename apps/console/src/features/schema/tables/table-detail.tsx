import type { TableStructureResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError } from '../../../data/client/api-error.js';
import { tableStructureQuery } from '../../../data/schema/queries.js';
import { CodeBlock } from '../../../ui/code/code-block.js';
import { DataTable } from '../../../ui/layout/data-table.js';
import { EmptyState } from '../../../ui/notices/empty-state.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { formatCountOf } from '../../../ui/formatting/format-number.js';
import { RenderInOrder } from '../../../ui/loading/render-in-order.js';
import { Later } from '../../../ui/loading/lazy-part.js';
import { ButtonLink } from '../../../ui/layout/links.js';
import { Panel } from '../../../ui/layout/panel.js';
import { SkeletonRows } from '../../../ui/loading/skeleton.js';
import { Tag } from '../../../ui/layout/tag.js';
import type { PageLocation } from '../../shell/pages.js';
import type { TableMark } from '../deploy/compare-view.js';
import classes from './table-detail.module.css';
import { useSchemaLocation } from '../schema-search.js';

const WAITING = <SkeletonRows rows={6} height={38} />;

interface TableDetailProps {
  readonly location: PageLocation;
  readonly table: string;
  readonly mark: TableMark | undefined;
  readonly canEdit: boolean;
}

/** Shows one table of the draft: its columns, its relationships in both directions, and its SQL. */
export function TableDetail({ location: pageLocation, table, mark, canEdit }: TableDetailProps) {
  const { goTo } = useSchemaLocation();
  const structure = useQuery(tableStructureQuery(pageLocation.projectId, table));
  if (structure.isPending) return WAITING;
  if (structure.data === undefined || structure.isError) {
    if (structure.error instanceof ApiError && structure.error.status === 404) {
      return (
        <EmptyState
          title={`No table ${table} in the draft`}
          action={
            <Button variant="default" onClick={() => goTo({})}>
              Show all tables
            </Button>
          }
        >
          It may be live in a database, or was dropped or renamed in the draft. Check the history.
        </EmptyState>
      );
    }
    return (
      <ErrorNotice
        title="Couldn’t load the table"
        error={structure.error}
        onRetry={() => void structure.refetch()}
      />
    );
  }
  const { data } = structure;
  return (
    <Later instead={WAITING}>
      <div className={classes.column}>
        <RenderInOrder>
          <Panel
            label={`Table ${data.name}`}
            title={
              <span className={classes.title}>
                <span className="rh-mono">{data.name}</span>
                {mark === undefined ? null : (
                  <Tag tone={mark === 'new' ? 'pine' : 'ochre'}>
                    {mark === 'new'
                      ? `not in ${pageLocation.environment} yet`
                      : `changed, not deployed to ${pageLocation.environment}`}
                  </Tag>
                )}
              </span>
            }
            note={data.comment === '' ? describeCounts(data) : data.comment}
            actions={
              <>
                {mark === 'new' ? null : (
                  <ButtonLink
                    size="xs"
                    variant="default"
                    to="/projects/$projectId/$environment/api/$table"
                    params={{ ...pageLocation, table: data.name }}
                  >
                    API
                  </ButtonLink>
                )}
                {canEdit && data.kind === 'table' ? (
                  <Button
                    size="xs"
                    leftSection={<IconPencil size={14} />}
                    onClick={() => goTo({ table: data.name, edit: 'table' })}
                  >
                    Edit table
                  </Button>
                ) : null}
              </>
            }
            flush
          >
            <ColumnTable table={data} />
          </Panel>
          <Relations table={data} />
          <Rules table={data} />
          <details className={classes.sql}>
            <summary>SQL of {data.name}</summary>
            <CodeBlock code={data.sql} language="sql" label={`SQL of ${data.name}`} heightMax={420} />
          </details>
        </RenderInOrder>
      </div>
    </Later>
  );
}

function describeCounts({ columns, indexes, kind }: TableStructureResponse): string {
  const ofColumns = formatCountOf(columns.length, 'column');
  return kind === 'view'
    ? `A view of ${ofColumns}.`
    : `${ofColumns}, ${formatCountOf(indexes.length, 'index', 'indexes')}.`;
}

type Column = TableStructureResponse['columns'][number];

function ColumnTable({ table }: { table: TableStructureResponse }) {
  const keyOf = (column: Column) => table.foreign_keys.find((key) => key.columns.includes(column.name));
  return (
    <DataTable
      label={`Columns of ${table.name}`}
      rows={table.columns}
      rowKey={(column) => column.name}
      columns={[
        {
          header: 'Column',
          isTitle: true,
          cell: (column) => (
            <span className={classes.name}>
              <span className="rh-mono">{column.name}</span>
              {column.comment === '' ? null : <span className={classes.comment}>{column.comment}</span>}
            </span>
          ),
        },
        { header: 'Type', cell: (column) => <span className="rh-mono">{column.type}</span> },
        {
          header: 'Rules',
          cell: (column) => (
            <span className={classes.rules}>
              {table.primary_key.includes(column.name) ? <Tag tone="ochre">primary key</Tag> : null}
              {column.auto_increment ? <Tag>auto increment</Tag> : null}
              {column.nullable ? <Tag>nullable</Tag> : null}
              {column.unique ? <Tag>unique</Tag> : null}
              {column.generated === null ? null : <Tag>computed</Tag>}
              {keyOf(column) === undefined ? null : (
                <Tag tone="harbour">{`→ ${keyOf(column)?.to ?? ''}`}</Tag>
              )}
            </span>
          ),
        },
        {
          header: 'Default',
          cell: (column) =>
            'text' in column.default ? (
              <span className="rh-mono">{column.default.text}</span>
            ) : (
              <span className="rh-dim">{column.default.kind === 'null' ? 'null' : 'none'}</span>
            ),
        },
      ]}
    />
  );
}

/** Lists the foreign keys of the table, and those of other tables that reference it. */
function Relations({ table }: { table: TableStructureResponse }) {
  if (table.foreign_keys.length + table.referenced_by.length === 0) return null;
  return (
    <Panel title="Relations">
      <ul className={classes.relations} aria-label={`Relations of ${table.name}`}>
        {table.foreign_keys.map((key) => (
          <li key={key.name}>
            <span className={classes.path}>
              <span className="rh-mono">{key.columns.join(', ')}</span>
              <span aria-hidden="true">→</span>
              <span className="rh-spoken">references</span>
              <TableLink table={key.to} />
              <span className="rh-mono rh-dim">{key.to_columns.join(', ')}</span>
            </span>
            <span className={classes.action}>{describeAction(key.on_delete)}</span>
          </li>
        ))}
        {table.referenced_by.map((key) => (
          <li key={`${key.table}.${key.name}`}>
            <span className={classes.path}>
              <span className="rh-mono">{key.to_columns.join(', ')}</span>
              <span aria-hidden="true">←</span>
              <span className="rh-spoken">referenced by</span>
              <TableLink table={key.table} />
              <span className="rh-mono rh-dim">{key.columns.join(', ')}</span>
            </span>
            <span className={classes.action}>{describeAction(key.on_delete)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function TableLink({ table }: { table: string }) {
  return (
    <Link className="rh-mono" from="/projects/$projectId/$environment/schema" to="." search={{ table }}>
      {table}
    </Link>
  );
}

function describeAction(onDelete: string): string {
  if (onDelete === 'cascade') return 'cascade on delete';
  return onDelete === 'set null' ? 'set to null on delete' : 'restrict on delete';
}

function Rules({ table }: { table: TableStructureResponse }) {
  if (table.indexes.length + table.checks.length + table.triggers.length === 0) return null;
  return (
    <Panel title="Indexes and rules">
      <ul className={classes.relations} aria-label={`Indexes and rules of ${table.name}`}>
        {table.indexes.map((index) => (
          <li key={index.name}>
            <span className={classes.path}>
              <Tag>{index.type === 'plain' ? 'index' : index.type}</Tag>
              <span className="rh-mono">{index.columns.join(', ')}</span>
            </span>
            <span className={classes.action}>{index.name}</span>
          </li>
        ))}
        {table.checks.map((check) => (
          <li key={check.name}>
            <span className={classes.path}>
              <Tag>check</Tag>
              <span className="rh-mono">{check.expression}</span>
            </span>
            <span className={classes.action}>{check.name}</span>
          </li>
        ))}
        {table.triggers.map((trigger) => (
          <li key={trigger}>
            <span className={classes.path}>
              <Tag>trigger</Tag>
              <span className="rh-mono">{trigger}</span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
