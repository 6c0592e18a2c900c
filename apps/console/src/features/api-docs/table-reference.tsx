import type { DatabaseResponse } from '@rowhouse/contracts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { describeReference, type TableView } from '../../data/schema/read-tables.js';
import { DataTable } from '../../ui/layout/data-table.js';
import { RenderInOrder } from '../../ui/loading/render-in-order.js';
import { Panel } from '../../ui/layout/panel.js';
import { Tag } from '../../ui/layout/tag.js';
import classes from './api-docs.module.css';
import type { ApiSearch } from './api-search.js';
import { listOperations, type Operation } from './list-operations.js';
import { OperationView } from './operation-view.js';

const METHOD_TONES = { GET: 'harbour', POST: 'pine', PUT: 'ochre', DELETE: 'brick' } as const;

/** Documents one table: its endpoints with examples, its fields and its relationships. */
export function TableReference({ database, table }: { database: DatabaseResponse; table: TableView }) {
  const operations = listOperations(table);
  const { op = 'list', q } = useSearch({ strict: false });
  const navigate = useNavigate();
  const show = (search: ApiSearch): void =>
    void navigate({ to: '.', search, replace: true, resetScroll: false });
  const operation = operations.find((candidate) => candidate.id === op) ?? (operations[0] as Operation);
  return (
    <RenderInOrder>
      <Panel title={`${table.name} endpoints`} flush>
        <div className={classes.calls}>
          <div className={classes.operations} role="group" aria-label="Operations">
            {operations.map((entry) => (
              <button
                key={entry.id}
                type="button"
                className={classes.operation}
                aria-pressed={entry.id === operation.id}
                onClick={() => show(entry.id === 'list' ? {} : { op: entry.id })}
              >
                <Tag mono tone={METHOD_TONES[entry.method]}>
                  {entry.method}
                </Tag>
                <span>{entry.title}</span>
              </button>
            ))}
          </div>
          <OperationView
            key={operation.id}
            database={database}
            table={table}
            operation={operation}
            query={q}
            onQuery={(query) => show({ q: query })}
          />
        </div>
      </Panel>
      <FieldTable table={table} />
      {table.relationships.length > 0 ? <Relationships table={table} /> : null}
    </RenderInOrder>
  );
}

function FieldTable({ table }: { table: TableView }) {
  return (
    <Panel title="Fields" note="Request and response fields." flush>
      <DataTable
        label={`Fields of ${table.name}`}
        rows={table.columns}
        rowKey={(column) => column.name}
        columns={[
          {
            header: 'Field',
            isTitle: true,
            cell: (column) => <span className="rh-mono">{column.name}</span>,
          },
          {
            header: 'Type',
            cell: (column) => (
              <span className="rh-mono">
                {column.labels ? column.labels.join(' | ') : column.type}
                {column.maxLength !== null && !column.type.includes('(') ? ` ≤ ${column.maxLength}` : ''}
              </span>
            ),
          },
          {
            header: 'Rules',
            cell: (column) => (
              <span className={classes.rules}>
                {table.primaryKey.includes(column.name) ? <Tag tone="ochre">primary key</Tag> : null}
                {column.autoIncrement ? <Tag>auto-generated</Tag> : null}
                {!column.nullable && column.default === null && !column.autoIncrement ? (
                  <Tag>required</Tag>
                ) : null}
                {column.nullable ? <Tag>nullable</Tag> : null}
                {column.unique ? <Tag>unique</Tag> : null}
                {column.format ? <Tag>{column.format}</Tag> : null}
                {column.references === null ? null : (
                  <Tag tone="harbour">{`→ ${describeReference(column.references)}`}</Tag>
                )}
              </span>
            ),
          },
          {
            header: 'Default',
            cell: (column) =>
              column.default === null ? (
                <span className="rh-dim">none</span>
              ) : (
                <span className="rh-mono">{column.default}</span>
              ),
          },
        ]}
      />
    </Panel>
  );
}

function Relationships({ table }: { table: TableView }) {
  return (
    <Panel title="Related records" note="Use these names in include and in dotted filters.">
      <ul className={classes.relations}>
        {table.relationships.map((relationship) => (
          <li key={relationship.name}>
            <code>include={relationship.name}</code>{' '}
            <span className="rh-dim">
              {relationship.kind === 'to_one'
                ? `one row of ${relationship.table}`
                : `list of ${relationship.table}`}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
