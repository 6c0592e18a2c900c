import { memoizeByObject } from '@rowhouse/schema-model';
import type { Lexicon } from '../lexicon/lexicon.js';
import type { Mention } from '../types.js';
import { toRoot } from '../words/inflect.js';
import { listDateWords } from '../words/verbs.js';
import { classifyParallelKey } from './parallel-keys.js';
import type { Edge } from './table-graph.js';

/** One of several possibilities. The lower its cost, the more probable it is. */
export interface Choice<T> {
  readonly cost: number;
  readonly value: T;
}

/**
 * The additional cost of a foreign key whose name expresses a role, as determined by `classifyParallelKey`.
 */
const ROLE_COST = 0.4;

const rankingsOf = memoizeByObject<
  readonly string[],
  WeakMap<readonly (readonly Edge[])[], readonly Choice<readonly Edge[]>[]>
>(() => new WeakMap());
const NO_TIE: readonly string[] = [];
/** The additional costs of the second, third and fourth join of a path. They are added. */
const [SECOND_JOIN_COST, THIRD_JOIN_COST, FOURTH_JOIN_COST] = [0.12, 0.2, 0.3];
/** The additional cost of a longer path than the shortest one. */
const DETOUR_COST = 0.3;
/** The additional cost of relating rows that only have a parent in common. */
const COUSIN_COST = 0.6;
/** The additional cost of each join without a declared foreign key. */
const GUESSED_JOIN_COST = 0.3;
/**
 * If words between the nouns name a path: its reduction in cost, and the additional cost of the other paths.
 */
const [NAMED_PATH_GAIN, UNNAMED_PATH_COST] = [0.35, 0.3];

/**
 * Returns the join paths between two tables with their costs. If words between the two nouns occur in the
 * names of tables or keys on a path, its cost is lower. The result is cached by paths and words.
 */
export function rankPaths(
  paths: readonly (readonly Edge[])[],
  mention: Mention | null,
  lexicon: Lexicon,
): readonly Choice<readonly Edge[]>[] {
  const tie = mention === null || mention.tie.length === 0 ? NO_TIE : mention.tie;
  const rankings = rankingsOf(tie);
  const known = rankings.get(paths);
  if (known !== undefined) return known;
  const ranked = listRanks(paths, tie, lexicon);
  rankings.set(paths, ranked);
  return ranked;
}

function listRanks(
  paths: readonly (readonly Edge[])[],
  ties: readonly string[],
  lexicon: Lexicon,
): Choice<readonly Edge[]>[] {
  const roots = new Set([...ties, ...ties.flatMap((word) => listDateWords(word) ?? [])].map(toRoot));
  const isNamed = (path: readonly Edge[]): boolean =>
    path.some((edge) => listEdgeRoots(edge, lexicon).some((root) => roots.has(root)));
  const isAnyNamed = roots.size > 0 && paths.some(isNamed);
  const shortest = Math.min(...paths.map((path) => path.length));
  return paths.map((path) => {
    const length =
      SECOND_JOIN_COST * Math.max(0, path.length - 1) +
      THIRD_JOIN_COST * Math.max(0, path.length - 2) +
      FOURTH_JOIN_COST * Math.max(0, path.length - 3) +
      (path.length > shortest ? DETOUR_COST : 0);
    // A path by a common parent is improbable, because questions rarely relate two child tables of the same
    // table.
    const cousins = path.some(
      (edge, index) => index > 0 && !edge.isToOne && path[index - 1]?.isToOne === true,
    )
      ? COUSIN_COST
      : 0;
    const guessed = GUESSED_JOIN_COST * path.filter((edge) => !edge.isDeclared).length;
    const roles = ROLE_COST * path.filter((edge) => classifyParallelKey(edge, lexicon) === 'role').length;
    return {
      value: path,
      cost:
        length +
        guessed +
        cousins +
        roles +
        (!isAnyNamed ? 0 : isNamed(path) ? -NAMED_PATH_GAIN : UNNAMED_PATH_COST),
    };
  });
}

const edgeRoots = new WeakMap<Edge, readonly string[]>();

/** Returns the roots of the words in the names of both tables and of the foreign key between them. */
function listEdgeRoots(edge: Edge, { columnWords, tableWords }: Lexicon): readonly string[] {
  const found = edgeRoots.get(edge);
  if (found !== undefined) return found;
  const keys = [
    ...edge.fromColumns.map((name) => edge.from.columns.find((column) => column.name === name)),
    ...edge.toColumns.map((name) => edge.to.columns.find((column) => column.name === name)),
  ];
  const words = [
    ...keys.flatMap((column) => (column === undefined ? [] : (columnWords.get(column) ?? []))),
    ...(tableWords.get(edge.from) ?? []),
    ...(tableWords.get(edge.to) ?? []),
  ];
  const roots = words.map(toRoot);
  edgeRoots.set(edge, roots);
  return roots;
}
