import { doSteps, nameSnapshot, type Snapshot, type Table } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { buildGraphSteps, PathBudget, type Edge, type TableGraph } from './table-graph.js';

const buildGraph = (snapshot: Snapshot): TableGraph => doSteps(buildGraphSteps(snapshot, () => true));

const id = rawColumn('id', 'int(11)');
const [trips, stations, bikes] = [
  rawTable('trips', [
    id,
    rawColumn('start_station_id', 'int(11)'),
    rawColumn('end_station_id', 'int(11)'),
    rawColumn('bike_id', 'int(11)'),
  ]),
  rawTable('stations', [id]),
  rawTable('bikes', [id]),
];

it('foreign keys are guessed from column names, including names with a role', () => {
  const snapshot = nameSnapshot({ engine: 'mariadb', tables: [trips, stations, bikes] }, null);
  const graph = buildGraph(snapshot);
  const find = (name: string): (typeof snapshot.tables)[number] | undefined =>
    snapshot.tables.find((table) => table.name === name);
  const keysTo = (name: string): string[] => {
    const [from, to] = [find('trips'), find(name)];
    return from === undefined || to === undefined
      ? []
      : graph
          .findPaths(from, to, new PathBudget())
          .flatMap((path) => path.flatMap((edge) => edge.fromColumns));
  };
  expect(keysTo('stations')).toEqual(['start_station_id', 'end_station_id']);
  expect(keysTo('bikes')).toEqual(['bike_id']);
});

/**
 * Returns every path of at most four joins that contains no table twice and has at most one join more than
 * the shortest path.
 */
function findAll({ edges }: TableGraph, from: Table, to: Table): readonly (readonly Edge[])[] {
  const found: (readonly Edge[])[] = [];
  let front: (readonly Edge[])[] = [[]];
  for (let step = 0; step < 4; step += 1) {
    front = front.flatMap((path) =>
      (edges.get(path.at(-1)?.to ?? from) ?? [])
        .filter((edge) => edge.to !== from && path.every((earlier) => earlier.to !== edge.to))
        .map((edge) => [...path, edge]),
    );
    found.push(...front.filter((path) => path.at(-1)?.to === to));
    front = front.filter((path) => path.at(-1)?.to !== to);
  }
  return found.filter((path) => path.length <= (found[0]?.length ?? 0) + 1).slice(0, 6);
}

it('findPaths returns the same paths as an exhaustive search', () => {
  let compared = 0;
  for (let seed = 1; seed <= 40; seed += 1) {
    const count = 5 + (seed % 4);
    const tables = Array.from({ length: count }, (_, index) => {
      const keys = [1, 2]
        .map((many) => (index * seed * many + seed + many) % count)
        .filter((target) => target !== index);
      return rawTable(`t${index}`, [id, ...keys.map((_, key) => rawColumn(`k${index}x${key}`, 'int(11)'))], {
        foreignKeys: keys.map((target, key) => foreignKey(`t${index}`, `k${index}x${key}`, `t${target}`)),
      });
    });
    const { tables: named } = nameSnapshot({ engine: 'mariadb', tables }, null);
    const graph = buildGraph({ format: 1, engine: 'mariadb', tables: named });
    for (const from of named)
      for (const to of named) {
        if (from === to) continue;
        compared += 1;
        expect(
          graph.findPaths(from, to, new PathBudget()),
          `seed ${seed}, ${from.name} to ${to.name}`,
        ).toEqual(findAll(graph, from, to));
      }
  }
  expect(compared).toBeGreaterThan(1_000);
});

it('PathBudget ends the path searches of a question and also counts cached paths', () => {
  const keys = Array.from({ length: 25 }, (_, index) => index);
  const tables = Array.from({ length: 200 }, (_, index) =>
    rawTable(`t${index}`, [id, ...keys.map((key) => rawColumn(`k${key}`, 'int(11)'))], {
      foreignKeys: keys.map((key) =>
        foreignKey(`t${index}`, `k${key}`, `t${(index * 31 + key * 17 + 1) % 200}`),
      ),
    }),
  );
  const { tables: named } = nameSnapshot({ engine: 'mariadb', tables }, null);
  const graph = buildGraph({ format: 1, engine: 'mariadb', tables: named });
  const countFound = (budget: PathBudget): number =>
    named.slice(0, 12).flatMap((from) => named.filter((to) => graph.findPaths(from, to, budget).length > 0))
      .length;
  const [budget, nextBudget, unused] = [new PathBudget(), new PathBudget(), new PathBudget()];
  const [first, again] = [countFound(budget), countFound(nextBudget)];
  expect([first > 0, first < 12 * 200, again, nextBudget.isSpent]).toEqual([true, true, first, true]);
  expect(graph.findPaths(named[0] as Table, named[1] as Table, unused).length).toBeGreaterThan(0);
  expect(unused.isSpent).toBe(false);
});

it('a search costs the same whether earlier searches began at its table or not', () => {
  const tables = Array.from({ length: 12 }, (_, index) =>
    rawTable(`t${index}`, [id, rawColumn('k', 'int(11)'), rawColumn('j', 'int(11)')], {
      foreignKeys: [
        foreignKey(`t${index}`, 'k', `t${(index * 5 + 1) % 12}`),
        foreignKey(`t${index}`, 'j', `t${(index * 7 + 2) % 12}`),
      ],
    }),
  );
  const { tables: named } = nameSnapshot({ engine: 'mariadb', tables }, null);
  const graph = (): TableGraph => buildGraph({ format: 1, engine: 'mariadb', tables: named });
  const costOf = (searched: TableGraph, from: Table, to: Table): number => {
    const budget = new PathBudget();
    searched.findPaths(from, to, budget);
    return budget.left;
  };
  const [first, ...others] = named as [Table, ...Table[]];
  const warm = graph();
  for (const to of others) costOf(warm, first, to);
  for (const to of others) {
    const cold = costOf(graph(), first, to);
    expect([costOf(warm, first, to), costOf(warm, first, to)], to.name).toEqual([cold, cold]);
  }
});
