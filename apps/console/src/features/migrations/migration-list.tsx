import type { MigrationResponse } from '@rowhouse/contracts';
import { Link } from '@tanstack/react-router';
import { DataTable } from '../../ui/layout/data-table.js';
import { formatCount } from '../../ui/formatting/format-number.js';
import { HouseGlyph } from '../../ui/theme/house-glyph.js';
import { Tag } from '../../ui/layout/tag.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import type { PageLocation } from '../shell/pages.js';
import { summarizePlan } from '../schema/deploy/summarize-plan.js';
import { describeState, describeDuration } from './describe-state.js';
import classes from './migrations.module.css';

const ORIGINS: Readonly<Record<MigrationResponse['origin'], string | null>> = {
  deploy: null,
  revert: 'Revert',
  direct: 'Direct connection',
  restore: 'From a backup',
};

/** Lists migrations with their changes, database, author, duration, number of rows and outcome. */
export function MigrationList({
  location: pageLocation,
  migrations,
  withDatabase,
}: {
  location: PageLocation;
  migrations: readonly MigrationResponse[];
  withDatabase: boolean;
}) {
  return (
    <DataTable
      label="Migrations"
      rows={migrations}
      rowKey={(migration) => migration.id}
      columns={[
        {
          header: 'Change',
          isTitle: true,
          cell: (migration) => (
            <span>
              <Link
                to="/projects/$projectId/$environment/migrations/$migrationId"
                params={{ ...pageLocation, migrationId: migration.id }}
              >
                {summarizePlan(migration.plan)}
              </Link>
              {ORIGINS[migration.origin] === null ? null : (
                <span className="rh-dim"> {ORIGINS[migration.origin]}</span>
              )}
            </span>
          ),
        },
        ...(withDatabase
          ? [
              {
                header: 'Database',
                cell: (migration: MigrationResponse) => (
                  <span className={classes.place}>
                    <HouseGlyph environment={migration.environment} size={14} /> {migration.environment}
                  </span>
                ),
              },
            ]
          : []),
        {
          header: 'Status',
          cell: (migration) => (
            <Tag dot tone={describeState(migration.state).tone}>
              {describeState(migration.state).label}
            </Tag>
          ),
        },
        { header: 'By', cell: (migration) => migration.by?.name || <span className="rh-dim">unknown</span> },
        { header: 'When', cell: (migration) => <TimeText iso={migration.created_at} /> },
        {
          header: 'Duration',
          align: 'end',
          cell: (migration) =>
            migration.duration_ms === null ? (
              <span className="rh-dim">…</span>
            ) : (
              describeDuration(migration.duration_ms)
            ),
        },
        { header: 'Rows', align: 'end', cell: (migration) => countRows(migration) },
      ]}
    />
  );
}

/**
 * Returns the number of rows that the migration copied. Before it has run, this is the number in its plan.
 */
function countRows(migration: MigrationResponse): string {
  const rows = migration.rows_done ?? migration.plan.steps.reduce((sum, step) => sum + step.rowsToRewrite, 0);
  return formatCount(rows);
}
