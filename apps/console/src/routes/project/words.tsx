import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { workingSchemaQuery } from '../../data/schema/queries.js';
import { synonymsQuery } from '../../data/words/queries.js';
import { useCurrentDatabase, useMay } from '../../features/shell/current-database.js';
import { RoleNote } from '../../features/shell/role-note.js';
import { SynonymForm } from '../../features/words/synonym-form.js';
import { SynonymList } from '../../features/words/synonym-list.js';
import { ValueIndexFacts } from '../../features/words/value-index-facts.js';
import { wordsOf } from '../../first/first-words.js';
import { EmptyState } from '../../ui/notices/empty-state.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { AwaitedRows } from '../../ui/loading/skeleton.js';

/** The vocabulary of plain questions in addition to the schema. */
export function VocabularyScreen() {
  const { project, database } = useCurrentDatabase();
  const synonyms = useQuery(synonymsQuery(project.id));
  const schema = useQuery(workingSchemaQuery(project.id));
  const tables = schema.data?.tables ?? [];
  const mayChange = useMay(project, 'developer');
  return (
    <Page {...wordsOf('words')}>
      {schema.isError ? (
        <ErrorNotice
          title="The schema could not be read"
          error={schema.error}
          onRetry={() => void schema.refetch()}
        />
      ) : null}
      <RoleNote project={project} least="developer" toDo="teach words" />
      {mayChange ? (
        <Panel title="New word">
          {tables.length > 0 || schema.isPending ? (
            <SynonymForm projectId={project.id} tables={tables} />
          ) : (
            <p>A word means a table or a column: make a table first.</p>
          )}
        </Panel>
      ) : null}
      {synonyms.isPending ? <AwaitedRows rows={3} /> : null}
      {synonyms.isError ? (
        <ErrorNotice
          title="The words could not be read"
          error={synonyms.error}
          onRetry={() => void synonyms.refetch()}
        />
      ) : null}
      {synonyms.data?.length === 0 ? (
        <EmptyState title="No words of your own yet">
          Where people say “clients” and the table is called customers, say so here.
        </EmptyState>
      ) : null}
      {synonyms.data && synonyms.data.length > 0 ? (
        <Panel flush label="Words">
          <SynonymList projectId={project.id} synonyms={synonyms.data} mayChange={mayChange} />
        </Panel>
      ) : null}
      <Panel
        title={`Values of ${database.environment}`}
        note="So that “orders from Lisbon” is understood. They stay in the database."
      >
        <ValueIndexFacts database={database} />
        <p className="rh-dim">
          Columns are left out in the{' '}
          <Link
            to="/projects/$projectId/$environment/settings"
            params={{ projectId: project.id, environment: database.environment }}
          >
            settings
          </Link>
          .
        </p>
      </Panel>
    </Page>
  );
}
