import { nameSnapshot } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { buildLexicon } from '../lexicon/build-lexicon.js';
import type { Mention } from '../types.js';
import { rankPaths } from './rank-paths.js';
import { PathBudget, type Edge } from './table-graph.js';

const id = rawColumn('id', 'int(11)');
const number = (name: string): typeof id => rawColumn(name, 'int(11)');
/**
 * In this schema, shipments are sent from one depot and received at another. Lorries belong to a depot only
 * by a column name, without a foreign key.
 */
const LEXICON = buildLexicon({
  snapshot: nameSnapshot(
    {
      engine: 'mariadb',
      tables: [
        rawTable('depots', [id, rawColumn('name', 'varchar(50)')]),
        rawTable('shipments', [id, number('sending_depot'), number('receiving_depot'), number('lorry_id')], {
          foreignKeys: [
            foreignKey('shipments', 'sending_depot', 'depots'),
            foreignKey('shipments', 'receiving_depot', 'depots'),
            foreignKey('shipments', 'lorry_id', 'lorries'),
          ],
        }),
        rawTable('lorries', [id, number('depots_id')]),
      ],
    },
    null,
  ),
  values: [],
  synonyms: [],
});

function findPaths(from: string, to: string): readonly (readonly Edge[])[] {
  const [first, last] = [from, to].map((name) =>
    LEXICON.snapshot.tables.find((table) => table.name === name),
  );
  if (first === undefined || last === undefined) throw new Error(`no ${from} or ${to}`);
  return LEXICON.graph.findPaths(first, last, new PathBudget());
}

/** Returns the cost of each path by its first column. `tie` contains the words between the two nouns. */
function rank(from: string, to: string, tie: readonly string[]): Record<string, number> {
  const mention: Mention = {
    links: [],
    parent: 0,
    negated: false,
    quantity: null,
    conditions: [],
    tie,
    isAlternative: false,
  };
  return Object.fromEntries(
    rankPaths(findPaths(from, to), mention, LEXICON).map(({ value, cost }) => [
      value[0]?.fromColumns[0] ?? '',
      cost,
    ]),
  );
}

describe('rankPaths', () => {
  it('the words between the nouns distinguish two paths of equal length', () => {
    const { sending_depot: sending = 0, receiving_depot: receiving = 0 } = rank('shipments', 'depots', [
      'received',
    ]);
    expect(receiving).toBeLessThan(sending - 0.5);
  });

  it('two paths of equal length have equal costs when no word selects one', () => {
    const ranked = rank('shipments', 'depots', ['with']);
    expect(ranked['sending_depot']).toBe(ranked['receiving_depot']);
  });

  it('a path over a declared foreign key costs less than one over a guessed join', () => {
    const [guessed, declared] = [rank('lorries', 'depots', []), rank('shipments', 'lorries', [])];
    expect(guessed['depots_id']).toBeCloseTo((declared['lorry_id'] ?? 0) + 0.3);
  });

  it('the paths between two tables are ranked once for the same words', () => {
    const paths = findPaths('shipments', 'depots');
    expect(rankPaths(paths, null, LEXICON)).toBe(rankPaths(paths, null, LEXICON));
  });
});
