import { readNamesSteps } from '@rowhouse/query-engine';
import { compileTablesSteps, doStepsInTurns, type CompiledSnapshot } from '@rowhouse/schema-model';
import type { TenantDatabase } from '../tenant/tenant.js';
import type { Gateway } from './gateway.js';
import { toRouteSchema } from './query/to-route-schema.js';

/** Views whose tables are all compiled, or are about to be. */
const whole = new WeakMap<CompiledSnapshot, Promise<void> | null>();

/**
 * To be awaited by what looks at every table of a schema: all of them are compiled in turns with others' requests, where one go
 * would take a tenth of a second for some thousand tables. Who asks meanwhile waits for the same. Null: they are there.
 */
export function compileWhole({ turns }: Pick<Gateway, 'turns'>, compiled: CompiledSnapshot, { record }: Pick<TenantDatabase, 'record'>): Promise<void> | null {
  const known = whole.get(compiled);
  if (known !== undefined) return known;
  const steps = compileTablesSteps(compiled);
  // Few tables are one step.
  if (steps.next().done === true) {
    whole.set(compiled, null);
    return null;
  }
  const pause = (): Promise<void> => turns.turn(record.schemaName);
  const work = pause().then(() => doStepsInTurns(steps, pause)).then(() => void whole.set(compiled, null));
  whole.set(compiled, work);
  work.catch(() => whole.delete(compiled));
  return work;
}

/** Views whose names have been read, too. */
const named = new WeakSet<CompiledSnapshot>();

/** The same for queries, which look words up among the names of all columns. Null: there is nothing to wait for. */
export function prepareNames(gateway: Pick<Gateway, 'turns'>, compiled: CompiledSnapshot, database: Pick<TenantDatabase, 'record'>): Promise<void> | null {
  return named.has(compiled) ? null : readNames(gateway, compiled, database);
}

async function readNames(gateway: Pick<Gateway, 'turns'>, compiled: CompiledSnapshot, database: Pick<TenantDatabase, 'record'>): Promise<void> {
  await compileWhole(gateway, compiled, database);
  await doStepsInTurns(readNamesSteps(toRouteSchema(compiled)), () => gateway.turns.turn(database.record.schemaName));
  named.add(compiled);
}
