import type { ApiImpact, SchemaPreviewRequest } from '@rowhouse/contracts';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { previewQuery } from '../../../data/schema/queries.js';
import { CodeBlock } from '../../../ui/code/code-block.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { formatCountOf } from '../../../ui/formatting/format-number.js';
import { Panel } from '../../../ui/layout/panel.js';
import { SkeletonRows } from '../../../ui/loading/skeleton.js';
import type { PageLocation } from '../../shell/pages.js';
import { PlanSteps } from '../deploy/plan-steps.js';
import classes from '../schema.module.css';

/**
 * The time without typing before a preview is requested. Each preview runs the change on a scratch database,
 * so not every keystroke requests one.
 */
const DEBOUNCE_MS = 450;

interface ChangePreviewProps {
  readonly location: PageLocation;
  /** The change to preview. Null if nothing is changed. */
  readonly request: Pick<SchemaPreviewRequest, 'edits' | 'sql' | 'mode'> | null;
  /** The tables that are edited. Changes that the draft contains for other tables are only counted. */
  readonly tables: readonly string[];
  readonly faults: readonly string[];
}

/** Shows the SQL of an unsaved change and the effect of deploying it to this environment. */
export function ChangePreview({ location: pageLocation, request, tables, faults }: ChangePreviewProps) {
  const text = request === null ? '' : JSON.stringify({ ...request, database: pageLocation.environment });
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS);
  const preview = useQuery(
    previewQuery(
      pageLocation.projectId,
      settled === '' ? null : (JSON.parse(settled) as SchemaPreviewRequest),
    ),
  );
  if (faults.length > 0)
    return (
      <Panel title="SQL and impact">
        <ul className={classes.notes} aria-label="Missing">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      </Panel>
    );
  if (request === null) return null;
  const plan = preview.data?.plans[0];
  const isSettling = settled !== text || preview.isFetching;
  const own = plan?.steps.filter((step) => tables.includes(step.table)) ?? [];
  const others = (plan?.steps.length ?? 0) - own.length;
  return (
    <Panel
      title="SQL and impact"
      note={`Tested on a scratch database for ${pageLocation.environment}. Nothing has changed yet.`}
      label="SQL and impact"
    >
      <div className={classes.preview} aria-busy={isSettling} data-settling={isSettling || undefined}>
        {preview.isError && !isSettling ? (
          <ErrorNotice title="The database rejected this change" error={preview.error} />
        ) : null}
        {preview.data === undefined && !preview.isError ? <SkeletonRows rows={3} height={24} /> : null}
        {preview.data !== undefined && !preview.isError ? (
          <>
            <CodeBlock
              code={preview.data.statements.map((statement) => `${statement};`).join('\n')}
              language="sql"
              label="SQL of this change"
              heightMax={240}
              wrap
            />
            {plan === undefined || plan.steps.length === 0 ? (
              <p className={classes.done}>{pageLocation.environment} already has this change.</p>
            ) : (
              <PlanSteps
                plan={{
                  ...plan,
                  steps: own,
                  loss: own.flatMap((step) => [...step.loss]),
                  impact: narrowImpact(plan.impact, tables),
                }}
                isShort
              />
            )}
            {others > 0 ? (
              <p className={classes.done}>
                The draft has {formatCountOf(others, 'more change')} for {pageLocation.environment}. See
                Deploy.
              </p>
            ) : null}
          </>
        ) : null}
      </div>
    </Panel>
  );
}

/**
 * Returns the part of an API impact that concerns these tables. An entry looks like `GET /posts/{id}`,
 * `posts.title` or `posts?include=tags`.
 */
export function narrowImpact(impact: ApiImpact, tables: readonly string[]): ApiImpact {
  const names = new Set(tables.flatMap((table) => [table, table.replaceAll('_', '-')]));
  const isOurs = (entry: string): boolean => names.has(/^(?:[A-Z]+ \/)?([^./?]+)/.exec(entry)?.[1] ?? '');
  return {
    added: impact.added.filter(isOurs),
    removed: impact.removed.filter(isOurs),
    changed: impact.changed.filter(isOurs),
    usedBy: impact.usedBy.filter((use) => isOurs(use.what)),
  };
}
