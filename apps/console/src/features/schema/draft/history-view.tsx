import type { RevisionItem } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRestoreSchema } from '../../../data/schema/mutations.js';
import { revisionsQuery, type WorkingSchema } from '../../../data/schema/queries.js';
import { CodeBlock } from '../../../ui/code/code-block.js';
import { EmptyState } from '../../../ui/notices/empty-state.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { HouseGlyph } from '../../../ui/theme/house-glyph.js';
import { Panel } from '../../../ui/layout/panel.js';
import { SkeletonRows } from '../../../ui/loading/skeleton.js';
import { Tag } from '../../../ui/layout/tag.js';
import { TimeText } from '../../../ui/formatting/time-text.js';
import classes from './history-view.module.css';

/**
 * Lists all revisions of the draft. Each has its author, its origin, the databases on which it is deployed,
 * and a button to restore it.
 */
export function HistoryView({
  projectId,
  schema,
  canEdit,
}: {
  projectId: string;
  schema: WorkingSchema;
  canEdit: boolean;
}) {
  const revisions = useInfiniteQuery(revisionsQuery(projectId));
  const restore = useRestoreSchema(projectId);
  const all = revisions.data?.pages.flatMap((page) => page.items) ?? [];
  if (revisions.isPending) return <SkeletonRows rows={5} height={48} />;
  if (revisions.isError)
    return (
      <ErrorNotice
        title="Couldn’t load the history"
        error={revisions.error}
        onRetry={() => void revisions.refetch()}
      />
    );
  if (all.length === 0)
    return (
      <EmptyState title="No revisions yet">
        Your first table creates revision 1. Every later change is listed here.
      </EmptyState>
    );
  return (
    <Panel title="Revisions of the draft" note="Restoring creates a new revision, so nothing is lost.">
      {restore.isError ? <ErrorNotice title="Couldn’t restore the revision" error={restore.error} /> : null}
      <ol className={classes.list} aria-label="Revisions">
        {all.map((entry) => (
          <li key={entry.revision}>
            <Revision entry={entry} isNow={entry.revision === schema.revision} />
            {canEdit && entry.revision !== schema.revision ? (
              <Button
                size="compact-xs"
                variant="default"
                loading={restore.isPending && restore.variables.revision === entry.revision}
                onClick={() => restore.mutate({ revision: entry.revision, base_revision: schema.revision })}
              >
                Restore revision {entry.revision}
              </Button>
            ) : null}
          </li>
        ))}
      </ol>
      {revisions.hasNextPage ? (
        <div>
          <Button
            variant="default"
            loading={revisions.isFetchingNextPage}
            onClick={() => void revisions.fetchNextPage()}
          >
            Load more
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

function Revision({ entry, isNow }: { entry: RevisionItem; isNow: boolean }) {
  const isLong = entry.statements.length > 90 || entry.statements.trim().includes('\n');
  return (
    <div className={classes.revision}>
      <div className={classes.head}>
        <strong>Revision {entry.revision}</strong>
        {isNow ? (
          <Tag dot tone="ochre">
            Current
          </Tag>
        ) : null}
        {entry.deployed_to.map((environment) => (
          <span key={environment} className={classes.house}>
            <HouseGlyph environment={environment} size={14} /> {environment}
          </span>
        ))}
        <span className="rh-dim">
          <TimeText iso={entry.created_at} />
          {entry.by === null || entry.by.name === '' ? '' : ` by ${entry.by.name}`}
        </span>
      </div>
      {entry.statements.trim() === '' ? null : isLong ? (
        <details className={classes.text}>
          <summary>
            <code>{firstLine(entry.statements)}</code>
          </summary>
          <CodeBlock
            code={entry.statements.trim()}
            language="sql"
            label={`Statements of revision ${entry.revision}`}
            heightMax={320}
            wrap
          />
        </details>
      ) : (
        <code className={classes.short}>{entry.statements.trim().replace(/^-- /, '')}</code>
      )}
    </div>
  );
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 110 ? `${line.slice(0, 109)}…` : `${line} …`;
}
