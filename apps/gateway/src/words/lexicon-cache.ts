import { buildLexicon, type Lexicon } from '@rowhouse/nl-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import { listReadable } from '../pipeline/query/list-readable.js';
import type { Tenant } from '../tenant/tenant.js';
import { listReadableValues, type UnindexedColumns } from './list-readable-values.js';
import type { QuestionWords } from './question-words.js';

/** One lexicon for each database and set of rights that asks questions, made again when schema, rights or words change. */
export interface LexiconCache {
  of(tenant: Tenant, compiled: CompiledSnapshot, words: QuestionWords): Lexicon;
}

interface Entry {
  readonly compiled: CompiledSnapshot;
  readonly words: QuestionWords;
  readonly unindexed: UnindexedColumns;
  readonly lexicon: Lexicon;
  /** Values, and phrases for columns and tables, which is what a lexicon grows with. */
  readonly weight: number;
}

const WEIGHT_MAX = 400_000;

export function createLexiconCache(weightMax = WEIGHT_MAX): LexiconCache {
  /** In order of use. */
  const entries = new Map<string, Entry>();
  let weight = 0;

  function remove(name: string, entry: Entry): void {
    entries.delete(name);
    weight -= entry.weight;
  }

  return {
    of(tenant, compiled, words) {
      const name = `${tenant.database.record.id} ${tenant.view.name}`;
      const unindexed = tenant.database.record.settings.unindexed_columns;
      const known = entries.get(name);
      if (known !== undefined && known.compiled === compiled && known.words === words && known.unindexed === unindexed) {
        entries.delete(name);
        entries.set(name, known);
        return known.lexicon;
      }
      if (known !== undefined) remove(name, known);
      const made = makeEntry(compiled, words, unindexed);
      entries.set(name, made);
      weight += made.weight;
      for (const [other, entry] of entries) {
        if (weight <= weightMax || entry === made) break;
        remove(other, entry);
      }
      return made.lexicon;
    },
  };
}

function makeEntry(compiled: CompiledSnapshot, words: QuestionWords, unindexed: UnindexedColumns): Entry {
  const tables = listReadable(compiled);
  const columns = new Map(tables.map((table) => [table.name, new Set(table.columns.map((column) => column.name))]));
  const values = listReadableValues(tables, words, unindexed);
  const synonyms = words.synonyms.filter((synonym) => synonym.column === null || columns.get(synonym.table)?.has(synonym.column) === true);
  const lexicon = buildLexicon({ snapshot: { ...compiled.snapshot, tables }, values, synonyms });
  const weight = values.reduce((sum, entry) => sum + entry.values.length, 0) + countLinks(lexicon.columns) + countLinks(lexicon.tables);
  return { compiled, words, unindexed, lexicon, weight };
}

function countLinks(index: ReadonlyMap<string, readonly unknown[]>): number {
  let count = 0;
  for (const links of index.values()) count += links.length;
  return count;
}
