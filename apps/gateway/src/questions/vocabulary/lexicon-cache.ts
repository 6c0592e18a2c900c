import type { EventLoopScheduler } from '@rowhouse/admission';
import { buildLexiconSteps, type Lexicon } from '@rowhouse/nl-engine';
import { runStepsInSlices, type CompiledSnapshot } from '@rowhouse/schema-model';
import type { Tenant } from '../../tenant/tenant.js';
import {
  listReadableValues,
  listReadableSteps,
  type UnindexedColumns,
  type QuestionVocabulary,
} from './question-vocabulary.js';

/**
 * Caches one lexicon for each database and set of rights. It is rebuilt when the schema, the rights, the
 * values or the synonyms change.
 */
export interface LexiconCache {
  /**
   * Returns the lexicon. It is built in slices between other requests, and concurrent callers share one
   * build.
   */
  of(tenant: Tenant, compiled: CompiledSnapshot, vocabulary: QuestionVocabulary): Promise<Lexicon>;
}

interface Entry {
  readonly compiled: CompiledSnapshot;
  readonly vocabulary: QuestionVocabulary;
  readonly unindexed: UnindexedColumns;
  readonly lexicon: Promise<Lexicon>;
  /**
   * The size of the lexicon: its number of values and of phrases for columns and tables. 0 until it is built.
   */
  weight: number;
}

const WEIGHT_MAX = 400_000;

export function createLexiconCache(
  scheduler: Pick<EventLoopScheduler, 'nextSlice'>,
  weightMax = WEIGHT_MAX,
): LexiconCache {
  /** The entries in order of use. */
  const entries = new Map<string, Entry>();
  /**
   * The last build for each database. Builds for the same database run one after the other, because their
   * memory is counted only when they are done.
   */
  const building = new Map<string, Promise<unknown>>();
  let weight = 0;

  function remove(name: string, entry: Entry): void {
    if (entries.get(name) !== entry) return;
    entries.delete(name);
    weight -= entry.weight;
  }

  /** Adds the size of a finished entry to the total, unless the entry has been replaced. */
  function countSize(name: string, entry: Entry, built: number): void {
    if (entries.get(name) !== entry) return;
    entry.weight = built;
    weight += built;
    for (const [other, item] of entries) {
      if (weight <= weightMax) return;
      if (item !== entry) remove(other, item);
    }
  }

  function startBuild(
    name: string,
    { database: { record } }: Tenant,
    compiled: CompiledSnapshot,
    vocabulary: QuestionVocabulary,
  ): Entry {
    const previous = building.get(record.id);
    const unindexed = record.settings.unindexed_columns;
    const built = (previous === undefined ? Promise.resolve() : previous.then(ignore, ignore)).then(() =>
      build(compiled, vocabulary, unindexed, () => scheduler.nextSlice(record.schemaName)),
    );
    const entry: Entry = {
      compiled,
      vocabulary,
      unindexed,
      weight: 0,
      lexicon: built.then(({ lexicon }) => lexicon),
    };
    building.set(record.id, built);
    built
      .then(
        (item) => countSize(name, entry, item.weight),
        () => remove(name, entry),
      )
      .finally(() => {
        if (building.get(record.id) === built) building.delete(record.id);
      });
    return entry;
  }

  return {
    of(tenant, compiled, vocabulary) {
      const name = `${tenant.database.record.id} ${tenant.view.name}`;
      const known = entries.get(name);
      if (known !== undefined) remove(name, known);
      const isGood =
        known !== undefined &&
        known.compiled === compiled &&
        known.vocabulary === vocabulary &&
        known.unindexed === tenant.database.record.settings.unindexed_columns;
      const entry = isGood ? known : startBuild(name, tenant, compiled, vocabulary);
      entries.set(name, entry);
      weight += entry.weight;
      return entry.lexicon;
    },
  };
}

const ignore = (): void => undefined;

async function build(
  compiled: CompiledSnapshot,
  vocabulary: QuestionVocabulary,
  unindexed: UnindexedColumns,
  nextSlice: () => Promise<void>,
): Promise<{ readonly lexicon: Lexicon; readonly weight: number }> {
  const tables = await runStepsInSlices(listReadableSteps(compiled), nextSlice);
  const columns = new Map(
    tables.map((table) => [table.name, new Set(table.columns.map((column) => column.name))]),
  );
  const values = listReadableValues(tables, vocabulary, unindexed);
  const synonyms = vocabulary.synonyms.filter(
    (synonym) => synonym.column === null || columns.get(synonym.table)?.has(synonym.column) === true,
  );
  const lexicon = await runStepsInSlices(
    buildLexiconSteps({ snapshot: { ...compiled.snapshot, tables }, values, synonyms }),
    nextSlice,
  );
  return {
    lexicon,
    weight:
      values.reduce((sum, entry) => sum + entry.values.length, 0) +
      countLinks(lexicon.columns) +
      countLinks(lexicon.tables),
  };
}

function countLinks(index: ReadonlyMap<string, readonly unknown[]>): number {
  let count = 0;
  for (const links of index.values()) count += links.length;
  return count;
}
