import type { CodeResponse, DatabaseResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { codeQuery, lastSnapshotsQuery, type CodeInput } from '../../data/code/queries.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ErrorNotice } from '../../ui/error-notice.js';
import { reportCount } from '../../ui/format-number.js';
import { Panel } from '../../ui/panel.js';
import { SkeletonRows } from '../../ui/skeleton-rows.js';
import { TimeText } from '../../ui/time-text.js';
import classes from './code.module.css';
import { diffLines, foldDiff } from './diff-lines.js';

/** Shows what the last deploy changed in the generated files. */
export function CodeChanges({
  database,
  input,
  code,
}: {
  database: DatabaseResponse;
  input: CodeInput;
  code: CodeResponse;
}) {
  const snapshots = useQuery(lastSnapshotsQuery(database.id, database.snapshot_number));
  const previous = snapshots.data?.items.find((item) => !item.is_current);
  const before = useQuery({
    ...codeQuery(database.id, database.snapshot_number, { ...input, snapshot: previous?.number }),
    enabled: previous !== undefined,
  });
  if (snapshots.isError || before.isError)
    return <ErrorNotice title="Couldn’t load the previous code" error={snapshots.error ?? before.error} />;
  if (snapshots.isPending || before.isLoading) return <SkeletonRows rows={6} />;
  if (previous === undefined || before.data === undefined)
    return (
      <EmptyState title="One deploy so far">Code changes will appear here after your next deploy.</EmptyState>
    );
  const changed = listChangedFiles(before.data, code);
  if (changed.length === 0)
    return <EmptyState title="No file changed">The last deploy didn’t change the generated code.</EmptyState>;
  return (
    <>
      <p className={classes.note}>
        Between snapshot {previous.number} (<TimeText iso={previous.created_at} />) and {code.snapshot}:{' '}
        {reportCount(changed.length, 'file')}.
      </p>
      {changed.map((file) => (
        <FileDiff key={file.path} {...file} />
      ))}
    </>
  );
}

interface ChangedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

function listChangedFiles(before: CodeResponse, after: CodeResponse): ChangedFile[] {
  const paths = [...new Set([...before.files, ...after.files].map((file) => file.path))].sort();
  const textOf = (code: CodeResponse, path: string): string =>
    code.files.find((file) => file.path === path)?.text ?? '';
  return paths
    .map((path) => ({ path, before: textOf(before, path), after: textOf(after, path) }))
    .filter((file) => file.before !== file.after);
}

function FileDiff({ path, before, after }: ChangedFile) {
  const lines = foldDiff(diffLines(before, after));
  const count = (kind: 'added' | 'removed'): number => lines.filter((line) => line?.kind === kind).length;
  return (
    <Panel title={path} note={`${count('added')} lines added, ${count('removed')} removed`} flush>
      <pre className={classes.diff} tabIndex={0} role="group" aria-label={`Changes of ${path}`}>
        {lines.map((line, index) =>
          line === null ? (
            <span key={index} className={classes.fold}>
              ⋯
            </span>
          ) : (
            <span key={index} data-kind={line.kind}>
              {line.kind === 'added' ? '+ ' : line.kind === 'removed' ? '− ' : '  '}
              {line.text}
              {'\n'}
            </span>
          ),
        )}
      </pre>
    </Panel>
  );
}
