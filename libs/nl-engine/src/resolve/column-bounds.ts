import { memoizeByObject, type Table } from '@rowhouse/schema-model';
import type { SchemaQuestion } from '../link/linked-question.js';
import { pushTo } from '../lexicon/multimap.js';
import type { ColumnLink, ColumnRef, Draft, Mention, ValueLink } from '../types.js';
import type { Bound } from './assignment.js';
import type { TableChoice } from './choose-tables.js';
import { findLabel } from './find-label.js';
import { isKindOf } from './parallel-keys.js';
import { type Choice, rankPaths } from './rank-paths.js';

/** The mentions from which the rows of a table can be reached. */
interface MentionLocations {
  /** The mentions to which each table is assigned. */
  readonly mentionsByTable: ReadonlyMap<Table, readonly number[]>;
  /**
   * For each table, the mentions for which it is on the path from their parent. In `students who took a
   * course in 2009`, the year may belong to a table on the path to the course.
   */
  readonly pathTables: ReadonlyMap<Table, readonly { readonly mention: number; readonly via: number }[]>;
}

/**
 * Returns for each table the mentions to which it is assigned, and the mentions for which it is on the path
 * from their parent.
 */
export function locateTables({ tables, paths }: TableChoice): MentionLocations {
  const mentionsByTable = new Map<Table, number[]>();
  const pathTables = new Map<Table, { mention: number; via: number }[]>();
  for (const [mention, table] of tables.entries()) pushTo(mentionsByTable, table, mention);
  for (const [mention, path] of paths.entries())
    for (let via = 0; via < path.length - 1; via += 1) {
      const table = path[via]?.to;
      if (table !== undefined) pushTo(pathTables, table, { mention, via });
    }
  return { mentionsByTable, pathTables };
}

const NONE: readonly never[] = [];

/** The additional cost of a column if its table is only on the path to a mention. */
const PATH_TABLE_COST = 0.2;
/**
 * The additional cost for each mention before that of a column for which the question names no rows. It is
 * added at most twice.
 */
const LATER_MENTION_COST = 0.3;
/**
 * The additional cost of a column from another mention than the one named, if that one has no such column.
 */
const SUBSTITUTE_MENTION_COST = 0.5;
/** The cost of a column for one of the two parts in a name, such as a first name. */
const NAME_PART_COST = 0.1;
/** The additional cost of a column on the path to another mention than the one named. */
const OTHER_PATH_COST = 0.2;
/** The additional costs of joining a column's table, by the kind of the path. */
const JOINED_COSTS = { child: 0.25, many: 1.3, part: 0.9, one: 0.7 };
/** The costs of a value in the rows of the named mention, and in the rows of another mention. */
const [OWN_VALUE_COST, OTHER_VALUE_COST] = [0.1, 0.4];
/** The additional cost of a value in a table that must be joined. */
const JOINED_VALUE_COST = 0.5;
/** The additional costs of a value in many joined rows: if one path leads there, and if several paths do. */
const [MANY_VALUES_COST, MANY_PATHS_COST] = [0.2, 0.9];

/**
 * The cost of a column in another table that describes the same rows. In `gymnasts by height`, the height may
 * be a column of people.
 */
const SELF_COST = 0.3;

/**
 * If the named mention has a column with this name, a column on a path is improbable, as in `the student
 * whose id is 7`. `OWN_COST` is the maximum cost of the mention's own column for which this applies.
 * `NOT_OWN_COST` is the additional cost of a column on a path.
 */
const [OWN_COST, NOT_OWN_COST] = [0.5, 0.6];

/**
 * The additional cost of a column of another mention if the named mention has one with this name. `names of
 * students who took a course` does not ask for the names of courses.
 */
const OTHER_MENTION_COST = 1;

/**
 * Returns the columns to which a reference may refer: in the rows of the named mention, in another mention,
 * in a table on a path, or in a table that can be reached by a few joins.
 */
export function listBounds(
  ref: ColumnRef,
  { tables }: TableChoice,
  locations: MentionLocations,
  findJoined: LinkFinder,
): Choice<Bound>[] {
  const owner = ref.owner === null ? undefined : tables[ref.owner];
  const isOwned =
    owner !== undefined &&
    (ref.links.some((other) => other.table === owner && other.cost < OWN_COST) ||
      (ref.isName === true && findLabel(owner).every((column) => column.valueKind === 'string')));
  const start = tables[ref.owner ?? 0];
  const joinedLinks = start === undefined ? null : findJoined(ref, start);
  const found: Choice<Bound>[] = [];
  for (const link of ref.links) {
    const mentionsByTable = locations.mentionsByTable.get(link.table) ?? NONE;
    for (const mention of mentionsByTable) {
      const mentionCost =
        ref.owner === mention
          ? 0
          : ref.owner === null
            ? LATER_MENTION_COST * Math.min(mention, 2)
            : isOwned
              ? OTHER_MENTION_COST
              : SUBSTITUTE_MENTION_COST;
      const label = ref.isName === true && link.isPart === true ? findLabel(link.table) : [];
      const cost =
        label.length === 2 && label[0] === link.column
          ? NAME_PART_COST
          : link.cost + (ref.isName === true && isForeign(link) ? FOREIGN_NAME_COST : 0);
      found.push({
        cost: cost + mentionCost,
        value: { mention, path: [], via: null, table: link.table, column: link.column, value: null },
      });
    }
    if (mentionsByTable.length > 0) continue;
    const pathMentions = locations.pathTables.get(link.table) ?? NONE;
    for (const { mention, via } of pathMentions)
      found.push({
        cost:
          link.cost +
          PATH_TABLE_COST +
          (isOwned ? NOT_OWN_COST : 0) +
          (ref.owner === null || ref.owner === mention ? 0 : OTHER_PATH_COST),
        value: { mention, path: [], via, table: link.table, column: link.column, value: null },
      });
    if (pathMentions.length === 0 && joinedLinks !== null) found.push(...joinedLinks(link));
  }
  return [...found, ...listLabelBounds(ref, found, tables)];
}

/**
 * Returns a function that finds columns in joined tables. It caches them by reference, start table and link.
 */
export function cacheJoinedBounds(draft: Draft, question: SchemaQuestion): LinkFinder {
  const fromOf = memoizeByObject((ref: ColumnRef) =>
    memoizeByObject((start: Table) =>
      memoizeByObject((link: ColumnLink) =>
        link.isPart === true && !isDistinctPart(link, ref)
          ? NONE
          : listJoinedBounds(ref, link, start, draft.mentions[ref.owner ?? 0] ?? null, question),
      ),
    ),
  );
  return (ref, start) => fromOf(ref)(start);
}

function listJoinedBounds(
  ref: ColumnRef,
  link: ColumnLink,
  start: Table,
  mention: Mention | null,
  { lexicon, budget }: SchemaQuestion,
): readonly Choice<Bound>[] {
  return rankPaths(lexicon.graph.findPaths(start, link.table, budget), mention, lexicon).flatMap((path) => {
    const isMany = path.value.some((edge) => !edge.isToOne);
    // A column of several rows that matches only a part of the words must be aggregated, as in `the total
    // yield for each orchard`.
    if (isMany && link.isPart === true && ref.isChildColumn !== true) return [];
    const isSameRow = path.value.length === 1 && !isMany && isKindOf(start, link.table, lexicon);
    const joinedCost = isSameRow
      ? SELF_COST
      : isMany
        ? ref.isChildColumn === true
          ? JOINED_COSTS.child
          : JOINED_COSTS.many
        : link.isPart === true
          ? JOINED_COSTS.part
          : JOINED_COSTS.one;
    return [
      {
        cost: link.cost + path.cost + joinedCost,
        value: {
          mention: ref.owner ?? 0,
          path: path.value,
          via: null,
          table: link.table,
          column: link.column,
          value: null,
        },
      },
    ];
  });
}

/**
 * The additional cost of a foreign key for `name`. `the names of the courses` does not ask for their foreign
 * key `dept_name`.
 */
const FOREIGN_NAME_COST = 0.6;

function isForeign({ table, column }: ColumnLink): boolean {
  return table.foreignKeys.some((key) => key.columns.includes(column.name));
}

/**
 * Bounds for a part of a name in a table that the question does not mention: the maximum cost of its link,
 * and the minimum difference to the costs of links to other tables.
 */
const [DISTINCT_PART_COST, DISTINCT_PART_LEAD] = [0.8, 0.3];

function isDistinctPart({ table, cost }: ColumnLink, { links }: ColumnRef): boolean {
  return (
    cost < DISTINCT_PART_COST &&
    links.every((other) => other.table === table || other.cost > cost + DISTINCT_PART_LEAD)
  );
}

const LABEL_COST = 0.3;

/** Returns the label of the rows for `name` if none of their columns is called a name. */
function listLabelBounds(
  ref: ColumnRef,
  found: readonly Choice<Bound>[],
  tables: readonly Table[],
): Choice<Bound>[] {
  const mention = ref.owner ?? 0;
  const table = tables[mention];
  if (
    ref.isName !== true ||
    table === undefined ||
    found.some(
      (choice) => choice.value.mention === mention && choice.value.path.length === 0 && choice.cost < 0.8,
    )
  )
    return [];
  const [column] = findLabel(table);
  if (column === undefined || column.valueKind !== 'string') return [];
  return [{ cost: LABEL_COST, value: { mention, path: [], via: null, table, column, value: null } }];
}

/** Returns the columns to which a value without a column name may belong. */
export function listValueBounds(
  links: readonly ValueLink[],
  owner: number,
  { tables }: TableChoice,
  locations: MentionLocations,
  { lexicon, budget }: SchemaQuestion,
): Choice<Bound>[] {
  const found: Choice<Bound>[] = [];
  for (const link of links) {
    const base = { table: link.table, column: link.column, value: link.value };
    const mentionsByTable = locations.mentionsByTable.get(link.table) ?? NONE;
    for (const mention of mentionsByTable)
      found.push({
        cost: link.cost + (mention === owner ? OWN_VALUE_COST : OTHER_VALUE_COST),
        value: { ...base, mention, path: [], via: null },
      });
    const pathMentions = mentionsByTable.length > 0 ? NONE : (locations.pathTables.get(link.table) ?? NONE);
    for (const { mention, via } of pathMentions)
      found.push({
        cost: link.cost + OWN_VALUE_COST + PATH_TABLE_COST + (mention === owner ? 0 : OTHER_PATH_COST),
        value: { ...base, mention, path: [], via },
      });
    const start = tables[owner];
    if (mentionsByTable.length > 0 || pathMentions.length > 0 || start === undefined) continue;
    const paths = rankPaths(lexicon.graph.findPaths(start, link.table, budget), null, lexicon);
    for (const path of paths) {
      if (path.value.length === 0) continue;
      // A value alone does not determine one of several paths to many rows.
      const many = path.value.some((edge) => !edge.isToOne)
        ? paths.length > 1
          ? MANY_PATHS_COST
          : MANY_VALUES_COST
        : 0;
      found.push({
        cost: link.cost + path.cost + JOINED_VALUE_COST + many,
        value: { ...base, mention: owner, path: path.value, via: null },
      });
    }
  }
  return found;
}

/**
 * Finds the columns for a reference in tables that the question does not mention, joined from the table
 * `start`.
 */
export type LinkFinder = (ref: ColumnRef, start: Table) => (link: ColumnLink) => readonly Choice<Bound>[];
