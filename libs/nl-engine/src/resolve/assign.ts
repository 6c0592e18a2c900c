import type { Column, Table } from '@rowhouse/schema-model';
import { toValueKey, type Lexicon } from '../lexicon/build-lexicon.js';
import type { ColumnLink, ColumnRef, Condition, Draft, Literal, Mention, TableLink, ValueLink } from '../types.js';
import { toRoot } from '../words/inflect.js';
import { listDateWords } from '../words/verbs.js';
import { findLabel } from './find-label.js';
import { fitsLiteral } from './fits-literal.js';
import { isKindOf } from './is-kind-of.js';
import { listRanked } from './list-ranked.js';
import { findParallel } from './parallel-keys.js';
import { listRefs, listValueConditions } from './list-refs.js';
import type { Edge } from './table-graph.js';

/** A column of the rows of a mention, or of rows that a path leads to from there. */
export interface Bound {
  readonly mention: number;
  readonly path: readonly Edge[];
  /** The column is in a table on the way to the mention: the end of this step of its path. Null: where the path ends. */
  readonly via: number | null;
  readonly table: Table;
  readonly column: Column;
  /** As it is stored, for a value that was named without its column. */
  readonly value: string | null;
}

/** One way to take every name of a draft. */
export interface Assignment {
  readonly draft: Draft;
  readonly cost: number;
  readonly tables: readonly Table[];
  /** From the parent's table to the mention's own. */
  readonly paths: readonly (readonly Edge[])[];
  readonly columns: ReadonlyMap<ColumnRef, Bound>;
  readonly values: ReadonlyMap<Condition, Bound>;
}

interface Choice<T> {
  readonly cost: number;
  readonly value: T;
}

const TABLES_MAX = 12;
const ASSIGNMENTS_MAX = 24;
/** Readings that cost so much more than the best of their kind are not followed. */
const SPREAD = 0.8;

/** Every sensible way to take the names of a draft, cheapest first. */
export function assign(draft: Draft, cost: number, lexicon: Lexicon): Assignment[] {
  const rooted = addRoot(draft);
  if (rooted === null) return [];
  const found: Assignment[] = [];
  for (const { tables, paths, cost: tableCost } of chooseTables(rooted, lexicon)) {
    found.push(...chooseColumns(rooted, { tables, paths, cost: cost + tableCost }, lexicon));
  }
  return found.sort((a, b) => a.cost - b.cost).slice(0, ASSIGNMENTS_MAX);
}

/** Where only columns were named, their table is what the question is about. */
function addRoot(draft: Draft): Draft | null {
  if (draft.mentions.length > 0) return draft;
  const refs = listRefs(draft);
  const [first] = refs;
  if (first === undefined) return null;
  const best = new Map<Table, TableLink>();
  for (const link of first.links) {
    const known = best.get(link.table);
    // `document types`: rather the table that they are the key of than one that refers to it.
    const isOwn = link.table.foreignKeys.every((key) => !key.columns.includes(link.column.name));
    if (known === undefined || link.cost < known.cost) best.set(link.table, { table: link.table, cost: isOwn ? 0.3 : 0.4 });
  }
  const links = [...best.values()].filter(({ table }) => refs.every((ref) => ref.links.length === 0 || ref.links.some((link) => link.table === table)));
  if (links.length === 0) return null;
  return { ...draft, mentions: [{ links, parent: -1, negated: false, quantity: null, conditions: [], tie: [], isAlternative: false }], focus: 0 };
}

interface TableChoice { readonly tables: readonly Table[]; readonly paths: readonly (readonly Edge[])[]; readonly cost: number }

function chooseTables(draft: Draft, lexicon: Lexicon): TableChoice[] {
  let front: TableChoice[] = [{ tables: [], paths: [], cost: 0 }];
  for (const mention of draft.mentions) {
    front = front.flatMap((choice) => mention.links.flatMap((link) => extend(choice, mention, link, lexicon)));
    front.sort((a, b) => a.cost - b.cost);
    front = front.slice(0, TABLES_MAX);
  }
  return front;
}

function extend(choice: TableChoice, mention: Mention, link: TableLink, lexicon: Lexicon): TableChoice[] {
  const cost = choice.cost + link.cost;
  const parent = choice.tables[mention.parent];
  if (parent === undefined) return [{ tables: [...choice.tables, link.table], paths: [...choice.paths, []], cost }];
  const found = lexicon.graph.findPaths(parent, link.table);
  if (mention.twinOf !== undefined) return extendByTwin(choice, mention.twinOf, link, parent);
  if (parent === link.table) {
    const self = (lexicon.graph.edges.get(parent) ?? []).filter((edge) => edge.to === parent);
    return self.map((edge) => ({ tables: [...choice.tables, link.table], paths: [...choice.paths, [edge]], cost: cost + 0.6 }));
  }
  return rankPaths(found, mention, lexicon).map(({ value, cost: pathCost }) => ({ tables: [...choice.tables, link.table], paths: [...choice.paths, value], cost: cost + pathCost }));
}

/** Rows of one table tied by a column that they have in common, as far as it is no key: that would be the row itself. */
function extendByTwin(choice: TableChoice, { links }: ColumnRef, link: TableLink, parent: Table): TableChoice[] {
  const shared = links.filter(({ table, column }) => table === parent && table.primaryKey?.includes(column.name) !== true);
  if (parent !== link.table) return [];
  return shared.map(({ column, cost }) => ({ tables: [...choice.tables, link.table], paths: [...choice.paths, [{ from: parent, to: parent, fromColumns: [column.name], toColumns: [column.name], isToOne: false, isDeclared: true }]], cost: choice.cost + link.cost + cost }));
}

/** What it costs that rows are meant as what they are to others: rather as those that have them. */
const ROLE_COST = 0.4;

/** Several ways of one length are told apart by the words between the two nouns. */
export function rankPaths(paths: readonly (readonly Edge[])[], mention: Mention | null, lexicon: Lexicon): Choice<readonly Edge[]>[] {
  const ties = mention?.tie ?? [];
  const roots = new Set([...ties, ...ties.flatMap((word) => listDateWords(word) ?? [])].map(toRoot));
  const isNamed = (path: readonly Edge[]): boolean => path.some((edge) => listEdgeWords(edge, lexicon).some((word) => roots.has(toRoot(word))));
  const isAnyNamed = roots.size > 0 && paths.some(isNamed);
  const shortest = Math.min(...paths.map((path) => path.length));
  return paths.map((path) => {
    const length = 0.12 * Math.max(0, path.length - 1) + 0.2 * Math.max(0, path.length - 2) + 0.3 * Math.max(0, path.length - 3) + (path.length > shortest ? 0.3 : 0);
    // Two rows that share a parent are hardly ever what a question ties together.
    const cousins = path.some((edge, at) => at > 0 && !edge.isToOne && path[at - 1]?.isToOne === true) ? 0.6 : 0;
    const guessed = 0.3 * path.filter((edge) => !edge.isDeclared).length;
    const roles = ROLE_COST * path.filter((edge) => findParallel(edge, lexicon) === 'role').length;
    return { value: path, cost: length + guessed + cousins + roles + (!isAnyNamed ? 0 : isNamed(path) ? -0.35 : 0.3) };
  });
}

function listEdgeWords(edge: Edge, lexicon: Lexicon): string[] {
  const keyWords = [...edge.fromColumns.map((name) => edge.from.columns.find((column) => column.name === name)), ...edge.toColumns.map((name) => edge.to.columns.find((column) => column.name === name))]
    .flatMap((column) => (column === undefined ? [] : lexicon.columnWords.get(column) ?? []));
  return [...keyWords, ...(lexicon.tableWords.get(edge.from) ?? []), ...(lexicon.tableWords.get(edge.to) ?? [])];
}

function chooseColumns(draft: Draft, choice: TableChoice, lexicon: Lexicon): Assignment[] {
  const { tables, paths, cost } = choice;
  const literals = collectLiterals(draft);
  let front: Assignment[] = [{ draft, cost, tables, paths, columns: new Map(), values: new Map() }];
  for (const ref of listRefs(draft)) {
    const choices = keepClose(listBounds(ref, draft, choice, lexicon).filter((choice) => (literals.get(ref) ?? []).every((literal) => fitsLiteral(choice.value.column, literal))).map((choice) => ({ ...choice, cost: choice.cost + costOfStrangers(lexicon, choice.value.column, literals.get(ref) ?? []) })));
    front = front.flatMap((one) => choices.map((choice) => ({ ...one, cost: one.cost + choice.cost, columns: new Map(one.columns).set(ref, choice.value) })));
    front = front.sort((a, b) => a.cost - b.cost).slice(0, ASSIGNMENTS_MAX);
  }
  for (const condition of listValueConditions(draft)) {
    const choices = keepClose(listValueBounds(condition.links, condition.owner ?? 0, choice, lexicon));
    front = front.flatMap((one) => choices.map((choice) => ({ ...one, cost: one.cost + choice.cost, values: new Map(one.values).set(condition, choice.value) })));
    front = front.sort((a, b) => a.cost - b.cost).slice(0, ASSIGNMENTS_MAX);
  }
  return front.map((one) => ({ ...one, cost: one.cost + EMPTY_COST * countEmpty(one) + TWICE_COST * countTwice(one) - SHARED_GAIN * countShared(one) }));
}

/** What one more column gains that is reached the same way as another: once there, it is near. */
const SHARED_GAIN = 0.5;

function countShared({ columns, values, tables }: Assignment): number {
  const away = [...columns].filter(([ref]) => ref.isBehind !== true && !ref.links.some((link) => tables.includes(link.table)));
  const ways = [...away.map(([, bound]) => bound), ...values.values()].filter((bound) => bound.path.length > 0).map((bound) => `${bound.mention}>${bound.path.map((edge) => `${edge.fromColumns.join()}:${edge.to.name}`).join('>')}`);
  return ways.length - new Set(ways).size;
}

/** What a column costs that is shown for two places of the question: `names of actors and names of their musicals` are two. */
const TWICE_COST = 0.5;

function countTwice({ draft, columns }: Assignment): number {
  const shown = draft.targets.flatMap((target) => (target.kind === 'column' && target.fn === null ? [columns.get(target.column)] : []));
  return shown.filter((bound, at) => shown.slice(0, at).some((other) => other !== undefined && other.column === bound?.column && other.mention === bound.mention && other.path.length === bound.path.length)).length;
}

/** What a tie costs that holds for every row, as of an order and its customer: it was hardly meant as a filter. */
const EMPTY_COST = 0.5;

function countEmpty({ draft, paths, columns, values }: Assignment): number {
  const used = new Set([...[...columns.values(), ...values.values()].map((bound) => bound.mention), ...listRanked(draft)]);
  for (const target of draft.targets) if (target.kind !== 'column') used.add(target.mention);
  for (const group of draft.groups) if (group.kind === 'rows') used.add(group.mention);
  for (const { key } of draft.orders) if (key.kind === 'count') used.add(key.mention);
  for (const mention of draft.mentions) used.add(mention.parent);
  return draft.mentions.filter((mention, at) => at > 0 && !used.has(at) && !mention.negated && mention.quantity === null && mention.conditions.length === 0 && (paths[at] ?? []).every((edge) => edge.isToOne && edge.isDeclared)).length;
}

function keepClose<T>(choices: Choice<T>[]): Choice<T>[] {
  choices.sort((a, b) => a.cost - b.cost);
  const best = choices[0]?.cost ?? 0;
  return choices.filter((choice) => choice.cost <= best + SPREAD).slice(0, 4);
}

/** Mentions whose way from their parent leads over the table: `students who took a course in 2009` has the year on the way to the course. */
function listWayside(table: Table, paths: readonly (readonly Edge[])[]): { readonly mention: number; readonly via: number }[] {
  return paths.flatMap((path, mention) => path.slice(0, -1).flatMap((edge, via) => (edge.to === table ? [{ mention, via }] : [])));
}

const WAYSIDE_COST = 0.2;
/** `gymnasts by height`, where people have it: a gymnast is one. */
const SELF_COST = 0.3;

/** `the student whose id is 7` has an id of its own: that of a row on the way is not meant. */
const [OWN_COST, NOT_OWN_COST] = [0.5, 0.6];
/** `names of students who took a course` are not those of the courses. */
const AWAY_COST = 1;

/** Where a named column may be found: with its owner, with another mention, on the way to one, some steps away. */
function listBounds(ref: ColumnRef, draft: Draft, { tables, paths }: TableChoice, lexicon: Lexicon): Choice<Bound>[] {
  const owner = ref.owner === null ? undefined : tables[ref.owner];
  const isOwned = owner !== undefined && (ref.links.some((other) => other.table === owner && other.cost < OWN_COST) || (ref.isName === true && findLabel(owner).every((column) => column.valueKind === 'string')));
  const found: Choice<Bound>[] = [];
  for (const link of ref.links) {
    const homes = tables.flatMap((table, mention) => (table === link.table ? [mention] : []));
    for (const mention of homes) {
      const away = ref.owner === mention ? 0 : ref.owner === null ? 0.3 * Math.min(mention, 2) : isOwned ? AWAY_COST : 0.5;
      const label = ref.isName === true && link.isPart === true ? findLabel(link.table) : [];
      const cost = label.length === 2 && label[0] === link.column ? 0.1 : link.cost + (ref.isName === true && isForeign(link) ? FOREIGN_NAME_COST : 0);
      found.push({ cost: cost + away, value: { mention, path: [], via: null, table: link.table, column: link.column, value: null } });
    }
    if (homes.length > 0) continue;
    const wayside = listWayside(link.table, paths);
    for (const { mention, via } of wayside) found.push({ cost: link.cost + WAYSIDE_COST + (isOwned ? NOT_OWN_COST : 0) + (ref.owner === null || ref.owner === mention ? 0 : 0.2), value: { mention, path: [], via, table: link.table, column: link.column, value: null } });
    if (wayside.length > 0 || (link.isPart === true && !isLonePart(link, ref))) continue;
    const from = ref.owner ?? 0;
    const start = tables[from];
    if (start === undefined) continue;
    for (const path of rankPaths(lexicon.graph.findPaths(start, link.table), draft.mentions[from] ?? null, lexicon)) {
      const isMany = path.value.some((edge) => !edge.isToOne);
      // `the total yield for each orchard`: what is summed up may go by a part of its name.
      if (isMany && link.isPart === true && ref.isBehind !== true) continue;
      const isSelf = path.value.length === 1 && !isMany && isKindOf(start, link.table, lexicon);
      const away = isSelf ? SELF_COST : isMany ? (ref.isBehind === true ? 0.25 : 1.3) : link.isPart === true ? 0.9 : 0.7;
      found.push({ cost: link.cost + path.cost + away, value: { mention: from, path: path.value, via: null, table: link.table, column: link.column, value: null } });
    }
  }
  return [...found, ...listLabelBounds(ref, found, tables)];
}

/** `the names of the courses`, where a course has a `dept_name`: that is another's name. */
const FOREIGN_NAME_COST = 0.6;

function isForeign({ table, column }: ColumnLink): boolean {
  return table.foreignKeys.some((key) => key.columns.includes(column.name));
}

/** Up to here a part of a name may be said of rows elsewhere, as far as no other table has anything so near. */
const [LONE_PART_COST, LONE_PART_LEAD] = [0.8, 0.3];

function isLonePart({ table, cost }: ColumnLink, { links }: ColumnRef): boolean {
  return cost < LONE_PART_COST && links.every((other) => other.table === table || other.cost > cost + LONE_PART_LEAD);
}

const LABEL_COST = 0.3;

/** `names of aircraft`, where no column is called a name: what their rows go by. */
function listLabelBounds(ref: ColumnRef, found: readonly Choice<Bound>[], tables: readonly Table[]): Choice<Bound>[] {
  const mention = ref.owner ?? 0;
  const table = tables[mention];
  if (ref.isName !== true || table === undefined || found.some((choice) => choice.value.mention === mention && choice.value.path.length === 0 && choice.cost < 0.8)) return [];
  const [column] = findLabel(table);
  if (column === undefined || column.valueKind !== 'string') return [];
  return [{ cost: LABEL_COST, value: { mention, path: [], via: null, table, column, value: null } }];
}

function listValueBounds(links: readonly ValueLink[], owner: number, { tables, paths }: TableChoice, lexicon: Lexicon): Choice<Bound>[] {
  const found: Choice<Bound>[] = [];
  for (const link of links) {
    const base = { table: link.table, column: link.column, value: link.value };
    const homes = tables.flatMap((table, mention) => (table === link.table ? [mention] : []));
    for (const mention of homes) found.push({ cost: link.cost + (mention === owner ? 0.1 : 0.4), value: { ...base, mention, path: [], via: null } });
    const wayside = homes.length > 0 ? [] : listWayside(link.table, paths);
    for (const { mention, via } of wayside) found.push({ cost: link.cost + 0.1 + WAYSIDE_COST + (mention === owner ? 0 : 0.2), value: { ...base, mention, path: [], via } });
    const start = tables[owner];
    if (homes.length > 0 || wayside.length > 0 || start === undefined) continue;
    const ways = rankPaths(lexicon.graph.findPaths(start, link.table), null, lexicon);
    for (const path of ways) {
      if (path.value.length === 0) continue;
      // Which of several ways to many rows was meant, a bare value does not say.
      const many = path.value.some((edge) => !edge.isToOne) ? (ways.length > 1 ? 0.9 : 0.2) : 0;
      found.push({ cost: link.cost + path.cost + 0.5 + many, value: { ...base, mention: owner, path: path.value, via: null } });
    }
  }
  return found;
}

/** A text that the column, as far as it is known, does not have. */
function costOfStrangers(lexicon: Lexicon, column: Column, literals: readonly Literal[]): number {
  const known = lexicon.valuesOf.get(column);
  if (known === undefined) return 0;
  return literals.some((literal) => literal.kind === 'text' && !known.has(toValueKey(literal.text))) ? 0.9 : 0;
}

/** What each column is compared with. */
function collectLiterals(draft: Draft): ReadonlyMap<ColumnRef, readonly Literal[]> {
  const found = new Map<ColumnRef, Literal[]>();
  const add = (ref: ColumnRef, literal: Literal): void => void found.set(ref, [...(found.get(ref) ?? []), literal]);
  const visit = (condition: Condition): void => {
    if (condition.kind === 'compare') add(condition.column, condition.value);
    else if (condition.kind === 'between') [condition.low, condition.high].forEach((literal) => { add(condition.column, literal); });
    else if (condition.kind === 'toAggregate') {
      add(condition.column, { kind: 'number', value: 0 });
      condition.where.forEach(visit);
    }
    else if (condition.kind === 'any' || condition.kind === 'all') condition.parts.forEach(visit);
  };
  for (const mention of draft.mentions) mention.conditions.forEach(visit);
  return found;
}
