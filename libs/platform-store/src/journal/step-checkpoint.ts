import type { StepClass } from '@rowhouse/contracts';
import { readJson } from '../sql-values.js';
import type { RebuildDetails } from './rebuild-details.js';

/** The kind of a migration step, with the progress that the step has stored. */
export type StepAction =
  | { readonly kind: 'ddl'; readonly checkpoint: DdlCheckpoint }
  | { readonly kind: 'prepare'; readonly checkpoint: PrepareCheckpoint }
  | { readonly kind: PlainStepKind; readonly checkpoint: null };

export type PlainStepKind = (typeof PLAIN_KINDS)[number];

/** The kinds of steps that store no progress. */
const PLAIN_KINDS = [
  'check_rows',
  'grant',
  'publish_pair',
  'publish_target',
  'acknowledge',
  'publish',
] as const;

export interface PrepareCheckpoint {
  /** The index of the next DDL step in the plan. */
  readonly step: number;
}

/**
 * The progress of a statement of the plan. At most one of the last three members is set, after the step has
 * made progress.
 */
export interface DdlCheckpoint {
  /** The index of the step in the plan. */
  readonly step: number;
  readonly class: StepClass;
  readonly part: DdlPart;
  readonly rebuild?: RebuildCheckpoint;
  readonly exclusive?: ExclusivePosition;
  readonly script?: ScriptPosition;
}

export type DdlPart = (typeof DDL_PARTS)[number];

const DDL_PARTS = ['beforePublish', 'afterPublish'] as const;

const STEP_CLASSES = [
  'widen',
  'add_required',
  'drop',
  'tighten',
  'rename',
  'retype',
  'exclusive',
] as const satisfies readonly StepClass[];

/** The phases of a rebuild, in order. A worker that continues a rebuild repeats the stored phase. */
export const REBUILD_PHASES = [
  'prepare',
  'capture',
  'copy',
  'attach',
  'verify',
  'repoint',
  'swap',
  'finish',
] as const;

export type RebuildPhase = (typeof REBUILD_PHASES)[number];

export interface RebuildCheckpoint {
  readonly phase: RebuildPhase;
  /**
   * The details of the rebuild, which are stored as `facts`. Null until the phase `prepare` has collected
   * them.
   */
  readonly details: RebuildDetails | null;
  readonly position: RebuildPosition;
  /**
   * The triggers that users created, as stored just before the swap. If the swap is interrupted, the triggers
   * may be on neither table.
   */
  readonly triggers: readonly UserTrigger[];
}

/** How far the copy or the verification of a rebuild has come. */
export interface RebuildPosition {
  /** The index of the current table among those that are rebuilt. */
  readonly at: number;
  /** The key after which the work continues. Null at the beginning of the table. */
  readonly after: readonly string[] | null;
  readonly rowsDone: number;
}

/** A trigger that a user created. */
export interface UserTrigger {
  readonly table: string;
  readonly name: string;
  readonly timing: string;
  readonly event: string;
  /** The text after FOR EACH ROW. */
  readonly body: string;
  /** The quoted name of the definer, such as `user`@`host`. */
  readonly definer: string;
  readonly sqlMode: string;
  readonly collation: string;
  readonly databaseCollation: string;
}

/**
 * The progress of an exclusive step. It is stored before each statement, so that it shows what an interrupted
 * run has done.
 */
export interface ExclusivePosition {
  /** Whether all tables have their new names. */
  readonly areTablesRenamed: boolean;
  /** The number of ALTER statements that are done. */
  readonly altered: number;
  /** The columns of the next table before its ALTER was sent. Null if it was not sent. */
  readonly columnsBefore: string | null;
  /**
   * The primary key of the table before the ALTER was sent. Absent if an earlier version stored the progress.
   */
  readonly keyBefore?: string;
}

/** The progress of a copy during which writes are blocked. */
export interface ScriptPosition {
  /** The index of the last statement that was sent. */
  readonly at: number;
  /** The fingerprint of the statement's table before the statement was sent. */
  readonly before: string;
}

/** Thrown for a row in the journal that this version of the worker cannot parse. */
export class UnreadableStepError extends Error {
  override readonly name = 'UnreadableStepError';
}

/**
 * Returns the action in a row of the journal. Another version of the worker may have written the row.
 *
 * @throws {@link UnreadableStepError} for an unknown kind, or a checkpoint with another structure
 */
export function parseStepAction(kind: string, column: unknown): StepAction {
  if (isOneOf(PLAIN_KINDS, kind)) return { kind, checkpoint: null };
  if (kind === 'ddl') return { kind, checkpoint: parseDdlCheckpoint(column) };
  if (kind === 'prepare')
    return { kind, checkpoint: { step: readIndex(readObject(readJson<unknown>(column)), 'step') } };
  throw new UnreadableStepError(`the journal names an unknown step ${kind}`);
}

/** Returns a checkpoint as text for the column `checkpoint`. Returns null without a checkpoint. */
export function formatCheckpoint(checkpoint: StepAction['checkpoint']): string | null {
  if (checkpoint === null) return null;
  if (!('rebuild' in checkpoint) || checkpoint.rebuild === undefined) return JSON.stringify(checkpoint);
  const { details, ...rest } = checkpoint.rebuild;
  return JSON.stringify({ ...checkpoint, rebuild: { ...rest, facts: details } });
}

/**
 * Returns the checkpoint of a DDL step.
 *
 * @throws {@link UnreadableStepError} for a checkpoint with another structure
 */
export function parseDdlCheckpoint(column: unknown): DdlCheckpoint {
  const fields = readObject(readJson<unknown>(column));
  const { class: stepClass, part, rebuild, exclusive, script } = fields;
  if (!isOneOf(STEP_CLASSES, stepClass)) throw unreadable('class', stepClass);
  if (!isOneOf(DDL_PARTS, part)) throw unreadable('part', part);
  return {
    step: readIndex(fields, 'step'),
    class: stepClass,
    part,
    ...(isMissing(rebuild) ? {} : { rebuild: parseRebuild(rebuild) }),
    ...(isMissing(exclusive) ? {} : { exclusive: parseExclusive(exclusive) }),
    ...(isMissing(script) ? {} : { script: parseScript(script) }),
  };
}

function parseRebuild(value: unknown): RebuildCheckpoint {
  const fields = readObject(value);
  const { phase, facts: details, triggers } = fields;
  if (!isOneOf(REBUILD_PHASES, phase)) throw unreadable('phase', phase);
  if (!Array.isArray(triggers)) throw unreadable('triggers', triggers);
  const position = readObject(fields['position']);
  const after = position['after'];
  if (after !== null && !Array.isArray(after)) throw unreadable('after', after);
  // The rebuild that stored the details checks every member when it uses them. Therefore, only their outline
  // is checked here.
  if (details !== null && !Array.isArray(readObject(details)['members'])) throw unreadable('facts', details);
  return {
    phase,
    details: details as RebuildDetails | null,
    position: {
      at: readIndex(position, 'at'),
      after: after as readonly string[] | null,
      rowsDone: readIndex(position, 'rowsDone'),
    },
    triggers: triggers as readonly UserTrigger[],
  };
}

function parseExclusive(value: unknown): ExclusivePosition {
  const fields = readObject(value);
  const { areTablesRenamed, columnsBefore, keyBefore } = fields;
  if (typeof areTablesRenamed !== 'boolean') throw unreadable('areTablesRenamed', areTablesRenamed);
  if (columnsBefore !== null && typeof columnsBefore !== 'string')
    throw unreadable('columnsBefore', columnsBefore);
  return {
    areTablesRenamed,
    altered: readIndex(fields, 'altered'),
    columnsBefore,
    ...(typeof keyBefore === 'string' ? { keyBefore } : {}),
  };
}

function parseScript(value: unknown): ScriptPosition {
  const fields = readObject(value);
  const { before } = fields;
  if (typeof before !== 'string') throw unreadable('before', before);
  return { at: readIndex(fields, 'at'), before };
}

function readObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable('object', value);
  return value as Readonly<Record<string, unknown>>;
}

function readIndex(fields: Readonly<Record<string, unknown>>, name: string): number {
  const value = fields[name];
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw unreadable(name, value);
  return value as number;
}

function isMissing(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function isOneOf<T extends string>(known: readonly T[], value: unknown): value is T {
  return known.some((item) => item === value);
}

function unreadable(member: string, value: unknown): UnreadableStepError {
  return new UnreadableStepError(
    `the checkpoint of a step has an unexpected ${member}: ${JSON.stringify(value)?.slice(0, 100)}`,
  );
}
