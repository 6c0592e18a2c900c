import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { workingSchemaQuery } from '../../data/schema/queries.js';
import { synonymsQuery } from '../../data/synonyms/queries.js';
import { useCurrentDatabase, useMay } from '../../features/shell/current-database.js';
import { RoleNote } from '../../features/shell/role-note.js';
import { SynonymForm } from '../../features/synonyms/synonym-form.js';
import { SynonymList } from '../../features/synonyms/synonym-list.js';
import { ValueIndexFacts } from '../../features/synonyms/value-index-facts.js';
import { headingOf } from '../../first/page-headings.js';
import { EmptyState } from '../../ui/notices/empty-state.js';
import { QueryErrorNotice } from '../../ui/notices/error-notice.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { AwaitedRows } from '../../ui/loading/skeleton.js';

/** The page with a project's synonyms: words in questions that are not names in the schema. */
export function SynonymsScreen() {
  const { project, database } = useCurrentDatabase();
  const synonyms = useQuery(synonymsQuery(project.id));
  const schema = useQuery(workingSchemaQuery(project.id));
  const tables = schema.data?.tables ?? [];
  const mayChange = useMay(project, 'developer');
  return (
    <Page {...headingOf('synonyms')}>
      <QueryErrorNotice title="Couldn’t load the schema" query={schema} />
      <RoleNote project={project} least="developer" toDo="add synonyms" />
      {mayChange ? (
        <Panel title="New synonym">
          {tables.length > 0 || schema.isPending ? (
            <SynonymForm projectId={project.id} tables={tables} />
          ) : (
            <p>Create a table first, so that synonyms have something to refer to.</p>
          )}
        </Panel>
      ) : null}
      {synonyms.isPending ? <AwaitedRows rows={3} /> : null}
      <QueryErrorNotice title="Couldn’t load synonyms" query={synonyms} />
      {synonyms.data?.length === 0 ? (
        <EmptyState title="No synonyms yet">For example, add “clients” for the customers table.</EmptyState>
      ) : null}
      {synonyms.data && synonyms.data.length > 0 ? (
        <Panel flush label="Synonyms">
          <SynonymList projectId={project.id} synonyms={synonyms.data} mayChange={mayChange} />
        </Panel>
      ) : null}
      <Panel
        title={`Values in ${database.environment}`}
        note="Lets questions like “orders from Lisbon” match your data. Values never leave the database."
      >
        <ValueIndexFacts database={database} />
        <p className="rh-dim">
          Exclude columns in{' '}
          <Link
            to="/projects/$projectId/$environment/settings"
            params={{ projectId: project.id, environment: database.environment }}
            search={{ tab: 'tables' }}
          >
            Settings
          </Link>
          .
        </p>
      </Panel>
    </Page>
  );
}
