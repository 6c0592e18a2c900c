import type { DatabaseResponse, ProjectResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { sortDatabases } from '../../../data/projects/queries.js';
import { useRestoreSchema } from '../../../data/schema/mutations.js';
import { diffQuery, type WorkingSchema } from '../../../data/schema/queries.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { formatCountOf } from '../../../ui/formatting/format-number.js';
import { HouseGlyph } from '../../../ui/theme/house-glyph.js';
import { lazyDialog, ConfirmDialog } from '../../../ui/dialogs/lazy-dialog.js';
import classes from './draft-bar.module.css';
import { useSchemaLocation } from '../schema-search.js';

const DiscardDialog = lazyDialog(() => import('./discard-dialog.js').then((module) => module.DiscardDialog));

export interface DraftProps {
  readonly project: ProjectResponse;
  readonly schema: WorkingSchema;
  readonly canEdit: boolean;
}

/**
 * The bar at the top of the schema page. It shows whether the draft is live, and offers to undo or discard
 * changes.
 */
export function DraftBar({ project, schema, canEdit }: DraftProps) {
  const { goTo } = useSchemaLocation();
  const databases = sortDatabases(project.databases);
  const diffs = useQueries({ queries: databases.map((database) => diffQuery(project.id, database)) });
  const restore = useRestoreSchema(project.id);
  const [isDiscarding, setDiscarding] = useState(false);
  const { undoRevision: undo, redoRevision: redo } = schema;
  const counts = diffs.map((diff) => diff.data?.plans[0]?.steps.length ?? (diff.data ? 0 : null));
  const isAhead = counts.some((count) => count !== null && count > 0);
  const [isEmptying, setEmptying] = useState(false);
  const go = (revision: number): void =>
    restore.mutate({ revision, base_revision: schema.revision }, { onSuccess: () => setEmptying(false) });
  const goBack = (): void => {
    // The first revision has no predecessor, so undoing it would remove all tables. The user must confirm
    // this.
    if (undo === 0) setEmptying(true);
    else if (undo !== null) go(undo);
  };
  return (
    <section className={classes.frame} aria-label="Draft" data-ahead={isAhead || undefined}>
      <div className={classes.bar}>
        <p className={classes.state} role="status" aria-label="Draft state">
          <strong>
            {reportDraftState(
              counts.filter((_, index) => databases[index]?.state === 'ready'),
              diffs.some((diff) => diff.isError),
            )}
          </strong>
          <span className="rh-dim"> revision {schema.revision}</span>
        </p>
        <ul className={classes.houses} aria-label="Databases and the draft">
          {databases.map((database, index) => (
            <EnvironmentState
              key={database.id}
              database={database}
              count={counts[index] ?? null}
              isPending={diffs[index]?.isLoading ?? false}
              hasFailed={diffs[index]?.isError ?? false}
              onOpen={() => goTo({ view: 'deploy' })}
            />
          ))}
        </ul>
        {canEdit ? (
          <div className={classes.actions}>
            {redo === null ? null : (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconArrowForwardUp size={15} />}
                loading={restore.isPending}
                onClick={() => go(redo)}
              >
                Redo
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              leftSection={<IconArrowBackUp size={15} />}
              loading={restore.isPending}
              disabled={undo === null}
              title={
                undo === null
                  ? 'Nothing to undo'
                  : undo === 0
                    ? 'Restore the empty draft'
                    : `Restore revision ${undo}`
              }
              onClick={goBack}
            >
              Undo
            </Button>
            {isAhead ? (
              <Button size="xs" variant="default" onClick={() => setDiscarding(true)}>
                Discard draft
              </Button>
            ) : null}
          </div>
        ) : null}
      </div>
      {restore.isError && !isEmptying ? (
        <ErrorNotice title="Couldn’t change the draft" error={restore.error} />
      ) : null}
      <ConfirmDialog
        opened={isEmptying}
        title="Clear the draft?"
        actionLabel="Clear draft"
        isPending={restore.isPending}
        error={restore.error}
        errorTitle="Couldn’t change the draft"
        onClose={() => setEmptying(false)}
        onConfirm={() => go(0)}
      >
        This removes {schema.tables.length === 1 ? 'the table' : `all ${schema.tables.length} tables`} from
        the draft. Live databases aren’t affected, and Redo restores the draft.
      </ConfirmDialog>
      <DiscardDialog
        project={project}
        schema={schema}
        opened={isDiscarding}
        onClose={() => setDiscarding(false)}
      />
    </section>
  );
}

interface EnvironmentStateProps {
  readonly database: DatabaseResponse;
  readonly count: number | null;
  readonly isPending: boolean;
  readonly hasFailed: boolean;
  readonly onOpen: () => void;
}

function EnvironmentState({ database, count, isPending, hasFailed, onOpen }: EnvironmentStateProps) {
  return (
    <li>
      <button
        type="button"
        className={classes.house}
        onClick={onOpen}
        title={`Version ${database.snapshot_number} is live in ${database.environment}`}
      >
        <HouseGlyph environment={database.environment} size={15} />
        <span>{database.environment}</span>
        <span className={classes.count} data-ahead={(count !== null && count > 0) || undefined}>
          {describe(database, count, isPending, hasFailed)}
        </span>
      </button>
    </li>
  );
}

function describe(
  database: DatabaseResponse,
  count: number | null,
  isPending: boolean,
  hasFailed: boolean,
): string {
  if (database.state !== 'ready') return database.state;
  if (hasFailed) return 'can’t be planned';
  if (isPending || count === null) return '…';
  return count === 0 ? 'up to date' : `${formatCountOf(count, 'undeployed change')}`;
}

/**
 * Describes how the draft compares with the databases. `counts` has, for each database, the number of changes
 * that are not live, or null while it is unknown. The draft is not called live until the number of all
 * databases is known.
 */
export function reportDraftState(counts: readonly (number | null)[], hasFailed: boolean): string {
  if (counts.some((count) => count !== null && count > 0)) return 'Draft';
  if (counts.every((count) => count !== null)) return 'No pending changes';
  return hasFailed ? 'Couldn’t compare the draft' : 'Comparing draft';
}
