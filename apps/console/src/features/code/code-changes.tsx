import type { CodeResponse, DatabaseResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { codeQuery, lastSnapshotsQuery, type CodeInput } from '../../data/code/queries.js';
import { EmptyState } from '../../ui/notices/empty-state.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { formatCountOf } from '../../ui/formatting/format-number.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import classes from './code.module.css';

interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/**
 * The maximum number of lines that are compared. A longer text is shown as completely replaced, because
 * comparing it would take too much memory.
 */
const LINES_MAX = 2_000;
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
      <EmptyState title="No code changes yet">
        Code changes will appear here after your next deploy.
      </EmptyState>
    );
  const changed = listChangedFiles(before.data, code);
  if (changed.length === 0)
    return <EmptyState title="No changes">The last deploy didn’t change the generated code.</EmptyState>;
  return (
    <>
      <p className={classes.note}>
        Between version {previous.number} (<TimeText iso={previous.created_at} />) and {code.snapshot}:{' '}
        {formatCountOf(changed.length, 'file')}.
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
      <pre className={classes.diff} tabIndex={0} role="group" aria-label={`Changes in ${path}`}>
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

/** Returns the lines of two texts as one list, aligned by their longest common subsequence. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = before === '' ? [] : before.split('\n');
  const b = after === '' ? [] : after.split('\n');
  if (a.length > LINES_MAX || b.length > LINES_MAX)
    return [
      ...a.map((text) => ({ kind: 'removed' as const, text })),
      ...b.map((text) => ({ kind: 'added' as const, text })),
    ];
  const lengths = commonLengths(a, b);
  const lines: DiffLine[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i] as string });
      i += 1;
      j += 1;
    } else if (i < a.length && (j === b.length || at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      lines.push({ kind: 'removed', text: a[i] as string });
      i += 1;
    } else {
      lines.push({ kind: 'added', text: b[j] as string });
      j += 1;
    }
  }
  return lines;
}

/**
 * Returns a table: element `[i][j]` is the length of the longest common subsequence of `a` from line `i` and
 * `b` from line `j`.
 */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      (lengths[i] as Uint16Array)[j] =
        a[i] === b[j]
          ? at(lengths, i + 1, j + 1) + 1
          : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
    }
  }
  return lengths;
}

function at(lengths: readonly Uint16Array[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}

/** Returns only the changed lines, with some unchanged lines around them. Each null marks omitted lines. */
export function foldDiff(lines: readonly DiffLine[], around = 3): (DiffLine | null)[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some((line) => line.kind !== 'same'),
  );
  return lines.flatMap((line, index): (DiffLine | null)[] => {
    if (isNear[index]) return [line];
    return index === 0 || isNear[index - 1] ? [null] : [];
  });
}
