import type { MigrationResponse } from '@rowhouse/contracts';
import { Link } from '@tanstack/react-router';
import type { PageLocation } from '../shell/pages.js';
import classes from './migrations.module.css';

/** Lists what a migration changed in the API. Entries that still exist link to the API reference. */
export function MigrationChanges({
  migration,
  location: pageLocation,
}: {
  migration: MigrationResponse;
  location: PageLocation;
}) {
  const { added, changed, removed } = migration.plan.impact;
  if (added.length + changed.length + removed.length === 0) return <p className="rh-dim">No API changes.</p>;
  const params = { projectId: pageLocation.projectId, environment: migration.environment };
  const isLive = migration.state === 'published';
  const show = (entry: string, sign: string) => {
    const table = tableOf(entry, migration);
    return (
      <li key={sign + entry}>
        <span aria-hidden="true">{sign} </span>
        {table === null || !isLive ? (
          <code>{entry}</code>
        ) : (
          <Link
            className="rh-mono"
            to="/projects/$projectId/$environment/api/$table"
            params={{ ...params, table }}
          >
            {entry}
          </Link>
        )}
      </li>
    );
  };
  return (
    <ul className={classes.changes} aria-label="API changes">
      {added.map((entry) => show(entry, '+'))}
      {changed.map((entry) => show(entry, '~'))}
      {removed.map((entry) => (
        <li key={`-${entry}`}>
          <span aria-hidden="true">− </span>
          <s>
            <code>{entry}</code>
          </s>
        </li>
      ))}
    </ul>
  );
}

/**
 * Returns the table that an entry belongs to. An entry names a table or a path, and the plan lists all
 * changed tables.
 */
function tableOf(entry: string, { plan }: MigrationResponse): string | null {
  const word = /^(?:[A-Z]+ \/)?([^./?]+)/.exec(entry)?.[1] ?? '';
  const names = [
    ...plan.steps.map((step) => step.table),
    ...plan.hints.flatMap((hint) => (hint.kind === 'table' ? [hint.to] : [])),
  ];
  return (
    names.find((name) => name === word || name.replaceAll('_', '-') === word) ??
    (entry.includes(' ') ? null : word)
  );
}
