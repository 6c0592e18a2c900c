import type { DatabaseResponse, ProjectResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { sortDatabases } from '../../../data/projects/queries.js';
import { diffQuery, type WorkingSchema } from '../../../data/schema/queries.js';
import { CompareView } from './compare-view.js';
import { DeployTarget } from './deploy-target.js';
import { DriftNotice } from './drift-notice.js';
import classes from '../schema.module.css';

interface DeployViewProps {
  readonly project: ProjectResponse;
  readonly database: DatabaseResponse;
  readonly schema: WorkingSchema;
  readonly canEdit: boolean;
}

/**
 * Lists the databases, development first, each with the changes that are not deployed to it and its deploys.
 */
export function DeployView({ project, database, schema, canEdit }: DeployViewProps) {
  const databases = sortDatabases(project.databases);
  const development = databases.find((candidate) => candidate.environment === 'development');
  const first = useQuery({
    ...diffQuery(project.id, development ?? database),
    enabled: development !== undefined && development.state === 'ready',
  });
  const isDevelopmentReady = development !== undefined && first.data?.plans[0]?.steps.length === 0;
  return (
    <>
      <DriftNotice projectId={project.id} revision={schema.revision} canEdit={canEdit} />
      <div className={classes.targets} role="region" aria-label="Plans">
        {databases.map((target) => (
          <DeployTarget
            key={target.id}
            projectId={project.id}
            database={target}
            schema={schema}
            canEdit={canEdit}
            promotesFrom={target.id !== development?.id && isDevelopmentReady ? development : null}
            waitsForDevelopment={
              target.id !== development?.id &&
              development !== undefined &&
              first.data !== undefined &&
              !isDevelopmentReady
            }
          />
        ))}
      </div>
      <CompareView databases={databases} initial={database} schema={schema} />
    </>
  );
}
