import type { Column, Table } from '@rowhouse/schema-model';
import { rememberOf } from '../grammar/reader.js';
import type { Lexicon } from '../lexicon/build-lexicon.js';
import { toValueKey } from '../lexicon/index-values.js';
import type {
  ColumnLink,
  ColumnRef,
  Condition,
  Draft,
  Literal,
  Mention,
  TableLink,
  ValueLink,
} from '../types.js';
import { findLabel } from './find-label.js';
import { fitsLiteral } from './fits-literal.js';
import { isKindOf } from './is-kind-of.js';
import { listRanked } from './list-ranked.js';
import { rankPaths, type Choice } from './rank-paths.js';
import { listRefs, listValueConditions } from './list-refs.js';
import type { Edge } from './table-graph.js';

/** A column of the rows of a mention, or of rows at the end of a path from there. */
export interface Bound {
  readonly mention: number;
  readonly path: readonly Edge[];
  /**
   * The index of the path step whose target table holds the column, when it is
   * a table between the parent and the mention. Null means the end of the path.
   */
  readonly via: number | null;
  readonly table: Table;
  readonly column: Column;
  /** The stored value, for a value without a column name. */
  readonly value: string | null;
}

/** One possible assignment of all names in a draft. */
export interface Assignment {
  readonly draft: Draft;
  readonly cost: number;
  readonly tables: readonly Table[];
  /** The path from the table of the parent to that of each mention. */
  readonly paths: readonly (readonly Edge[])[];
  readonly columns: ReadonlyMap<ColumnRef, Bound>;
  readonly values: ReadonlyMap<Condition, Bound>;
}

const TABLES_MAX = 12;
const ASSIGNMENTS_MAX = 24;
/** The maximum additional cost over the best choice for the same name. */
const SPREAD = 0.8;

/** Returns the plausible assignments of the names in a draft, cheapest first. */
export function assign(draft: Draft, cost: number, lexicon: Lexicon): Assignment[] {
  const rooted = addRoot(draft);
  if (rooted === null) return [];
  const names: Names = {
    refs: listRefs(rooted),
    literals: collectLiterals(rooted),
    values: listValueConditions(rooted),
    away: rememberAway(rooted, lexicon),
  };
  const found: Assignment[] = [];
  for (const { tables, paths, cost: tableCost } of chooseTables(rooted, lexicon)) {
    found.push(...chooseColumns(rooted, names, { tables, paths, cost: cost + tableCost }, lexicon));
  }
  return found.sort((a, b) => a.cost - b.cost).slice(0, ASSIGNMENTS_MAX);
}

/** Adds a main mention when the draft names only columns. It is a table that has all of these columns. */
function addRoot(draft: Draft): Draft | null {
  if (draft.mentions.length > 0) return draft;
  const refs = listRefs(draft);
  const [first] = refs;
  if (first === undefined) return null;
  const best = new Map<Table, TableLink>();
  for (const link of first.links) {
    const known = best.get(link.table);
    // `document types` more likely refers to the table with that key than to a table that references it.
    const isOwn = link.table.foreignKeys.every((key) => !key.columns.includes(link.column.name));
    if (known === undefined || link.cost < known.cost)
      best.set(link.table, { table: link.table, cost: isOwn ? 0.3 : 0.4 });
  }
  const links = [...best.values()].filter(({ table }) =>
    refs.every((ref) => ref.links.length === 0 || ref.links.some((link) => link.table === table)),
  );
  if (links.length === 0) return null;
  return {
    ...draft,
    mentions: [
      { links, parent: -1, negated: false, quantity: null, conditions: [], tie: [], isAlternative: false },
    ],
    focus: 0,
  };
}

/** The names in a draft other than its tables. */
interface Names {
  readonly refs: readonly ColumnRef[];
  /** The literals that each column is compared with. */
  readonly literals: ReadonlyMap<ColumnRef, readonly Literal[]>;
  readonly values: readonly (Condition & { readonly kind: 'value' })[];
  readonly away: LinkFinder;
}

interface TableChoice {
  readonly tables: readonly Table[];
  readonly paths: readonly (readonly Edge[])[];
  readonly cost: number;
}

function chooseTables(draft: Draft, lexicon: Lexicon): TableChoice[] {
  let front: TableChoice[] = [{ tables: [], paths: [], cost: 0 }];
  for (const mention of draft.mentions) {
    front = front.flatMap((choice) =>
      mention.links.flatMap((link) => extend(choice, mention, link, lexicon)),
    );
    front.sort((a, b) => a.cost - b.cost);
    front = front.slice(0, TABLES_MAX);
  }
  return front;
}

function extend(choice: TableChoice, mention: Mention, link: TableLink, lexicon: Lexicon): TableChoice[] {
  const cost = choice.cost + link.cost;
  const parent = choice.tables[mention.parent];
  if (parent === undefined)
    return [{ tables: [...choice.tables, link.table], paths: [...choice.paths, []], cost }];
  const found = lexicon.graph.findPaths(parent, link.table);
  if (mention.twinOf !== undefined) return extendByDuplicate(choice, mention.twinOf, link, parent);
  if (parent === link.table) {
    const self = (lexicon.graph.edges.get(parent) ?? []).filter((edge) => edge.to === parent);
    return self.map((edge) => ({
      tables: [...choice.tables, link.table],
      paths: [...choice.paths, [edge]],
      cost: cost + 0.6,
    }));
  }
  return rankPaths(found, mention, lexicon).map(({ value, cost: pathCost }) => ({
    tables: [...choice.tables, link.table],
    paths: [...choice.paths, value],
    cost: cost + pathCost,
  }));
}

/**
 * Relates rows of the same table by a shared column.
 * The primary key is excluded, since it would give the row itself.
 */
function extendByDuplicate(
  choice: TableChoice,
  { links }: ColumnRef,
  link: TableLink,
  parent: Table,
): TableChoice[] {
  const shared = links.filter(
    ({ table, column }) => table === parent && table.primaryKey?.includes(column.name) !== true,
  );
  if (parent !== link.table) return [];
  return shared.map(({ column, cost }) => ({
    tables: [...choice.tables, link.table],
    paths: [
      ...choice.paths,
      [
        {
          from: parent,
          to: parent,
          fromColumns: [column.name],
          toColumns: [column.name],
          isToOne: false,
          isDeclared: true,
        },
      ],
    ],
    cost: choice.cost + link.cost + cost,
  }));
}

function chooseColumns(
  draft: Draft,
  { refs, literals, values, away }: Names,
  choice: TableChoice,
  lexicon: Lexicon,
): Assignment[] {
  const { tables, paths, cost } = choice;
  const locations = listPlaces(choice);
  let front: readonly Choice<NameBinding>[] = [{ cost, value: null }];
  for (const ref of refs) {
    const compared = literals.get(ref) ?? [];
    const fitting = listBounds(ref, choice, locations, away).filter(({ value }) =>
      compared.every((literal) => fitsLiteral(value.column, literal)),
    );
    front = extendNamed(
      front,
      ref,
      keepClose(
        fitting.map((bound) => ({
          ...bound,
          cost: bound.cost + costOfStrangers(lexicon, bound.value.column, compared),
        })),
      ),
    );
  }
  for (const condition of values)
    front = extendNamed(
      front,
      condition,
      keepClose(listValueBounds(condition.links, condition.owner ?? 0, choice, locations, lexicon)),
    );
  return front.map((choice) => {
    const assignment = { draft, cost: choice.cost, tables, paths, ...toMaps(choice.value) };
    return {
      ...assignment,
      cost:
        choice.cost +
        EMPTY_COST * countEmpty(assignment) +
        TWICE_COST * countTwice(assignment) -
        SHARED_GAIN * countShared(assignment),
    };
  });
}

/** A linked list of the assigned names, last one first. */
type NameBinding = {
  readonly name: ColumnRef | Condition;
  readonly bound: Bound;
  readonly before: NameBinding;
} | null;

/** Combines every partial assignment with every choice for the next name, and keeps the cheapest ones. */
function extendNamed(
  front: readonly Choice<NameBinding>[],
  name: ColumnRef | Condition,
  choices: readonly Choice<Bound>[],
): readonly Choice<NameBinding>[] {
  const next = front.flatMap((item) =>
    choices.map((choice) => ({
      cost: item.cost + choice.cost,
      value: { name, bound: choice.value, before: item.value },
    })),
  );
  return next.sort((a, b) => a.cost - b.cost).slice(0, ASSIGNMENTS_MAX);
}

function toMaps(named: NameBinding): Pick<Assignment, 'columns' | 'values'> {
  const taken: NonNullable<NameBinding>[] = [];
  for (let at = named; at !== null; at = at.before) taken.push(at);
  const [columns, values] = [new Map<ColumnRef, Bound>(), new Map<Condition, Bound>()];
  for (const { name, bound } of taken.reverse()) {
    if ('kind' in name) values.set(name, bound);
    else columns.set(name, bound);
  }
  return { columns, values };
}

/** The discount for a further column on the same path. */
const SHARED_GAIN = 0.5;

function countShared({ columns, values, tables }: Assignment): number {
  if (columns.size + values.size < 2) return 0;
  const away = [...columns].filter(
    ([ref]) => ref.isBehind !== true && !ref.links.some((link) => tables.includes(link.table)),
  );
  const methods = [...away.map(([, bound]) => bound), ...values.values()]
    .filter((bound) => bound.path.length > 0)
    .map(
      (bound) =>
        `${bound.mention}>${bound.path.map((edge) => `${edge.fromColumns.join()}:${edge.to.name}`).join('>')}`,
    );
  return methods.length - new Set(methods).size;
}

/**
 * The extra cost of showing the same column for two names, since
 * `names of actors and names of their musicals` asks for two columns.
 */
const TWICE_COST = 0.5;

function countTwice({ draft, columns }: Assignment): number {
  if (draft.targets.length === 1) return 0;
  const visible = draft.targets.flatMap((target) =>
    target.kind === 'column' && target.fn === null ? [columns.get(target.column)] : [],
  );
  return visible.filter((bound, index) =>
    visible
      .slice(0, index)
      .some(
        (other) =>
          other !== undefined &&
          other.column === bound?.column &&
          other.mention === bound.mention &&
          other.path.length === bound.path.length,
      ),
  ).length;
}

/**
 * The extra cost of a relationship when it holds for every row, such as the customer of an order.
 * It is rarely meant as a filter.
 */
const EMPTY_COST = 0.5;

function countEmpty({ draft, paths, columns, values }: Assignment): number {
  if (draft.mentions.length === 1) return 0;
  const used = new Set([
    ...[...columns.values(), ...values.values()].map((bound) => bound.mention),
    ...listRanked(draft),
  ]);
  for (const target of draft.targets) if (target.kind !== 'column') used.add(target.mention);
  for (const group of draft.groups) if (group.kind === 'rows') used.add(group.mention);
  for (const { key } of draft.orders) if (key.kind === 'count') used.add(key.mention);
  for (const mention of draft.mentions) used.add(mention.parent);
  return draft.mentions.filter(
    (mention, index) =>
      index > 0 &&
      !used.has(index) &&
      !mention.negated &&
      mention.quantity === null &&
      mention.conditions.length === 0 &&
      (paths[index] ?? []).every((edge) => edge.isToOne && edge.isDeclared),
  ).length;
}

function keepClose<T>(choices: Choice<T>[]): Choice<T>[] {
  choices.sort((a, b) => a.cost - b.cost);
  const best = choices[0]?.cost ?? 0;
  return choices.filter((choice) => choice.cost <= best + SPREAD).slice(0, 4);
}

/** The places of the tables in an assignment. */
interface MentionLocations {
  /** The mentions of each table. */
  readonly homes: ReadonlyMap<Table, readonly number[]>;
  /**
   * For each table, the mentions whose path leads over it.
   * In `students who took a course in 2009`, the year may belong to a table on the path to the course.
   */
  readonly waysides: ReadonlyMap<Table, readonly { readonly mention: number; readonly via: number }[]>;
}

function listPlaces({ tables, paths }: TableChoice): MentionLocations {
  const homes = new Map<Table, number[]>();
  const waysides = new Map<Table, { mention: number; via: number }[]>();
  for (const [mention, table] of tables.entries()) push(homes, table, mention);
  for (const [mention, path] of paths.entries())
    for (let via = 0; via < path.length - 1; via += 1) {
      const table = path[via]?.to;
      if (table !== undefined) push(waysides, table, { mention, via });
    }
  return { homes, waysides };
}

function push<T>(map: Map<Table, T[]>, table: Table, entry: T): void {
  const list = map.get(table);
  if (list === undefined) map.set(table, [entry]);
  else list.push(entry);
}

const NOWHERE: readonly never[] = [];

const WAYSIDE_COST = 0.2;
/**
 * The cost of a column in a table of the same rows, as in `gymnasts by height` when people have the height.
 */
const SELF_COST = 0.3;

/**
 * In `the student whose id is 7`, the id refers to the student.
 * `OWN_COST` is the maximum cost of an own column, and `NOT_OWN_COST` the extra cost of a column on the path.
 */
const [OWN_COST, NOT_OWN_COST] = [0.5, 0.6];
/**
 * The extra cost of another mention, since
 * `names of students who took a course` does not ask for names of courses.
 */
const AWAY_COST = 1;

/**
 * Returns the possible columns for a reference: in the rows of its
 * owner, in another mention, in a table on a path, or a few joins away.
 */
function listBounds(
  ref: ColumnRef,
  { tables }: TableChoice,
  locations: MentionLocations,
  away: LinkFinder,
): Choice<Bound>[] {
  const owner = ref.owner === null ? undefined : tables[ref.owner];
  const isOwned =
    owner !== undefined &&
    (ref.links.some((other) => other.table === owner && other.cost < OWN_COST) ||
      (ref.isName === true && findLabel(owner).every((column) => column.valueKind === 'string')));
  const start = tables[ref.owner ?? 0];
  const linksAway = start === undefined ? null : away(ref, start);
  const found: Choice<Bound>[] = [];
  for (const link of ref.links) {
    const homes = locations.homes.get(link.table) ?? NOWHERE;
    for (const mention of homes) {
      const otherwise =
        ref.owner === mention
          ? 0
          : ref.owner === null
            ? 0.3 * Math.min(mention, 2)
            : isOwned
              ? AWAY_COST
              : 0.5;
      const label = ref.isName === true && link.isPart === true ? findLabel(link.table) : [];
      const cost =
        label.length === 2 && label[0] === link.column
          ? 0.1
          : link.cost + (ref.isName === true && isForeign(link) ? FOREIGN_NAME_COST : 0);
      found.push({
        cost: cost + otherwise,
        value: { mention, path: [], via: null, table: link.table, column: link.column, value: null },
      });
    }
    if (homes.length > 0) continue;
    const wayside = locations.waysides.get(link.table) ?? NOWHERE;
    for (const { mention, via } of wayside)
      found.push({
        cost:
          link.cost +
          WAYSIDE_COST +
          (isOwned ? NOT_OWN_COST : 0) +
          (ref.owner === null || ref.owner === mention ? 0 : 0.2),
        value: { mention, path: [], via, table: link.table, column: link.column, value: null },
      });
    if (wayside.length === 0 && linksAway !== null) found.push(...linksAway(link));
  }
  return [...found, ...listLabelBounds(ref, found, tables)];
}

/** Finds the columns of a reference in tables that are not mentioned, starting from a table. */
type LinkFinder = (ref: ColumnRef, start: Table) => (link: ColumnLink) => readonly Choice<Bound>[];

/** Caches the columns for each start table of a draft. */
function rememberAway(draft: Draft, lexicon: Lexicon): LinkFinder {
  const fromOf = rememberOf((ref: ColumnRef) =>
    rememberOf((start: Table) =>
      rememberOf((link: ColumnLink) =>
        link.isPart === true && !isLonePart(link, ref)
          ? NOWHERE
          : listAwayBounds(ref, link, start, draft.mentions[ref.owner ?? 0] ?? null, lexicon),
      ),
    ),
  );
  return (ref, start) => fromOf(ref)(start);
}

function listAwayBounds(
  ref: ColumnRef,
  link: ColumnLink,
  start: Table,
  mention: Mention | null,
  lexicon: Lexicon,
): readonly Choice<Bound>[] {
  return rankPaths(lexicon.graph.findPaths(start, link.table), mention, lexicon).flatMap((path) => {
    const isMany = path.value.some((edge) => !edge.isToOne);
    // A partial name is only accepted for an aggregate, as in `the total yield for each orchard`.
    if (isMany && link.isPart === true && ref.isBehind !== true) return [];
    const isSelf = path.value.length === 1 && !isMany && isKindOf(start, link.table, lexicon);
    const away = isSelf
      ? SELF_COST
      : isMany
        ? ref.isBehind === true
          ? 0.25
          : 1.3
        : link.isPart === true
          ? 0.9
          : 0.7;
    return [
      {
        cost: link.cost + path.cost + away,
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
 * The extra cost of a name in a foreign key.
 * `the names of the courses` does not refer to a `dept_name` of courses.
 */
const FOREIGN_NAME_COST = 0.6;

function isForeign({ table, column }: ColumnLink): boolean {
  return table.foreignKeys.some((key) => key.columns.includes(column.name));
}

/**
 * The maximum cost of a partial name in a table that is not
 * mentioned, and its minimum distance to names in other tables.
 */
const [LONE_PART_COST, LONE_PART_LEAD] = [0.8, 0.3];

function isLonePart({ table, cost }: ColumnLink, { links }: ColumnRef): boolean {
  return (
    cost < LONE_PART_COST &&
    links.every((other) => other.table === table || other.cost > cost + LONE_PART_LEAD)
  );
}

const LABEL_COST = 0.3;

/** Returns the label of rows for `names of aircraft` when no column is called a name. */
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

function listValueBounds(
  links: readonly ValueLink[],
  owner: number,
  { tables }: TableChoice,
  locations: MentionLocations,
  lexicon: Lexicon,
): Choice<Bound>[] {
  const found: Choice<Bound>[] = [];
  for (const link of links) {
    const base = { table: link.table, column: link.column, value: link.value };
    const homes = locations.homes.get(link.table) ?? NOWHERE;
    for (const mention of homes)
      found.push({
        cost: link.cost + (mention === owner ? 0.1 : 0.4),
        value: { ...base, mention, path: [], via: null },
      });
    const wayside = homes.length > 0 ? NOWHERE : (locations.waysides.get(link.table) ?? NOWHERE);
    for (const { mention, via } of wayside)
      found.push({
        cost: link.cost + 0.1 + WAYSIDE_COST + (mention === owner ? 0 : 0.2),
        value: { ...base, mention, path: [], via },
      });
    const start = tables[owner];
    if (homes.length > 0 || wayside.length > 0 || start === undefined) continue;
    const methods = rankPaths(lexicon.graph.findPaths(start, link.table), null, lexicon);
    for (const path of methods) {
      if (path.value.length === 0) continue;
      // A value alone does not say which of several paths to many rows to use.
      const many = path.value.some((edge) => !edge.isToOne) ? (methods.length > 1 ? 0.9 : 0.2) : 0;
      found.push({
        cost: link.cost + path.cost + 0.5 + many,
        value: { ...base, mention: owner, path: path.value, via: null },
      });
    }
  }
  return found;
}

/** Returns the extra cost of texts outside the known values of the column. */
function costOfStrangers(lexicon: Lexicon, column: Column, literals: readonly Literal[]): number {
  const known = lexicon.valuesOf.get(column);
  if (known === undefined) return 0;
  return literals.some((literal) => literal.kind === 'text' && !known.has(toValueKey(literal.text)))
    ? 0.9
    : 0;
}

/** Returns the literals that each column is compared with. */
function collectLiterals(draft: Draft): ReadonlyMap<ColumnRef, readonly Literal[]> {
  const found = new Map<ColumnRef, Literal[]>();
  const add = (ref: ColumnRef, literal: Literal): void =>
    void found.set(ref, [...(found.get(ref) ?? []), literal]);
  const visit = (condition: Condition): void => {
    if (condition.kind === 'compare') add(condition.column, condition.value);
    else if (condition.kind === 'between')
      [condition.low, condition.high].forEach((literal) => {
        add(condition.column, literal);
      });
    else if (condition.kind === 'toAggregate') {
      add(condition.column, { kind: 'number', value: 0 });
      condition.where.forEach(visit);
    } else if (condition.kind === 'any' || condition.kind === 'all') condition.parts.forEach(visit);
  };
  for (const mention of draft.mentions) mention.conditions.forEach(visit);
  return found;
}
