import type {
  FamilyDetails,
  MigrationStep,
  PlannedStep,
  RebuildTable,
  StepHead,
  StepStrategy,
  StrategyDetails,
} from './types.js';

/**
 * The algorithm with which the server accepted the statements of a step on an empty copy of the schema. If
 * there are several, it is the most expensive one. `none` means that no statement is an ALTER.
 */
export type TestedAlgorithm = 'none' | 'instant' | 'nocopy' | 'inplace' | 'copy';

export interface StepProperties {
  readonly algorithm: TestedAlgorithm;
  readonly side: MigrationStep['side'];
  /**
   * The number of rows in the table of the step. For several tables joined by foreign keys, this is their
   * sum.
   */
  readonly rows: number;
}

export interface StrategyBounds {
  /** The maximum number of rows that may be copied while writes are blocked. */
  readonly copyRowsMax: number;
  /**
   * The number of rows above which an online rebuild replaces an in-place build. Both take long for such a
   * table, but only the cut-over of a rebuild can be retried.
   */
  readonly inplaceRowsMax: number;
  /**
   * The strategies that the runner supports. A step with another strategy gets a supported one if possible.
   * Otherwise, it is planned, and the deploy is rejected.
   */
  readonly served: ReadonlySet<StepStrategy>;
  /**
   * Whether the server is a Galera cluster. In a cluster, all nodes apply a schema change at the same
   * position in their sequence of writes, so writes to every node wait for the change.
   */
  readonly isCluster?: boolean;
}

/** Chooses the strategy with which a step is run. No other code makes this decision. */
export function chooseStrategy(
  step: PlannedStep,
  properties: StepProperties,
  bounds: StrategyBounds,
): MigrationStep {
  const chosen = pickStrategy(step, properties, bounds);
  const isRewritten = REWRITING.has(chosen.strategy);
  return {
    ...headOf(step),
    // If the table has no rows, no data can be lost.
    loss: properties.rows === 0 ? [] : step.loss,
    reversible:
      step.reversible && !(chosen.strategy === 'drop' && step.loss.length > 0 && properties.rows > 0),
    lock: describeLock(chosen.strategy, properties.rows, bounds.isCluster === true),
    rowsToRewrite: isRewritten ? properties.rows : 0,
    side: sideOf(chosen.strategy, properties.side),
    ...chosen,
  };
}

/**
 * Returns whether the strategy applies to the statement that runs before publishing or to the one that runs
 * after it. The default is the more expensive statement, `dearer`. A drop that retains its object always runs
 * after publishing, and the restore of a retained object always runs before it.
 */
function sideOf(strategy: StepStrategy, dearer: MigrationStep['side']): MigrationStep['side'] {
  if (strategy === 'keep_table' || strategy === 'keep_columns') return 'afterPublish';
  return strategy === 'restore_table' || strategy === 'restore_columns' ? 'beforePublish' : dearer;
}

const REWRITING = new Set<StepStrategy>([
  'inplace',
  'copy_small',
  'rebuild',
  'rebuild_family',
  'locked_copy',
]);

function headOf({
  kind,
  table,
  sql,
  class: stepClass,
  reversible,
  loss,
  beforePublish,
  afterPublish,
  rowChecks,
}: PlannedStep): StepHead {
  return { kind, table, sql, class: stepClass, reversible, loss, beforePublish, afterPublish, rowChecks };
}

function pickStrategy(
  step: PlannedStep,
  properties: StepProperties,
  bounds: StrategyBounds,
): StrategyDetails {
  const { intent } = step;
  switch (intent.kind) {
    case 'plain':
      return { strategy: step.kind.startsWith('drop_') ? 'drop' : 'create', details: null };
    case 'alter':
      return pickAlter(step, intent.rebuild, properties, bounds);
    case 'rename':
      return { strategy: 'rename', details: null };
    case 'keep_table':
    case 'keep_columns': {
      if (properties.rows === 0 || !bounds.served.has(intent.kind))
        return { strategy: 'drop', details: null };
      return intent.kind === 'keep_table'
        ? { strategy: 'keep_table', details: intent.details }
        : { strategy: 'keep_columns', details: intent.details };
    }
    case 'family':
      return pickFamily(intent.details, bounds);
    case 'replace':
      return { strategy: 'replace', details: intent.details };
    case 'add_foreign_key':
    case 'add_check':
      return properties.algorithm === 'copy'
        ? pickAlter(step, intent.rebuild, properties, bounds)
        : { strategy: intent.kind, details: null };
    case 'restore_table':
      return { strategy: 'restore_table', details: intent.details };
    case 'restore_columns':
      return { strategy: 'restore_columns', details: intent.details };
    case 'exclusive':
      return { strategy: 'exclusive', details: intent.details };
  }
}

function pickAlter(
  step: PlannedStep,
  rebuild: RebuildTable | null,
  properties: StepProperties,
  bounds: StrategyBounds,
): StrategyDetails {
  if (
    properties.algorithm === 'none' ||
    properties.algorithm === 'instant' ||
    properties.algorithm === 'nocopy'
  )
    return { strategy: properties.algorithm === 'none' ? 'instant' : properties.algorithm, details: null };
  if (
    properties.algorithm === 'inplace' &&
    (properties.rows <= bounds.inplaceRowsMax || rebuild === null || !bounds.served.has('rebuild'))
  )
    return { strategy: 'inplace', details: null };
  if (properties.algorithm === 'copy' && properties.rows < bounds.copyRowsMax)
    return { strategy: 'copy_small', details: null };
  const script = [step[properties.side] ?? step.sql];
  if (rebuild === null) return lockedCopy(noKey([step.table]), script);
  return bounds.served.has('rebuild')
    ? { strategy: 'rebuild', details: rebuild }
    : lockedCopy(whyNoRebuild(bounds), script);
}

function pickFamily(details: FamilyDetails, bounds: StrategyBounds): StrategyDetails {
  if (details.keyless.length > 0) return lockedCopy(noKey(details.keyless), details.script);
  return bounds.served.has('rebuild_family')
    ? { strategy: 'rebuild_family', details }
    : lockedCopy(whyNoRebuild(bounds), details.script);
}

const NO_TRIGGERS = 'This server does not allow triggers, so tables cannot be rebuilt during writes.';
const NO_ONE_NODE =
  'This server is a cluster, where copied rows and new writes can be on different nodes. ' +
  'Tables cannot be rebuilt during writes.';
const whyNoRebuild = ({ isCluster }: StrategyBounds): string =>
  isCluster === true ? NO_ONE_NODE : NO_TRIGGERS;
const noKey = (tables: readonly string[]): string =>
  `${tables.join(', ')} has no unique key without NULL that identifies rows before and after ` +
  'the change.';

function lockedCopy(reason: string, script: readonly string[]): StrategyDetails {
  return { strategy: 'locked_copy', details: { reason, script } };
}

function describeLock(strategy: StepStrategy, rows: number, isCluster: boolean): string {
  if (isCluster && strategy === 'inplace')
    return `blocks writes of the whole cluster while about ${rows} rows are read`;
  const writes = isCluster ? 'writes of the whole cluster' : 'writes';
  switch (strategy) {
    case 'copy_small':
      return `blocks ${writes} while ${rows} rows are copied`;
    case 'locked_copy':
      return `blocks ${writes} while about ${rows} rows are copied`;
    case 'exclusive':
      return 'pauses all requests of the database while names are reassigned';
    case 'rebuild':
    case 'rebuild_family':
    case 'keep_table':
    case 'restore_table':
      return 'brief lock (milliseconds) at cutover';
    default:
      return 'none';
  }
}
