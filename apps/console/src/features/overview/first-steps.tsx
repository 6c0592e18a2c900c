import type { DatabaseResponse, ProjectResponse } from '@rowhouse/contracts';
import { ActionIcon } from '@mantine/core';
import { IconCircle, IconCircleCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { keysQuery } from '../../data/keys/queries.js';
import { hasRowsQuery, overviewInsightsQuery } from '../../data/overview/queries.js';
import type { TableView } from '../../data/schema/read-tables.js';
import { invitationsQuery, membersQuery } from '../../data/team/queries.js';
import { Panel } from '../../ui/layout/panel.js';
import { usePersistedState } from '../../ui/controls/use-persisted-state.js';
import { SeedButton } from '../rows/transfer/seed-button.js';
import type { PageLocation } from '../shell/pages.js';
import { useMay } from '../shell/current-database.js';
import classes from './overview.module.css';
import { listFirstSteps, type FirstStepName } from './list-first-steps.js';

/** The state is polled, because steps may also be completed on other pages or by programs. */
const POLL_MS = 15_000;

interface FirstStepsProps {
  readonly project: ProjectResponse;
  readonly database: DatabaseResponse;
  readonly tables: readonly TableView[];
}

/**
 * The checklist of a new project. It disappears once all steps are done, or when the user dismisses it in
 * this browser.
 */
export function FirstSteps(props: FirstStepsProps) {
  const [isHidden, setHidden] = usePersistedState(`rowhouse-first-steps-${props.project.id}`, false);
  return isHidden ? null : <OpenSteps {...props} onHide={() => setHidden(true)} />;
}

function OpenSteps({ project, database, tables, onHide }: FirstStepsProps & { readonly onHide: () => void }) {
  const keys = useQuery({ ...keysQuery(database.id), refetchInterval: POLL_MS }).data ?? null;
  const members = useQuery(membersQuery(project.organization_id)).data?.length ?? null;
  const mayInvite = useMay(project, 'admin');
  const invitations =
    useQuery({ ...invitationsQuery(project.organization_id), enabled: mayInvite }).data?.length ?? null;
  const hasRows = useQuery({ ...hasRowsQuery(database, tables), refetchInterval: POLL_MS }).data ?? null;
  const hasAgent = useAgentSeen(database);
  const steps = listFirstSteps({
    tables: tables.length,
    hasRows,
    keys,
    hasAgent,
    members,
    invitations,
    mayInvite,
  });
  const done = steps?.filter((step) => step.isDone).length ?? 0;
  if (steps === null || done === steps.length) return null;
  const location = { projectId: project.id, environment: database.environment };
  return (
    <Panel
      title="First steps"
      note={`${done} of ${steps.length} done`}
      actions={
        <ActionIcon size="sm" aria-label="Dismiss checklist" onClick={onHide}>
          <IconX size={15} />
        </ActionIcon>
      }
    >
      <ol className={classes.steps} aria-label="First steps">
        {steps.map(({ name, label, isDone }) => (
          <li key={name} data-done={isDone || undefined}>
            {isDone ? <IconCircleCheck size={17} aria-hidden /> : <IconCircle size={17} aria-hidden />}
            {isDone ? (
              <span>
                {label}
                <span className="rh-spoken">: done</span>
              </span>
            ) : (
              <StepLink name={name} location={location}>
                {label}
              </StepLink>
            )}
          </li>
        ))}
      </ol>
      {hasRows === false && tables.length > 0 ? (
        <div>
          <SeedButton database={database} />
        </div>
      ) : null}
    </Panel>
  );
}

/**
 * Returns whether an agent has sent a request to the database. Null while this is unknown. Only the newest
 * requests are checked, so the browser remembers a positive result.
 */
function useAgentSeen(database: DatabaseResponse): boolean | null {
  const [wasSeen, setSeen] = usePersistedState(`rowhouse-agent-${database.id}`, false);
  const routes = useQuery(overviewInsightsQuery(database)).data?.routes;
  const isSeen = routes?.some(({ route }) => route === 'POST /mcp') ?? false;
  useEffect(() => {
    if (isSeen && !wasSeen) setSeen(true);
  }, [isSeen, wasSeen, setSeen]);
  return wasSeen || (routes === undefined ? null : isSeen);
}

function StepLink({
  name,
  location: pageLocation,
  children,
}: {
  name: FirstStepName;
  location: PageLocation;
  children: ReactNode;
}) {
  const params = pageLocation;
  if (name === 'table')
    return (
      <Link to="/projects/$projectId/$environment/schema" params={params}>
        {children}
      </Link>
    );
  if (name === 'row')
    return (
      <Link to="/projects/$projectId/$environment/data" params={params}>
        {children}
      </Link>
    );
  if (name === 'key')
    return (
      <Link to="/projects/$projectId/$environment/keys" params={params} search={{ create: true }}>
        {children}
      </Link>
    );
  if (name === 'call')
    return (
      <Link to="/projects/$projectId/$environment/connect" params={params}>
        {children}
      </Link>
    );
  if (name === 'agent')
    return (
      <Link to="/projects/$projectId/$environment/connect" params={params} search={{ tab: 'mcp' }}>
        {children}
      </Link>
    );
  return (
    <Link to="/projects/$projectId/$environment/team" params={params} search={{ invite: true }}>
      {children}
    </Link>
  );
}
