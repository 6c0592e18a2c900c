import type { SchedulingServices } from '@rowhouse/admission';
import { readNamesSteps } from '@rowhouse/query-engine';
import { compileTablesSteps, runStepsInSlices, type CompiledSnapshot } from '@rowhouse/schema-model';
import { toRouteSchema } from '../query/list-guard-options.js';
import type { TenantDatabase } from '../tenant/tenant.js';

/** The views whose tables are all compiled (null) or being compiled (a promise). */
const whole = new WeakMap<CompiledSnapshot, Promise<void> | null>();

/**
 * Compiles all tables of a schema, in slices between other requests. Await it before using every table.
 * Compiling some thousand tables at once would block for a tenth of a second. Concurrent callers wait for the
 * same work. Returns null when all tables are compiled.
 */
export function compileWhole(
  { scheduler }: SchedulingServices,
  compiled: CompiledSnapshot,
  { record }: Pick<TenantDatabase, 'record'>,
): Promise<void> | null {
  const known = whole.get(compiled);
  if (known !== undefined) return known;
  const steps = compileTablesSteps(compiled);
  // A few tables are one step.
  if (steps.next().done === true) {
    whole.set(compiled, null);
    return null;
  }
  const pause = (): Promise<void> => scheduler.nextSlice(record.schemaName);
  const work = pause()
    .then(() => runStepsInSlices(steps, pause))
    .then(() => void whole.set(compiled, null));
  whole.set(compiled, work);
  work.catch(() => whole.delete(compiled));
  return work;
}

/** The views whose names have been read, too. */
const named = new WeakSet<CompiledSnapshot>();

/**
 * Also prepares the names of all columns, in which questions are looked up. Returns null when they are
 * already prepared.
 */
export function prepareNames(
  services: SchedulingServices,
  compiled: CompiledSnapshot,
  database: Pick<TenantDatabase, 'record'>,
): Promise<void> | null {
  return named.has(compiled) ? null : readNames(services, compiled, database);
}

async function readNames(
  services: SchedulingServices,
  compiled: CompiledSnapshot,
  database: Pick<TenantDatabase, 'record'>,
): Promise<void> {
  await compileWhole(services, compiled, database);
  await runStepsInSlices(readNamesSteps(toRouteSchema(compiled)), () =>
    services.scheduler.nextSlice(database.record.schemaName),
  );
  named.add(compiled);
}
