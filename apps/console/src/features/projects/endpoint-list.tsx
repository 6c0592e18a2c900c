import type { DatabaseAnswer, ProjectAnswer } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { livePathsQuery } from '../../data/gateway/queries.js';
import type { TableView } from '../../data/schema/read-tables.js';
import { DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ButtonLink } from '../../ui/links.js';
import { Panel } from '../../ui/panel.js';
import { Tag } from '../../ui/tag.js';
import classes from './overview.module.css';

interface EndpointListProps {
  readonly project: ProjectAnswer;
  readonly database: DatabaseAnswer;
  readonly tables: readonly TableView[];
}

/** Each table with its path; those that are drafted but not live in this database say so. */
export function EndpointList({ project, database, tables }: EndpointListProps) {
  const live = useQuery(livePathsQuery(database));
  const params = { projectId: project.id, environment: database.environment };
  if (tables.length === 0) {
    return (
      <EmptyState title="No tables yet" action={<ButtonLink to="/projects/$projectId/$environment/schema" params={params}>Write the first table</ButtonLink>}>
        Every table you deploy gets its endpoints at once.
      </EmptyState>
    );
  }
  const isLive = (table: TableView): boolean => live.data === undefined || live.data === null || live.data.includes(table.path);
  return (
    <Panel title="Endpoints" note={`${tables.length} ${tables.length === 1 ? 'table' : 'tables'}`} flush>
      <DataTable
        label="Endpoints"
        rows={tables}
        rowKey={(table) => table.name}
        columns={[
          { header: 'Table', isTitle: true, cell: (table) => <Link to="/projects/$projectId/$environment/api/$table" params={{ ...params, table: table.name }}>{table.name}</Link> },
          { header: 'Path', cell: (table) => <span className={classes.endpoint}>/v1/-/{table.path}</span> },
          { header: 'Columns', cell: (table) => table.columns.length },
          {
            header: 'Methods',
            cell: (table) =>
              isLive(table) ? (
                <span className={classes.verbs}>{(table.kind === 'view' ? ['GET'] : ['GET', 'POST', 'PUT', 'DELETE']).map((verb) => <Tag key={verb} mono>{verb}</Tag>)}</span>
              ) : (
                <Tag tone="ochre">not deployed here yet</Tag>
              ),
          },
        ]}
      />
    </Panel>
  );
}
