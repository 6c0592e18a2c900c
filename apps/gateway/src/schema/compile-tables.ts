import type { SchedulingServices } from '@rowhouse/admission';
import { readNamesSteps } from '@rowhouse/query-engine';
import { compileTablesSteps, runStepsInSlices, type CompiledSnapshot } from '@rowhouse/schema-model';
import { toRouteSchema } from '../query/list-guard-options.js';
import type { TenantDatabase } from '../tenant/tenant.js';

/** The schemas whose tables are all compiled (null) or being compiled (a promise). */
const compilations = new WeakMap<CompiledSnapshot, Promise<void> | null>();

/**
 * Compiles all tables of a schema, in slices between other requests, because a thousand tables take a tenth
 * of a second. Await it before using every table. Returns null when all tables are compiled already.
 */
export function compileWhole(
  { scheduler }: SchedulingServices,
  compiled: CompiledSnapshot,
  { record }: Pick<TenantDatabase, 'record'>,
): Promise<void> | null {
  const known = compilations.get(compiled);
  if (known !== undefined) return known;
  const steps = compileTablesSteps(compiled);
  // If there are only a few tables, one step compiles them all.
  if (steps.next().done === true) {
    compilations.set(compiled, null);
    return null;
  }
  const pause = (): Promise<void> => scheduler.nextSlice(record.schemaName);
  const work = pause()
    .then(() => runStepsInSlices(steps, pause))
    .then(() => void compilations.set(compiled, null));
  compilations.set(compiled, work);
  work.catch(() => compilations.delete(compiled));
  return work;
}

/** The schemas whose table and column names are prepared for questions. */
const named = new WeakSet<CompiledSnapshot>();

/**
 * Compiles all tables and prepares the names that questions are compared with. Returns null when this is
 * already done.
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
