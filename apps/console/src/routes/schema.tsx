import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { sortDatabases } from '../data/projects/queries.js';
import { workingSchemaQuery } from '../data/schema/queries.js';
import { ChangeEditor } from '../features/schema/change-editor.js';
import { DeployTarget } from '../features/schema/deploy-target.js';
import classes from '../features/schema/schema.module.css';
import { TableList } from '../features/schema/table-list.js';
import { useCurrentDatabase } from '../features/shell/current-database.js';
import { ErrorNotice } from '../ui/error-notice.js';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { SkeletonRows } from '../ui/skeleton-rows.js';

/** The draft, how to change it, and what each database still lacks of it. */
export function SchemaScreen() {
  const { project, database } = useCurrentDatabase();
  const schema = useQuery(workingSchemaQuery(project.id));
  const plans = useRef<HTMLDivElement>(null);
  const showPlans = (): void => {
    plans.current?.focus({ preventScroll: true });
    plans.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  };
  const others = sortDatabases(project.databases).filter((candidate) => candidate.id !== database.id);
  return (
    <Page title="Schema" lead="One draft for the whole project. Change it, look at what that means, then deploy it to each database." wide>
      {schema.isPending ? <SkeletonRows rows={6} height={40} /> : null}
      {schema.isError ? <ErrorNotice title="The schema could not be read" error={schema.error} onRetry={() => void schema.refetch()} /> : null}
      {schema.data ? (
        <div className={classes.columns}>
          <div className={classes.side}>
            <Panel title="Tables" note={`${schema.data.tables.length} in the draft`}>
              {schema.data.tables.length === 0 ? <p className={classes.done}>None yet. Write the first CREATE TABLE.</p> : <TableList tables={schema.data.tables} />}
            </Panel>
          </div>
          <div className={classes.column}>
            <ChangeEditor projectId={project.id} schema={schema.data} onReview={showPlans} />
            <div className={classes.targets} ref={plans} tabIndex={-1} role="region" aria-label="Plans">
              {[database, ...others].map((target) => <DeployTarget key={target.id} projectId={project.id} database={target} revision={schema.data.revision} />)}
            </div>
          </div>
        </div>
      ) : null}
    </Page>
  );
}
