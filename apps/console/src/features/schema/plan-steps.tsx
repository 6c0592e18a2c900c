import type { ApiImpact, MigrationPlan } from '@rowhouse/contracts';
import { CodeBlock } from '../../ui/code-block.js';
import { Tag } from '../../ui/tag.js';
import { describeStrategy } from './summarize-plan.js';
import classes from './schema.module.css';

/** A plan to read: each statement with how it runs and what it locks, what is lost, what the API gains and loses. */
export function PlanSteps({ plan }: { plan: MigrationPlan }) {
  return (
    <>
      <ol className={classes.steps} aria-label="Steps">
        {plan.steps.map((step, index) => (
          <li key={index} className={classes.step}>
            <div className={classes.stepHead}>
              <Tag tone={step.class === 'drop' || step.loss.length > 0 ? 'brick' : step.strategy === 'locked_copy' || step.strategy === 'rebuild' ? 'ochre' : 'pine'}>{describeStrategy(step.strategy)}</Tag>
              <span>Lock: <strong>{step.lock === '' ? 'none' : step.lock}</strong></span>
              {step.rowsToRewrite > 0 ? <span className="rh-dim">{step.rowsToRewrite.toLocaleString('en')} rows rewritten</span> : null}
              <span className="rh-dim">{step.reversible ? 'can be reverted' : 'cannot be reverted'}</span>
            </div>
            <CodeBlock code={step.sql} language="sql" label={`Statement ${index + 1}`} heightMax={220} wrap />
          </li>
        ))}
      </ol>
      {plan.loss.length > 0 ? (
        <div className={classes.loss} role="note" aria-label="What is lost">
          <strong>This loses data</strong>
          <ul>{plan.loss.map((loss) => <li key={loss}>{loss}</li>)}</ul>
        </div>
      ) : null}
      {plan.needsRebuild.length > 0 ? (
        <div className={classes.loss} role="note">
          <strong>Too large to change in place</strong>
          <ul>{plan.needsRebuild.map((need) => <li key={need.table + need.sql}>{need.table}: about {need.rows.toLocaleString('en')} rows would have to be copied.</li>)}</ul>
        </div>
      ) : null}
      <Impact impact={plan.impact} />
    </>
  );
}

function Impact({ impact }: { impact: ApiImpact }) {
  const parts = (['added', 'changed', 'removed'] as const).filter((kind) => impact[kind].length > 0);
  if (parts.length === 0) return <p className={classes.done}>The API stays as it is.</p>;
  return (
    <div className={classes.impact}>
      <h3>What changes in the API</h3>
      <ul aria-label="API impact">
        {parts.flatMap((kind) => impact[kind].map((entry) => <li key={kind + entry} data-kind={kind}><span className="rh-spoken">{kind} </span>{kind === 'added' ? '+ ' : kind === 'removed' ? '− ' : '~ '}{entry}</li>))}
      </ul>
    </div>
  );
}
