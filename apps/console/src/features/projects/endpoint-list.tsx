import type { DatabaseResponse, ProjectResponse } from '@rowhouse/contracts';
import { Link } from '@tanstack/react-router';
import type { TableView } from '../../data/schema/read-tables.js';
import { DataTable } from '../../ui/layout/data-table.js';
import { EmptyState } from '../../ui/notices/empty-state.js';
import { formatCountOf } from '../../ui/formatting/format-number.js';
import { ButtonLink } from '../../ui/layout/links.js';
import { Panel } from '../../ui/layout/panel.js';
import { Tag } from '../../ui/layout/tag.js';
import classes from './overview.module.css';

interface EndpointListProps {
  readonly project: ProjectResponse;
  readonly database: DatabaseResponse;
  readonly tables: readonly TableView[];
}

/** Lists the live tables with the path and the HTTP methods of each. */
export function EndpointList({ project, database, tables }: EndpointListProps) {
  const params = { projectId: project.id, environment: database.environment };
  if (tables.length === 0) {
    return (
      <EmptyState
        title={`No tables live in ${database.environment}`}
        action={
          <ButtonLink to="/projects/$projectId/$environment/schema" params={params}>
            Open the schema
          </ButtonLink>
        }
      >
        Deploy your draft to create endpoints for its tables.
      </EmptyState>
    );
  }
  return (
    <Panel title="Endpoints" note={formatCountOf(tables.length, 'table')} flush>
      <DataTable
        label="Endpoints"
        rows={tables}
        rowKey={(table) => table.name}
        columns={[
          {
            header: 'Table',
            isTitle: true,
            cell: (table) => (
              <Link
                to="/projects/$projectId/$environment/api/$table"
                params={{ ...params, table: table.name }}
              >
                {table.name}
              </Link>
            ),
          },
          { header: 'Path', cell: (table) => <span className={classes.endpoint}>/v1/-/{table.path}</span> },
          { header: 'Columns', cell: (table) => table.columns.length },
          {
            header: 'Methods',
            cell: (table) => (
              <span className={classes.verbs}>
                {listVerbs(table).map((verb) => (
                  <Tag key={verb} mono>
                    {verb}
                  </Tag>
                ))}
              </span>
            ),
          },
        ]}
      />
    </Panel>
  );
}

function listVerbs(table: TableView): string[] {
  if (table.kind === 'view') return ['GET'];
  return table.primaryKey.length === 0 ? ['GET', 'POST'] : ['GET', 'POST', 'PUT', 'DELETE'];
}
