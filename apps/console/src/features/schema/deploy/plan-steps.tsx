import type { ApiImpact, MigrationPlan, MigrationStep } from '@rowhouse/contracts';
import { CodeBlock } from '../../../ui/code/code-block.js';
import { formatCount, formatCountOf } from '../../../ui/formatting/format-number.js';
import { Tag, type TagTone } from '../../../ui/layout/tag.js';
import { TimeText } from '../../../ui/formatting/time-text.js';
import { describeStrategy } from './summarize-plan.js';
import classes from '../schema.module.css';

interface PlanStepsProps {
  readonly plan: MigrationPlan;
  /** Whether to leave out the SQL statements, because the page shows them elsewhere. */
  readonly isShort?: boolean;
  /** Whether to leave out the impact on the API, because the page shows it elsewhere. */
  readonly withoutImpact?: boolean;
}

/**
 * Shows a plan: how each statement runs and what it locks, which data is lost, how the API changes, and which
 * API keys are affected.
 */
export function PlanSteps({ plan, isShort = false, withoutImpact = false }: PlanStepsProps) {
  return (
    <>
      <ol className={classes.steps} aria-label="Steps">
        {plan.steps.map((step, index) => (
          <li key={index} className={classes.step}>
            <StepHead step={step} withTable={isShort} />
            {isShort ? null : (
              <CodeBlock
                code={step.sql}
                language="sql"
                label={`Statement ${index + 1}`}
                heightMax={220}
                wrap
              />
            )}
          </li>
        ))}
      </ol>
      <Loss plan={plan} />
      {plan.drift.length > 0 ? (
        <div className={classes.warning} role="note" aria-label="Direct changes">
          <strong>This undoes changes made over a direct connection</strong>
          <p>
            {plan.drift.join(', ')} of {plan.environment} changed there since the last deploy. To keep those
            changes, add them to the draft first.
          </p>
        </div>
      ) : null}
      {plan.needsRebuild.length > 0 ? (
        <div className={classes.loss} role="note">
          <strong>Too large to change in place</strong>
          <ul>
            {plan.needsRebuild.map((need) => (
              <li key={need.table + need.sql}>
                {need.table}: about {formatCount(need.rows)} rows would have to be copied.
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {plan.notes.length > 0 ? (
        <ul className={classes.notes} aria-label="Notes">
          {plan.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : null}
      <Impact impact={plan.impact} isShownElsewhere={withoutImpact} />
    </>
  );
}

function StepHead({ step, withTable }: { step: MigrationStep; withTable: boolean }) {
  return (
    <div className={classes.stepHead}>
      {withTable ? <span className="rh-mono">{step.table}</span> : null}
      <Tag tone={toneOf(step)}>{describeStrategy(step.strategy)}</Tag>
      <span>
        Lock: <strong>{step.lock === '' ? 'none' : step.lock}</strong>
      </span>
      {step.rowsToRewrite > 0 ? (
        <span className="rh-dim">{formatCount(step.rowsToRewrite)} rows rewritten</span>
      ) : null}
      <span className="rh-dim">{describeRevert(step)}</span>
    </div>
  );
}

function toneOf(step: MigrationStep): TagTone {
  if (retainsData(step)) return 'ochre';
  if (step.class === 'drop' || step.loss.length > 0) return 'brick';
  return step.strategy === 'locked_copy' || step.strategy === 'rebuild' || step.strategy === 'rebuild_family'
    ? 'ochre'
    : 'pine';
}

function describeRevert(step: MigrationStep): string {
  if (retainsData(step)) return 'can be reverted for 24 hours';
  return step.reversible ? 'can be reverted' : 'cannot be reverted';
}

/** Lists the data that the plan drops at once, separately from the data that a revert can still restore. */
function Loss({ plan }: { plan: MigrationPlan }) {
  const { immediate, retained: recoverable } = describeLoss(plan);
  return (
    <>
      {immediate.length > 0 ? (
        <div className={classes.loss} role="note" aria-label="Data loss">
          <strong>Permanently deleted right away</strong>
          <ul>
            {immediate.map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
        </div>
      ) : null}
      {recoverable.length > 0 ? (
        <div className={classes.warning} role="note" aria-label="Recoverable for 24 hours">
          <strong>Removed from the API immediately and kept for 24 hours</strong>
          <ul>
            {recoverable.map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
          <p>You can revert until then. After that the data is permanently deleted.</p>
        </div>
      ) : null}
    </>
  );
}

/**
 * Shows how the API changes and which API keys are affected. With `isShownElsewhere`, only the keys are
 * listed.
 */
function Impact({ impact, isShownElsewhere }: { impact: ApiImpact; isShownElsewhere: boolean }) {
  const parts = (['added', 'changed', 'removed'] as const).filter((kind) => impact[kind].length > 0);
  if (isShownElsewhere && impact.usedBy.length === 0) return null;
  if (parts.length === 0) return <p className={classes.done}>No API changes.</p>;
  return (
    <div className={classes.impact}>
      {isShownElsewhere ? null : (
        <>
          <h3>API changes</h3>
          <ul aria-label="API impact">
            {parts.flatMap((kind) =>
              impact[kind].map((entry) => (
                <li key={kind + entry} data-kind={kind}>
                  <span className="rh-spoken">{kind} </span>
                  {kind === 'added' ? '+ ' : kind === 'removed' ? '− ' : '~ '}
                  {entry}
                </li>
              )),
            )}
          </ul>
        </>
      )}
      {impact.usedBy.length > 0 ? (
        <>
          <h3>API keys that used these in the last 30 days</h3>
          <ul aria-label="Keys affected" className={classes.users}>
            {impact.usedBy.map((use) =>
              use.keys.map((key) => (
                <li key={use.what + key.id}>
                  <code>{use.what}</code> {key.name}{' '}
                  <span className="rh-dim">
                    {formatCountOf(key.requests, 'request')}, last <TimeText iso={key.lastUsedAt} />
                  </span>
                </li>
              )),
            )}
          </ul>
        </>
      ) : null}
    </div>
  );
}

/**
 * Splits the data that a plan drops into the data that is lost at once, and the data that a revert can
 * restore for a day.
 */
export function describeLoss(plan: Pick<MigrationPlan, 'steps' | 'loss'>): {
  readonly immediate: readonly string[];
  readonly retained: readonly string[];
} {
  const recoverable = plan.steps.filter(retainsData).flatMap((step) => step.loss);
  const immediate = plan.steps.filter((step) => !retainsData(step)).flatMap((step) => step.loss);
  return {
    immediate: [...new Set(immediate)],
    retained: [...new Set(recoverable)].filter((loss) => !immediate.includes(loss)),
  };
}

/** Returns whether a revert can restore the data that this step drops, which is possible for a day. */
function retainsData({ strategy, loss }: Pick<MigrationStep, 'strategy' | 'loss'>): boolean {
  return (
    strategy === 'keep_table' || strategy === 'keep_columns' || (strategy === 'exclusive' && loss.length > 0)
  );
}
