import type { EngineKind, Routine, Snapshot } from '@rowhouse/schema-model';
import { quoteName } from '../sql-text.js';
import type { PlannedStep, StepClass } from '../types.js';

export interface RoutineSteps {
  readonly creates: readonly PlannedStep[];
  readonly drops: readonly PlannedStep[];
}

/**
 * Returns the steps for procedures and functions. A run cannot detect whether such a step has already run, so
 * each statement may run twice without harm. Routines are created with IF NOT EXISTS (MySQL) or OR REPLACE
 * (MariaDB), and dropped with IF EXISTS.
 */
export function diffRoutines(current: Snapshot, target: Snapshot): RoutineSteps {
  const key = (routine: Routine): string => `${routine.kind} ${routine.name}`;
  const before = new Map((current.routines ?? []).map((routine) => [key(routine), routine]));
  const after = new Set((target.routines ?? []).map(key));
  const creates = (target.routines ?? []).flatMap((routine) => {
    const old = before.get(key(routine));
    if (old?.createSql === routine.createSql) return [];
    return [
      ...(old === undefined || target.engine === 'mariadb'
        ? []
        : [routineStep('drop_routine', old, dropSql(old), 'widen')]),
      routineStep('create_routine', routine, createSql(routine, target.engine), 'widen'),
    ];
  });
  const removed = (current.routines ?? []).filter((routine) => !after.has(key(routine)));
  return {
    creates,
    drops: removed.map((routine) => routineStep('drop_routine', routine, dropSql(routine), 'drop')),
  };
}

function createSql(routine: Routine, engine: EngineKind): string {
  return engine === 'mariadb'
    ? routine.createSql.replace(/^CREATE /, 'CREATE OR REPLACE ')
    : routine.createSql.replace(/^CREATE (PROCEDURE|FUNCTION) /, 'CREATE $1 IF NOT EXISTS ');
}

function dropSql(routine: Routine): string {
  return `DROP ${routine.kind.toUpperCase()} IF EXISTS ${quoteName(routine.name)}`;
}

function routineStep(
  kind: 'create_routine' | 'drop_routine',
  routine: Routine,
  sql: string,
  stepClass: StepClass,
): PlannedStep {
  const isLate = stepClass === 'drop';
  return {
    kind,
    table: routine.name,
    sql,
    class: stepClass,
    reversible: true,
    loss: [],
    beforePublish: isLate ? null : sql,
    afterPublish: isLate ? sql : null,
    rowChecks: [],
    intent: { kind: 'plain' },
  };
}
