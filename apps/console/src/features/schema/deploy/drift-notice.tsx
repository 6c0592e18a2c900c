import type { DriftResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { toApiError } from '../../../data/client/api-error.js';
import { useTakeDirect } from '../../../data/schema/mutations.js';
import { driftQuery } from '../../../data/schema/queries.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { HouseGlyph } from '../../../ui/theme/house-glyph.js';
import { Panel } from '../../../ui/layout/panel.js';
import classes from '../schema.module.css';

type Entry = DriftResponse['databases'][number];

/**
 * Shows schema changes that were made over direct connections, and differences between environments. It is
 * hidden without drift.
 */
export function DriftNotice({
  projectId,
  revision,
  canEdit,
}: {
  projectId: string;
  revision: number;
  canEdit: boolean;
}) {
  const drift = useQuery(driftQuery(projectId));
  if (drift.isError)
    return (
      <ErrorNotice
        title="Couldn’t compare the databases"
        error={drift.error}
        onRetry={() => void drift.refetch()}
      />
    );
  const entries =
    drift.data?.databases.filter((entry) => entry.direct.length > 0 || entry.differs.length > 0) ?? [];
  if (entries.length === 0) return null;
  const first = drift.data?.databases[0]?.environment ?? 'development';
  return (
    <Panel title="Drift" note="Differences between environments.">
      <ul className={classes.drift} aria-label="Drift">
        {entries.map((entry) => (
          <li key={entry.database}>
            <span className={classes.targetTitle}>
              <HouseGlyph environment={entry.environment} size={15} /> <strong>{entry.environment}</strong>{' '}
              <span className="rh-dim">revision {entry.revision}</span>
            </span>
            {entry.differs.length > 0 ? (
              <span>
                Compared with {first}: {entry.differs.map((difference) => describe(difference)).join(', ')}.
              </span>
            ) : null}
            {entry.direct.length > 0 ? (
              <DirectChanges projectId={projectId} revision={revision} entry={entry} canEdit={canEdit} />
            ) : null}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function describe({ object, how }: Entry['differs'][number]): string {
  return `${object} ${how === 'only_here' ? 'exists only here' : how === 'missing_here' ? 'is missing' : 'differs'}`;
}

function DirectChanges({
  projectId,
  revision,
  entry,
  canEdit,
}: {
  projectId: string;
  revision: number;
  entry: Entry;
  canEdit: boolean;
}) {
  const take = useTakeDirect(projectId);
  const isBoth = take.isError && toApiError(take.error).code === 'schema.needs_confirmation';
  return (
    <>
      <span>
        Changed over a direct connection since the last deploy: <code>{entry.direct.join(', ')}</code>
      </span>
      {take.isError ? <ErrorNotice title="Couldn’t add the changes to the draft" error={take.error} /> : null}
      {canEdit ? (
        <span>
          <Button
            size="compact-sm"
            variant="default"
            loading={take.isPending}
            onClick={() =>
              take.mutate({
                database: entry.database,
                base_revision: revision,
                ...(isBoth ? { objects: entry.direct } : {}),
              })
            }
          >
            {isBoth ? 'Add anyway' : 'Add to draft'}
          </Button>
        </span>
      ) : null}
    </>
  );
}
