import type { Column } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Interpretation } from '../../types.js';
import { LEADS } from '../../words/lead-phrases.js';
import { wordSet } from '../../words/word-set.js';
import { MARKS } from '../word-classes.js';
import { matchPhrase, phraseSet, skipWords, wordAt } from '../reader.js';
import { readTarget, readTargets } from './targets.js';

const MARKS_AND_ALSO = new Set([...MARKS, 'and', 'also']);

/** Words that may follow a returned column and precede its rows. */
const BETWEEN_TARGET_AND_OWNER = wordSet(`
  of for from in on at about by among amongst across within that which who whose used do does did are is to
  where when the
`);

const BEFORE_OWNER = wordSet(`
  of for from in on at about by among amongst across within all the do does did are is every each to
  different that where when which
`);

/** Parses the rows to which the returned columns belong, as in `names of the students`. */
export function readOwner(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { draft } = interpretation;
  if (
    !BETWEEN_TARGET_AND_OWNER.has(wordAt(q, interpretation.position)) ||
    draft.targets.some((target) => target.kind !== 'column') ||
    draft.targets.every((target) => target.kind === 'column' && target.column.owner !== null)
  )
    return [];
  const position = skipWords(q, interpretation.position, BEFORE_OWNER);
  const isClause = ['where', 'when', 'the'].includes(wordAt(q, interpretation.position));
  const interpretations = readTarget(q, {
    position,
    cost: interpretation.cost,
    draft: { ...draft, targets: [] },
  });
  return interpretations.flatMap((item) => {
    const [target] = item.draft.targets;
    if (target?.kind !== 'rows' || item.draft.targets.length !== 1) return [];
    const targets = draft.targets.map((entry) =>
      entry.kind === 'column' && entry.column.owner === null
        ? { ...entry, column: { ...entry.column, owner: target.mention } }
        : entry,
    );
    return [
      {
        ...item,
        cost:
          item.cost -
          (wordAt(q, interpretation.position) === 'of' ? OF_GAIN : RELATED_GAIN) +
          (isClause ? CLAUSE_COST : 0),
        draft: {
          ...item.draft,
          targets,
          groups: draft.groups,
          distinct: draft.distinct || item.draft.distinct,
        },
      },
    ];
  });
}

/**
 * The reduction in cost if `of` is between a column and its rows, as in `the id of the organization`. Other
 * words connect them less closely.
 */
const OF_GAIN = 0.3;
/** The reduction in cost if another word connects a column with its rows. */
const RELATED_GAIN = 0.2;
/** The additional cost of a count after `with`, as in `shops with the number of orders`. */
const WITH_COUNT_COST = 0.25;
/** The additional cost of returned values in a separate sentence or clause. */
const FOLLOW_UP_COST = 0.1;
/** The additional cost of each further returned value. */
const FURTHER_TARGET_COST = 0.15;

/** The additional cost if no word connects a column with its rows, as in `the date the claim was made`. */
const CLAUSE_COST = 0.3;

/**
 * Parses further returned values after the rows of the first one, as in `the name of each department and the
 * number of employees`.
 */
export function readMoreTargets(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const counted = matchPhrase(
    q,
    interpretation.position,
    phraseSet(`
      with the number of|with number of|with the total number of|with the corresponding number of
    `),
  );
  // `with the number of` adds a count for each row, as in `shops with the number of orders`.
  if (counted > 0 && interpretation.draft.targets.length > 0 && interpretation.draft.limit === null)
    return readTarget(q, { ...interpretation, position: interpretation.position + 1 })
      .filter((item) => item.draft.targets.at(-1)?.kind === 'count')
      .map((item) => ({ ...item, cost: item.cost + WITH_COUNT_COST }));
  const next = matchPhrase(
    q,
    interpretation.position,
    phraseSet(`
      , and also|, and the|, and|and|, as well as|as well as|, along with|along with|together with|and also|
      ,|with their|and how many|, and how many
    `),
  );
  // If there is a limit, columns are only returned values after a possessive pronoun such as `its`.
  if (
    next < 0 ||
    interpretation.draft.targets.length === 0 ||
    (interpretation.draft.limit !== null && !POSSESSIVE_PRONOUNS.has(wordAt(q, next)))
  )
    return [];
  const isBoth = q.tokens.slice(0, interpretation.position).some(({ lower }) => lower === 'both');
  // After a sort key, `and` is probably followed by another sort key, as in `ordered by year and class`.
  const sortKeyCost =
    interpretation.draft.orders.length > 0 && wordAt(q, interpretation.position) === 'and'
      ? SORT_KEY_COST
      : 0;
  const rowsAgainCost =
    (isBoth ? RESTRICTED_COST : 0) +
    (hasConditions(interpretation) || allHaveOwners(interpretation) ? RESTRICTED_COST : 0);
  return readTargets(q, {
    ...interpretation,
    position: wordAt(q, next - 1) === 'many' ? next - 2 : next,
  }).map((item) => ({
    ...item,
    cost: item.cost + FURTHER_TARGET_COST + sortKeyCost + (showsRowsAgain(q, item) ? rowsAgainCost : 0),
  }));
}

const POSSESSIVE_PRONOUNS = wordSet('its their his her');

/** The additional cost of a further returned value after a sort key. */
const SORT_KEY_COST = 0.5;

/** Reports whether the last returned value is a set of rows, or a column with the same name as a table. */
function showsRowsAgain(q: LinkedQuestion, { draft }: Interpretation): boolean {
  const last = draft.targets.at(-1);
  if (last?.kind !== 'column') return last?.kind === 'rows';
  return (
    last.fn === null &&
    last.column.owner === null &&
    (q.tables[last.column.position] ?? []).some((span) => span.links.some((link) => link.cost < NEAR_COST))
  );
}

/** The maximum cost of a link for which a word is considered the name of the table. */
const NEAR_COST = 0.3;

/**
 * The additional cost of interpreting a table as a further returned value if the previous rows have
 * conditions or columns. The table then probably belongs to these.
 */
const RESTRICTED_COST = 0.5;

/**
 * Reports whether the question names an owner for each returned column, such as `customers` in `phone numbers
 * of customers and staff`. A further table is then another owner of the same columns, such as `staff`.
 */
function allHaveOwners({ draft }: Interpretation): boolean {
  return draft.targets.every((target) => target.kind === 'column' && target.column.owner !== null);
}

function hasConditions({ draft }: Interpretation): boolean {
  return draft.mentions.some(
    (mention) => mention.conditions.length > 0 || mention.quantity !== null || mention.negated,
  );
}

/** Parses a second sentence that asks for columns of the first result, as in `… Give me their names.` */
export function readFollowUp(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const mark = wordAt(q, interpretation.position);
  if (!['.', '?', ',', 'and', ';'].includes(mark)) return [];
  const position = skipWords(q, interpretation.position, MARKS_AND_ALSO);
  const { draft } = interpretation;
  const isFirst = draft.targets.length === 0;
  const lead = Math.max(matchPhrase(q, position, LEADS), isFirst && mark === ',' ? position : -1);
  if (lead < 0) return [];
  // `which` refers to the rows before the comma, as in `Among all products, which have a price above 100?`.
  if (
    isFirst &&
    draft.mentions.length > 0 &&
    draft.groups.length === 0 &&
    ['which', 'who'].includes(wordAt(q, position)) &&
    PREDICATE_VERBS.has(wordAt(q, position + 1))
  )
    return [
      {
        position,
        cost: interpretation.cost + FOLLOW_UP_COST,
        draft: { ...draft, focus: 0, targets: [{ kind: 'rows', mention: 0 }] },
      },
    ];
  const from = skipWords(q, lead, wordSet('the both its their me also his her or'));
  const returnsOnlyRows = draft.targets.every((target) => target.kind === 'rows');
  // If the first sentence has groups, the columns belong to the grouped rows, as in `How many coaches does
  // each club have? List the club id and name.`
  const group = draft.groups.find((entry) => entry.kind === 'rows');
  const owner = group?.kind === 'rows' ? group.mention : 0;
  const keptTargets =
    returnsOnlyRows && mark !== 'and' ? [] : mark === '?' ? dropComparedTargets(draft) : draft.targets;
  const interpretations = readTargets(q, {
    ...interpretation,
    position: from,
    draft: { ...draft, targets: keptTargets },
  });
  return interpretations.map((item) => ({
    ...item,
    cost: item.cost + FOLLOW_UP_COST,
    draft: {
      ...item.draft,
      targets: item.draft.targets.map((target) =>
        target.kind === 'column' &&
        target.column.owner === null &&
        draft.mentions.length > 0 &&
        !(isFirst && draft.groups.length > 0)
          ? { ...target, column: { ...target.column, owner: owner } }
          : target,
      ),
    },
  }));
}

/**
 * Removes returned values of the first sentence that it compares, because it only uses them to select rows.
 * An example is the origin in `Which programs' origins are not Rome? Give me the names.`
 */
function dropComparedTargets({
  targets,
  mentions,
}: Interpretation['draft']): Interpretation['draft']['targets'] {
  const tested = mentions
    .flatMap((mention) => mention.conditions)
    .flatMap((condition) =>
      'column' in condition
        ? listClosest(condition.column.links)
        : condition.kind === 'value'
          ? listClosest(condition.links)
          : [],
    );
  return targets.filter(
    (target) =>
      target.kind !== 'column' ||
      target.fn !== null ||
      !listClosest(target.column.links).some((column) => tested.includes(column)),
  );
}

function listClosest(
  links: readonly { readonly column: Column; readonly cost: number }[],
): readonly Column[] {
  const minimum = Math.min(...links.map(({ cost }) => cost));
  return links.filter(({ cost }) => cost === minimum).map(({ column }) => column);
}

const PREDICATE_VERBS = wordSet('have has had are is were was do does did cost costs');
