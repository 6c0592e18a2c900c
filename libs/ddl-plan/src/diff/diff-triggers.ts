import type { EngineKind, Table, Trigger } from '@rowhouse/schema-model';
import { quoteName } from '../sql-text.js';
import type { PlannedStep } from '../types.js';

export interface TriggerSteps {
  /**
   * Steps that run before all others, because the columns that the triggers use may be changed or dropped.
   */
  readonly drops: readonly PlannedStep[];
  /** Steps that run before publishing, when all columns that the new schema adds exist. */
  readonly creates: readonly PlannedStep[];
}

/**
 * Returns the steps for triggers. Triggers with the same timing and event fire in a fixed order, so all
 * triggers after the first difference are dropped and created again.
 */
export function diffTriggers(from: Table | undefined, to: Table, engine: EngineKind): TriggerSteps {
  const drops: PlannedStep[] = [];
  const creates: PlannedStep[] = [];
  for (const [before, after] of pairGroups(from?.triggers ?? [], to.triggers ?? [])) {
    const same = before.findIndex((trigger, index) => trigger.createSql !== after[index]?.createSql);
    const [removed, come] =
      same < 0 ? [[], after.slice(before.length)] : [before.slice(same), after.slice(same)];
    const [old, next] = [removed[0], come[0]];
    if (
      old !== undefined &&
      next !== undefined &&
      removed.length === 1 &&
      come.length === 1 &&
      old.name === next.name
    )
      creates.push(replaceStep(to.name, next, engine));
    else {
      drops.push(...removed.map((trigger) => dropStep(to.name, trigger)));
      creates.push(...come.map((trigger) => triggerStep('create_trigger', to.name, trigger.createSql)));
    }
  }
  return { drops, creates };
}

function pairGroups(before: readonly Trigger[], after: readonly Trigger[]): [Trigger[], Trigger[]][] {
  const keys = [
    ...new Set([...before, ...after].map((trigger) => `${trigger.timing} ${trigger.event}`)),
  ].sort();
  const pick = (triggers: readonly Trigger[], key: string): Trigger[] =>
    triggers.filter((trigger) => `${trigger.timing} ${trigger.event}` === key);
  return keys.map((key) => [pick(before, key), pick(after, key)]);
}

function triggerStep(kind: 'create_trigger' | 'drop_trigger', table: string, sql: string): PlannedStep {
  return planStatement(kind, table, sql, { kind: 'plain' });
}

/** Returns a step with one statement that runs before publishing and loses nothing. */
export function planStatement(
  kind: PlannedStep['kind'],
  table: string,
  sql: string,
  intent: PlannedStep['intent'],
): PlannedStep {
  return {
    kind,
    table,
    sql,
    class: 'widen',
    reversible: true,
    loss: [],
    beforePublish: sql,
    afterPublish: null,
    rowChecks: [],
    intent,
  };
}

function dropStep(table: string, trigger: Trigger): PlannedStep {
  return triggerStep('drop_trigger', table, `DROP TRIGGER ${quoteName(trigger.name)}`);
}

function replaceStep(table: string, trigger: Trigger, engine: EngineKind): PlannedStep {
  const sql = trigger.createSql.replace(/^CREATE /, 'CREATE OR REPLACE ');
  if (engine === 'mariadb') return triggerStep('create_trigger', table, sql);
  const drop = `DROP TRIGGER ${quoteName(trigger.name)}`;
  const script = `${drop};\n${trigger.createSql};\n`;
  return {
    ...triggerStep('create_trigger', table, script),
    intent: { kind: 'replace', details: { name: trigger.name, drop, create: trigger.createSql } },
  };
}
