import type { DatabaseResponse, ProjectResponse } from '@rowhouse/contracts';
import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, memo, Suspense, useDeferredValue, useMemo } from 'react';
import { diffQuery, workingSchemaQuery, type WorkingSchema } from '../../data/schema/queries.js';
import { markTables, type TableMark } from '../../features/schema/deploy/compare-view.js';
import { DraftBar } from '../../features/schema/draft/draft-bar.js';
import { SchemaActions } from '../../features/schema/draft/schema-actions.js';
import classes from '../../features/schema/schema.module.css';
import { SCHEMA_VIEWS, type SchemaView, useSchemaLocation } from '../../features/schema/schema-search.js';
import { TableBrowser } from '../../features/schema/tables/table-browser.js';
import { useCurrentDatabase, useMay } from '../../features/shell/current-database.js';
import { headingOf } from '../../first/page-headings.js';
import { EmptyState } from '../../ui/notices/empty-state.js';
import { QueryErrorNotice } from '../../ui/notices/error-notice.js';
import { lazyPart, Later } from '../../ui/loading/lazy-part.js';
import { Page } from '../../ui/layout/page.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';

const DiagramView = lazy(() =>
  import('../../features/diagram/diagram-view.js').then((module) => ({ default: module.DiagramView })),
);

const WAITING = <SkeletonRows rows={6} height={40} />;
const loadViews = () => import('../../features/schema/other-views.js');
const ChangeEditor = lazyPart(() => loadViews().then((module) => module.ChangeEditor), WAITING);
const DeployView = lazyPart(() => loadViews().then((module) => module.DeployView), WAITING);
const HistoryView = lazyPart(() => loadViews().then((module) => module.HistoryView), WAITING);
const DescribeForm = lazyPart(() => loadViews().then((module) => module.DescribeChangeForm), WAITING);

const LABELS: Readonly<Record<SchemaView, string>> = {
  tables: 'Tables',
  diagram: 'Diagram',
  sql: 'SQL',
  describe: 'Describe',
  deploy: 'Deploy',
  history: 'History',
};

/** The page of a project's draft, on which users read, edit, deploy and restore the schema. */
export function SchemaScreen() {
  const { project, database } = useCurrentDatabase();
  const schema = useQuery(workingSchemaQuery(project.id));
  const diff = useQuery(diffQuery(project.id, database));
  const canEdit = useMay(project, 'developer');
  // A deferred value lets React render the markers of changed tables in slices once they are loaded.
  const marks = useDeferredValue(useMemo(() => markTables(diff.data?.plans[0]), [diff.data]));
  const { data } = schema;
  return (
    <Page
      {...headingOf('schema')}
      actions={
        data ? (
          <SchemaActions project={project} schema={data} canEdit={canEdit} />
        ) : (
          <span className={classes.actionsSoon} />
        )
      }
    >
      {schema.isPending ? WAITING : null}
      <QueryErrorNotice title="Couldn’t load the schema" query={schema} />
      {data ? (
        <Later instead={WAITING}>
          <SchemaViews project={project} database={database} schema={data} marks={marks} canEdit={canEdit} />
        </Later>
      ) : null}
    </Page>
  );
}

interface SchemaViewsProps {
  readonly project: ProjectResponse;
  readonly database: DatabaseResponse;
  readonly schema: WorkingSchema;
  readonly marks: ReadonlyMap<string, TableMark>;
  readonly canEdit: boolean;
}

const SchemaViews = memo(function SchemaViews({
  project,
  database,
  schema,
  marks,
  canEdit,
}: SchemaViewsProps) {
  const { location: at, goTo } = useSchemaLocation();
  const location = { projectId: project.id, environment: database.environment };
  const view = at.view ?? 'tables';
  const views = SCHEMA_VIEWS.filter((entry) => entry !== 'describe' || canEdit);
  return (
    <>
      <DraftBar project={project} schema={schema} canEdit={canEdit} />
      <Tabs
        value={view}
        onChange={(next) => goTo(next === 'tables' || next === null ? {} : { view: next as SchemaView })}
        keepMounted={false}
        className={classes.views}
      >
        <Tabs.List aria-label="Schema views">
          {views.map((entry) => (
            <Tabs.Tab key={entry} value={entry}>
              {LABELS[entry]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={view} pt={18}>
          <div className={classes.column}>
            {view === 'tables' ? (
              <TableBrowser location={location} schema={schema} marks={marks} canEdit={canEdit} />
            ) : null}
            {view === 'diagram' && schema.tables.length === 0 ? (
              <EmptyState title="No tables yet">
                Add tables to the draft to see them and their relations here.
              </EmptyState>
            ) : null}
            {view === 'diagram' && schema.tables.length > 0 ? (
              <Suspense fallback={<SkeletonRows rows={1} height={420} />}>
                <DiagramView
                  tables={schema.tables}
                  marks={marks}
                  chosen={at.table}
                  fileName={`${project.name} schema`}
                  onOpen={(table) => goTo({ table })}
                />
              </Suspense>
            ) : null}
            {view === 'sql' ? (
              <ChangeEditor projectId={project.id} schema={schema} canEdit={canEdit} />
            ) : null}
            {view === 'describe' ? <DescribeForm projectId={project.id} schema={schema} /> : null}
            {view === 'deploy' ? (
              <DeployView project={project} database={database} schema={schema} canEdit={canEdit} />
            ) : null}
            {view === 'history' ? (
              <HistoryView projectId={project.id} schema={schema} canEdit={canEdit} />
            ) : null}
          </div>
        </Tabs.Panel>
      </Tabs>
    </>
  );
});
