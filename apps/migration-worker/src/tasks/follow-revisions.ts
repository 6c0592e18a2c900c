import {
  DroppedObjects,
  IdentitySource,
  nameStateOf,
  NameTracker,
  UnknownNameError,
  type NameChange,
  type NameState,
  type SchemaNames,
} from '@rowhouse/ddl-plan';
import { AppError } from '@rowhouse/errors';
import type { RevisionText, WorkerServer } from '@rowhouse/platform-store';
import { mayMoveNames, readNameChanges } from '../scratch/read-name-changes.js';

type Engine = Pick<WorkerServer, 'engine' | 'engineVersion'>;
type Mode = 'replace' | 'apply';

/** The names of each requested revision, and of those that they depend on. */
export interface Followed {
  readonly states: ReadonlyMap<number, NameState>;
  /**
   * The reasons why the names of some revisions are uncertain. The names of a revision without an entry are
   * certain.
   */
  readonly faults: ReadonlyMap<number, AppError>;
  /** The names under which objects were adopted from direct connections, by identity. */
  readonly taken: ReadonlyMap<number, string>;
  readonly ids: IdentitySource;
  readonly graveyard: DroppedObjects;
}

export interface FollowOptions {
  /** The number of the first revision. */
  readonly lowest: number;
  readonly read: (revision: number) => Promise<SchemaNames>;
  readonly server: Engine;
  /** The revisions whose names are requested. */
  readonly stops: readonly number[];
}

/** Matches the first line of revisions written by `TakeDirectService`. */
const TAKEN = /^-- Taken from /;

/**
 * Traces tables and columns by identity through the revisions after `lowest`, oldest first. A revision that
 * restores an earlier one gets the objects of that revision again. A schema is read only if its text may
 * rename or drop something.
 */
export async function followRevisions(
  rows: readonly RevisionText[],
  options: FollowOptions,
): Promise<Followed> {
  const { lowest, read, server, stops } = options;
  const followed = {
    states: new Map<number, NameState>(),
    faults: new Map<number, AppError>(),
    taken: new Map<number, string>(),
    ids: new IdentitySource(),
    graveyard: new DroppedObjects(),
  };
  const { states, faults, ids, graveyard: dropped } = followed;
  const needed = new Set([...stops, ...rows.flatMap((row) => row.restores ?? [])]);
  states.set(lowest, nameStateOf(await read(lowest), ids));
  /**
   * The state that the next revision starts from, and whether tables or columns may have been added since
   * then.
   */
  let [before, isAfter, fault] = [states.get(lowest) as NameState, false, undefined as AppError | undefined];
  let previous = lowest;
  const adopt = async (revision: number): Promise<void> => {
    if (isAfter)
      before = new NameTracker(before, ids, 'apply', dropped).adopt(await read(revision), false).state;
    isAfter = false;
  };
  for (const row of rows) {
    if (row.restores !== null) {
      [before, fault, isAfter] = [states.get(row.restores) ?? new Map(), faults.get(row.restores), false];
    } else if (
      row.mode === 'apply' &&
      row.renames.length === 0 &&
      !TAKEN.test(row.statements) &&
      !mayMoveNames(row.statements)
    ) {
      isAfter = true;
    } else {
      await adopt(previous);
      const done = await followOne(row, before, await read(row.revision), {
        ids,
        graveyard: dropped,
        server,
      });
      if (TAKEN.test(row.statements)) noteTaken(before, done.state, followed.taken);
      [before, fault] = [done.state, fault ?? done.fault];
    }
    previous = row.revision;
    if (needed.has(row.revision)) await adopt(row.revision);
    if (!isAfter) states.set(row.revision, before);
    if (fault !== undefined) faults.set(row.revision, fault);
  }
  return followed;
}

interface Sources {
  readonly ids: IdentitySource;
  readonly graveyard: DroppedObjects;
  readonly server: Engine;
}

async function followOne(
  row: RevisionText,
  before: NameState,
  after: SchemaNames,
  sources: Sources,
): Promise<{ state: NameState; fault?: AppError }> {
  const changes = await readNameChanges(row.statements, sources.server);
  const mode = row.mode ?? guessMode(changes, before, after);
  const isExact = mode === 'apply' && !TAKEN.test(row.statements) && mayMoveNames(row.statements);
  const tracker = new NameTracker(before, sources.ids, mode, sources.graveyard);
  const unknown = applyAll(tracker, changes, mode, row.renames);
  const { state, differing } = tracker.adopt(after, isExact);
  const name = unknown ?? differing;
  return name === null || !isExact ? { state } : { state, fault: reject(`revision ${row.revision}`, name) };
}

/**
 * Applies the changes in order. A change that uses a missing name is retried after the others, as in
 * `applySchemaText`. Returns a name that remains unknown, or null.
 */
function applyAll(
  tracker: NameTracker,
  changes: readonly NameChange[],
  mode: Mode,
  renames: RevisionText['renames'],
): string | null {
  // A text that describes a whole schema uses the new names of tables, so its renames are applied first. In
  // other texts, drops and additions come before the rename.
  if (mode === 'replace') for (const hint of renames) applyDeclared(tracker, hint);
  let waiting = [...changes];
  let unknown: string | null = null;
  while (waiting.length > 0) {
    const still: NameChange[] = [];
    for (const change of waiting) {
      try {
        tracker.apply(change);
      } catch (error) {
        if (!(error instanceof UnknownNameError)) throw error;
        unknown = error.message;
        still.push(change);
      }
    }
    if (still.length === waiting.length) return unknown;
    waiting = still;
  }
  if (mode === 'apply') for (const hint of renames) tracker.declare(hint);
  return null;
}

function applyDeclared(tracker: NameTracker, hint: RevisionText['renames'][number]): void {
  try {
    if (hint.kind === 'table')
      tracker.apply({ kind: 'rename_table', from: hint.from, to: hint.to, ifExists: false });
    else
      tracker.apply({
        kind: 'alter_table',
        table: hint.table,
        ifExists: false,
        renameTo: null,
        columns: [{ kind: 'rename', from: hint.from, to: hint.to, ifExists: false }],
      });
  } catch (error) {
    // An object with this name does not exist now and did not exist earlier.
    if (!(error instanceof UnknownNameError)) throw error;
  }
}

/**
 * Guesses the mode if an older version stored a revision without one. If a text creates all tables of its
 * schema, it describes the whole schema.
 */
function guessMode(changes: readonly NameChange[], before: NameState, after: SchemaNames): Mode {
  if (before.size === 0) return 'apply';
  const tracker = new NameTracker(new Map(), new IdentitySource(), 'apply');
  const isFollowed =
    applyAll(
      tracker,
      changes.filter((change) => change.kind !== 'rename_table' || !before.has(change.from)),
      'apply',
      [],
    ) === null;
  return isFollowed && tracker.adopt(after, true).differing === null ? 'replace' : 'apply';
}

function noteTaken(before: NameState, after: NameState, taken: Map<number, string>): void {
  const known = new Set(
    [...before.values()].flatMap((table) => [...table.id, ...[...table.columns.values()].flat()]),
  );
  for (const [name, table] of after) {
    for (const id of table.id) if (!known.has(id)) taken.set(id, name);
    for (const [column, ids] of table.columns)
      for (const id of ids) if (!known.has(id)) taken.set(id, column);
  }
}

function reject(text: string, name: string): AppError {
  return new AppError('schema.rename_not_possible', {
    detail: `The renames of ${name} in ${text} are ambiguous, so it is unclear which rows belong to it.`,
    hint: 'Restore the previous revision, and repeat the change with one statement per rename.',
    extra: { name },
  });
}

interface Base {
  readonly state: NameState;
  readonly fault: AppError | null;
}

/**
 * Traces the names of a text before it becomes a revision. The returned function takes the schema that the
 * text results in.
 */
export async function followText(
  base: Base,
  text: { readonly sql: string; readonly mode: Mode },
  { ids, graveyard: dropped }: Pick<Followed, 'ids' | 'graveyard'>,
  server: Engine,
): Promise<(draft: SchemaNames) => Base> {
  const isMoving = mayMoveNames(text.sql);
  const changes = isMoving || text.mode === 'replace' ? await readNameChanges(text.sql, server) : [];
  return (draft) => {
    const tracker = new NameTracker(base.state, ids, text.mode, dropped);
    const unknown = applyAll(tracker, changes, text.mode, []);
    const { state, differing } = tracker.adopt(draft, true);
    const name = unknown ?? differing;
    // The result is certain in three cases: no name is unknown, the text only adds names, or the text
    // describes a whole schema.
    const isSure = name === null || !isMoving || text.mode === 'replace';
    return { state, fault: base.fault ?? (isSure ? null : reject('this text', name)) };
  };
}
