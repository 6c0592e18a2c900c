import type { Column, Table } from '@rowhouse/schema-model';
import { toValueKey } from '../lexicon/index-values.js';
import type { Lexicon } from '../lexicon/lexicon.js';
import type { SchemaQuestion } from '../link/linked-question.js';
import type { ColumnRef, Condition, Draft, Literal, TableLink } from '../types.js';
import {
  countEmpty,
  countShared,
  countRepeated,
  EMPTY_COST,
  SHARED_GAIN,
  REPEATED_COST,
} from './assignment-costs.js';
import type { Assignment, Bound } from './assignment.js';
import { chooseTables, type TableChoice } from './choose-tables.js';
import {
  type LinkFinder,
  listBounds,
  locateTables,
  listValueBounds,
  cacheJoinedBounds,
} from './column-bounds.js';
import { fitsLiteral } from './column-kinds.js';
import { listRefs, listValueConditions } from './draft-references.js';
import type { Choice } from './rank-paths.js';

const ASSIGNMENTS_MAX = 24;

/** The maximum difference in cost between a column and the best column for the same name. */
const COST_SPREAD = 0.8;
/** The maximum number of columns that are tried for one name. */
const CHOICES_MAX = 4;
/**
 * The additional cost of a main table that the question does not name. It is lower if the named column is the
 * table's own, and higher if it is a foreign key of the table.
 */
const [OWN_ROOT_COST, REFERENCING_ROOT_COST] = [0.3, 0.4];
/** The additional cost of comparing a column with a text that is not one of its known values. */
const UNKNOWN_TEXT_COST = 0.9;

/**
 * Assigns a table or column of the schema to every name in a draft. Returns up to 24 assignments, ordered by
 * cost.
 */
export function assign(draft: Draft, cost: number, question: SchemaQuestion): Assignment[] {
  const rooted = addRoot(draft);
  if (rooted === null) return [];
  const names: Names = {
    refs: listRefs(rooted),
    literals: collectLiterals(rooted),
    values: listValueConditions(rooted),
    findJoined: cacheJoinedBounds(rooted, question),
  };
  const found: Assignment[] = [];
  for (const { tables, paths, cost: tableCost } of chooseTables(rooted, question)) {
    found.push(...chooseColumns(rooted, names, { tables, paths, cost: cost + tableCost }, question));
  }
  return found.sort((a, b) => a.cost - b.cost).slice(0, ASSIGNMENTS_MAX);
}

/** Adds a main mention if the draft names only columns. Its table must have all of these columns. */
function addRoot(draft: Draft): Draft | null {
  if (draft.mentions.length > 0) return draft;
  const refs = listRefs(draft);
  const [first] = refs;
  if (first === undefined) return null;
  const best = new Map<Table, TableLink>();
  for (const link of first.links) {
    const known = best.get(link.table);
    // A table for which the column is its own costs less than one for which the column is a foreign key.
    const isOwn = link.table.foreignKeys.every((key) => !key.columns.includes(link.column.name));
    if (known === undefined || link.cost < known.cost)
      best.set(link.table, { table: link.table, cost: isOwn ? OWN_ROOT_COST : REFERENCING_ROOT_COST });
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

/** The names in a draft, except those of tables. */
interface Names {
  readonly refs: readonly ColumnRef[];
  /** The literals with which each column is compared. */
  readonly literals: ReadonlyMap<ColumnRef, readonly Literal[]>;
  readonly values: readonly (Condition & { readonly kind: 'value' })[];
  readonly findJoined: LinkFinder;
}

function chooseColumns(
  draft: Draft,
  { refs, literals, values, findJoined }: Names,
  choice: TableChoice,
  question: SchemaQuestion,
): Assignment[] {
  const { tables, paths, cost } = choice;
  const tableLocations = locateTables(choice);
  let partial: readonly Choice<NameBinding>[] = [{ cost, value: null }];
  for (const ref of refs) {
    const compared = literals.get(ref) ?? [];
    const fitting = listBounds(ref, choice, tableLocations, findJoined).filter(({ value }) =>
      compared.every((literal) => fitsLiteral(value.column, literal)),
    );
    partial = extendPartials(
      partial,
      ref,
      listClosest(
        fitting.map((bound) => ({
          ...bound,
          cost: bound.cost + costOfUnknownTexts(question.lexicon, bound.value.column, compared),
        })),
      ),
    );
  }
  for (const condition of values)
    partial = extendPartials(
      partial,
      condition,
      listClosest(listValueBounds(condition.links, condition.owner ?? 0, choice, tableLocations, question)),
    );
  return partial.map((choice) => {
    const assignment = { draft, cost: choice.cost, tables, paths, ...toMaps(choice.value) };
    return {
      ...assignment,
      cost:
        choice.cost +
        EMPTY_COST * countEmpty(assignment) +
        REPEATED_COST * countRepeated(assignment) -
        SHARED_GAIN * countShared(assignment),
    };
  });
}

/**
 * A linked list of names with their columns, in which the last name comes first. `before` is the rest of the
 * list.
 */
type NameBinding = {
  readonly name: ColumnRef | Condition;
  readonly bound: Bound;
  readonly before: NameBinding;
} | null;

/**
 * Extends every partial assignment with every column for the next name, and keeps the results with the lowest
 * costs.
 */
function extendPartials(
  partial: readonly Choice<NameBinding>[],
  name: ColumnRef | Condition,
  choices: readonly Choice<Bound>[],
): readonly Choice<NameBinding>[] {
  const next = partial.flatMap((item) =>
    choices.map((choice) => ({
      cost: item.cost + choice.cost,
      value: { name, bound: choice.value, before: item.value },
    })),
  );
  return next.sort((a, b) => a.cost - b.cost).slice(0, ASSIGNMENTS_MAX);
}

function toMaps(named: NameBinding): Pick<Assignment, 'columns' | 'values'> {
  const taken: NonNullable<NameBinding>[] = [];
  for (let binding = named; binding !== null; binding = binding.before) taken.push(binding);
  const [columns, values] = [new Map<ColumnRef, Bound>(), new Map<Condition, Bound>()];
  for (const { name, bound } of taken.reverse()) {
    if ('kind' in name) values.set(name, bound);
    else columns.set(name, bound);
  }
  return { columns, values };
}

function listClosest<T>(choices: Choice<T>[]): Choice<T>[] {
  choices.sort((a, b) => a.cost - b.cost);
  const best = choices[0]?.cost ?? 0;
  return choices.filter((choice) => choice.cost <= best + COST_SPREAD).slice(0, CHOICES_MAX);
}

/** Returns the additional cost of comparing a column with texts that are not among its stored values. */
function costOfUnknownTexts(lexicon: Lexicon, column: Column, literals: readonly Literal[]): number {
  const known = lexicon.valuesOf.get(column);
  if (known === undefined) return 0;
  return literals.some((literal) => literal.kind === 'text' && !known.has(toValueKey(literal.text)))
    ? UNKNOWN_TEXT_COST
    : 0;
}

/** Returns the literals with which each column is compared. */
function collectLiterals(draft: Draft): ReadonlyMap<ColumnRef, readonly Literal[]> {
  const found = new Map<ColumnRef, Literal[]>();
  const addLiteral = (ref: ColumnRef, literal: Literal): void =>
    void found.set(ref, [...(found.get(ref) ?? []), literal]);
  const visit = (condition: Condition): void => {
    if (condition.kind === 'compare') addLiteral(condition.column, condition.value);
    else if (condition.kind === 'between')
      [condition.low, condition.high].forEach((literal) => {
        addLiteral(condition.column, literal);
      });
    else if (condition.kind === 'toAggregate') {
      addLiteral(condition.column, { kind: 'number', value: 0 });
      condition.where.forEach(visit);
    } else if (condition.kind === 'any' || condition.kind === 'all') condition.parts.forEach(visit);
  };
  for (const mention of draft.mentions) mention.conditions.forEach(visit);
  return found;
}
