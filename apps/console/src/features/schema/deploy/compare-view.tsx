import type { DatabaseResponse, MigrationPlan } from '@rowhouse/contracts';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { deployedSchemaQuery, type WorkingSchema } from '../../../data/schema/queries.js';
import { QueryErrorNotice } from '../../../ui/notices/error-notice.js';
import { Panel } from '../../../ui/layout/panel.js';
import { SkeletonRows } from '../../../ui/loading/skeleton.js';
import classes from './compare-view.module.css';

interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

interface ObjectDiff {
  /** The first line of the statement without its trailing parenthesis, such as `CREATE TABLE posts`. */
  readonly title: string;
  readonly lines: readonly DiffLine[];
}
export type TableMark = 'new' | 'changed' | 'dropped';

const SIGNS = { same: ' ', added: '+', removed: '−' } as const;
const WORDS = { same: '', added: 'added: ', removed: 'removed: ' } as const;

/** Compares the draft with the live schema of a database, both as SQL text. */
export function CompareView({
  databases,
  initial,
  schema,
}: {
  databases: readonly DatabaseResponse[];
  initial: DatabaseResponse;
  schema: WorkingSchema;
}) {
  const [chosen, setChosen] = useState(initial.id);
  const database = databases.find((candidate) => candidate.id === chosen) ?? initial;
  const live = useQuery(deployedSchemaQuery(database));
  const objects = useMemo(
    () => (live.data === undefined ? [] : diffSchemaText(live.data.sql, schema.sql)),
    [live.data, schema.sql],
  );
  return (
    <Panel
      title="Compare"
      note={`− is live in ${database.environment}, + is in the draft.`}
      actions={
        <NativeSelect
          size="xs"
          aria-label="Compare the draft with"
          data={databases.map((entry) => ({ value: entry.id, label: `with ${entry.environment}` }))}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      }
    >
      {live.isPending && database.state === 'ready' ? <SkeletonRows rows={3} height={20} /> : null}
      <QueryErrorNotice title="Couldn’t load the live schema" query={live} />
      {live.data && objects.length === 0 ? <p className={classes.same}>No differences.</p> : null}
      {objects.map((object) => (
        <pre
          key={object.title}
          className={classes.diff}
          tabIndex={0}
          role="group"
          aria-label={`Difference of ${object.title}`}
        >
          {object.lines.map((line, index) => (
            <span key={index} data-kind={line.kind}>
              <span aria-hidden="true">{SIGNS[line.kind]} </span>
              <span className="rh-spoken">{WORDS[line.kind]}</span>
              {line.text}
              {'\n'}
            </span>
          ))}
        </pre>
      ))}
    </Panel>
  );
}

/**
 * Returns what a plan does to each table, by the table's name in the draft. A dropped table has its old name.
 */
export function markTables(plan: MigrationPlan | undefined): ReadonlyMap<string, TableMark> {
  const marks = new Map<string, TableMark>();
  if (plan === undefined) return marks;
  const renames = plan.hints.flatMap((hint) =>
    hint.kind === 'table' ? [[hint.from, hint.to] as const] : [],
  );
  const nameOf = (table: string): string => renames.find(([from]) => from === table)?.[1] ?? table;
  for (const step of plan.steps) {
    if (step.kind === 'create_table' || step.kind === 'create_view')
      marks.set(step.table, marks.get(step.table) === 'dropped' ? 'changed' : 'new');
    else if (step.kind === 'drop_table' || step.kind === 'drop_view') marks.set(step.table, 'dropped');
    else if (!marks.has(nameOf(step.table))) marks.set(nameOf(step.table), 'changed');
  }
  return marks;
}

/**
 * Returns the statements that differ between two schemas as SQL text, with a line diff of each. The server
 * renders both texts in the same way, so equal objects have equal text.
 */
export function diffSchemaText(live: string, draft: string): ObjectDiff[] {
  const [before, after] = [splitObjects(live), splitObjects(draft)];
  const titles = [...new Set([...before.keys(), ...after.keys()])].sort();
  return titles.flatMap((title) => {
    const [old, now] = [before.get(title) ?? '', after.get(title) ?? ''];
    return old === now ? [] : [{ title, lines: diffLines(toLines(old), toLines(now)) }];
  });
}

function toLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** Splits SQL text before each line that starts with `CREATE`, `ALTER` or `DELIMITER`. */
function splitObjects(sql: string): Map<string, string> {
  const objects = new Map<string, string>();
  for (const part of sql.split(/\n(?=(?:CREATE|ALTER|DELIMITER)\b)/)) {
    const text = part.trim();
    if (text === '') continue;
    const title = (text.split('\n')[0] ?? '').replace(/\s*\(?\s*$/, '').slice(0, 120);
    objects.set(title, objects.has(title) ? `${objects.get(title) ?? ''}\n${text}` : text);
  }
  return objects;
}

/** Above this number of pairs of lines, changed lines are shown as removed and added, without a comparison. */
const PAIRS_MAX = 4_000_000;

/** Compares two lists of lines by their longest common subsequence. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const shorter = Math.min(before.length, after.length);
  let [head, tail] = [0, 0];
  while (head < shorter && before[head] === after[head]) head += 1;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const mark = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] =>
    lines.map((text) => ({ kind, text }));
  const old = before.slice(head, before.length - tail);
  const now = after.slice(head, after.length - tail);
  const isLong = old.length * now.length > PAIRS_MAX;
  return [
    ...mark('same', before.slice(0, head)),
    ...(isLong ? [...mark('removed', old), ...mark('added', now)] : diffChanged(old, now)),
    ...mark('same', before.slice(before.length - tail)),
  ];
}

function diffChanged(before: readonly string[], after: readonly string[]): DiffLine[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      (lengths[row] as Uint16Array)[column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      lines.push({ kind: 'same', text: before[row] as string });
      [row, column] = [row + 1, column + 1];
    } else if (column >= after.length || (row < before.length && at(row + 1, column) >= at(row, column + 1)))
      lines.push({ kind: 'removed', text: before[row++] as string });
    else lines.push({ kind: 'added', text: after[column++] as string });
  }
  return lines;
}
