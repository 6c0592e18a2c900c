import type { Column } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../link/link-question.js';
import type { Interpretation } from '../types.js';
import { findLabel } from '../resolve/find-label.js';
import { isCalendar, isNumeric } from '../resolve/fits-literal.js';
import { isKey } from '../resolve/is-key.js';
import { isFunctionWord } from '../words/function-words.js';
import { LEADS } from '../words/lead-phrases.js';
import { isVerb } from '../words/verbs.js';
import { toDraftKey } from './draft-key.js';
import { readClauseOwner } from './clause-owner.js';
import { readBareCount, readByThem, readEachAgain, readOrderedCount } from './counts-again.js';
import { readBackReference, readEachOnes, readGroups } from './groups.js';
import { readFilters, readRelations } from './modifiers.js';
import { readOpenings } from './openings.js';
import { readOnAverage } from './on-average.js';
import { readOrders } from './orders.js';
import { advance, EACH, matchPhrase, phraseSet, skipBack, skipWords, wordAt } from './reader.js';
import { readSame } from './same.js';
import { readUnmatched } from './strays.js';
import { readSuperlatives } from './superlatives.js';
import { readTarget, readTargets } from './targets.js';
import { readTimes } from './times.js';
import { readSpokenVerb } from './when-and-where.js';
import { wordSet } from '../words/word-set.js';

/** The maximum number of interpretations kept at each token. */
const BEAM = 40;
const COST_MAX = 4;
/**
 * The maximum number of interpretations to continue in the whole question. The search stops at this limit.
 */
const STEPS_MAX = 250;
const MARKS = wordSet('. ? ! , ; :');
const TAIL = wordSet(`
  anything something there respectively listed recorded in total we have do exist please each the database
  are is so far overall currently all ever shown used available altogether together does list result records
  our system too also been made you one ones there? came come of them before file yet once past it to at
  with from those these on for represented here has had holds offered involved recorded registered dollars
  dollar usd record records database info information
`);
const MARKS_AND_ALSO = new Set([...MARKS, 'and', 'also']);
const MARKS_AND_TAIL = new Set([...MARKS, ...TAIL]);

/** Returns the interpretations of the whole question, cheapest first. */
export function readQuestion(q: LinkedQuestion): Interpretation[] {
  const beams: Interpretation[][] = Array.from({ length: q.tokens.length + 1 }, () => []);
  const put = (interpretation: Interpretation): void => {
    if (interpretation.cost <= COST_MAX && interpretation.position <= q.tokens.length)
      beams[interpretation.position]?.push(interpretation);
  };
  for (const interpretation of readOpenings(q)) put(interpretation);
  const done: Interpretation[] = [];
  let steps = 0;
  for (let position = 0; position <= q.tokens.length; position += 1) {
    for (const interpretation of retainBest(beams[position] ?? [])) {
      if (isAtEnd(q, position) && interpretation.draft.targets.length > 0)
        done.push(finish(q, interpretation));
      steps += 1;
      if (position < q.tokens.length && steps <= STEPS_MAX)
        for (const next of readOn(q, interpretation)) if (next.position > position) put(next);
    }
  }
  return retainFirst(done.sort((a, b) => a.cost - b.cost));
}

/** Completes an interpretation. A group without a count or aggregate usually is not meant as a group. */
function finish(q: LinkedQuestion, interpretation: Interpretation): Interpretation {
  const { draft } = interpretation;
  // A skipped word is not acceptable when no rows are named, since it names the subject.
  // `total papers` is an example over athletes with a total.
  if (draft.unmatched.length > 0 && draft.mentions.length === 0)
    return { ...interpretation, cost: interpretation.cost + COST_MAX };
  const isSummed =
    draft.targets.some(
      (target) =>
        target.kind === 'count' ||
        target.kind === 'size' ||
        target.kind === 'share' ||
        (target.kind === 'column' && target.fn !== null),
    ) || draft.orders.some(({ key }) => key.kind !== 'column' || key.fn !== null);
  if (isSummed && isFiltered(q, draft))
    return { ...interpretation, cost: interpretation.cost + FILTERED_COST };
  if (draft.groups.length === 0 || isSummed) return interpretation;
  if (draft.groups.some((group) => group.kind === 'column' && group.unit !== undefined))
    return countByTime(interpretation);
  // `for each party, find its location` shows every row and has no group.
  const isWhose = draft.groups.every((group) => group.kind === 'rows' && group.mention === 0);
  if (!isWhose)
    return countByKind(q, interpretation) ?? { ...interpretation, cost: interpretation.cost + 0.7 };
  // `daily rate per vehicle` also shows the label of each row.
  const isPer =
    draft.targets.every((target) => target.kind === 'column') &&
    q.tokens.some(({ lower }, position) => lower === 'per' && (q.tables[position + 1] ?? []).length > 0);
  return {
    ...interpretation,
    cost: interpretation.cost + 0.15,
    draft: {
      ...draft,
      groups: [],
      targets: isPer ? [{ kind: 'rows', mention: 0 }, ...draft.targets] : draft.targets,
    },
  };
}

const BY_KIND_COST = 0.5;

/** Adds a count per kind for `tickets by priority`, which may also mean an order. */
function countByKind(q: LinkedQuestion, { draft, ...state }: Interpretation): Interpretation | null {
  const [[target, ...more], [group, ...others]] = [draft.targets, draft.groups];
  if (
    target?.kind !== 'rows' ||
    more.length + others.length > 0 ||
    group?.kind !== 'column' ||
    draft.orders.length > 0 ||
    !q.tokens.some(({ lower }) => lower === 'by') ||
    group.column.links.some(
      ({ table, column }) =>
        isNumeric(column) || isCalendar(column) || isKey(table, column) || findLabel(table).includes(column),
    )
  )
    return null;
  return {
    ...state,
    cost: state.cost + BY_KIND_COST,
    draft: { ...draft, targets: [{ kind: 'count', mention: target.mention, distinct: false }] },
  };
}

const FILTERED_COST = 0.6;
const GROUPING = new Set([...EACH, 'grouped', 'group', 'different', 'all', 'broken']);

/**
 * Returns whether a group is more likely a condition.
 * `the average total of orders by customers from Germany` asks for one average rather than one per customer.
 */
function isFiltered(q: LinkedQuestion, { groups, mentions }: Interpretation['draft']): boolean {
  return (
    !q.tokens.some(({ lower }) => GROUPING.has(lower)) &&
    groups.some((group) => group.kind === 'rows' && (mentions[group.mention]?.conditions.length ?? 0) > 0)
  );
}

/** Counts the rows in `comments by year`. Nothing else is grouped by a period. */
function countByTime(interpretation: Interpretation): Interpretation {
  const [target, ...more] = interpretation.draft.targets;
  if (target?.kind !== 'rows' || more.length > 0)
    return { ...interpretation, cost: interpretation.cost + COST_MAX };
  return {
    ...interpretation,
    cost: interpretation.cost + 0.1,
    draft: {
      ...interpretation.draft,
      targets: [{ kind: 'count', mention: target.mention, distinct: false }],
    },
  };
}

function retainBest(interpretations: Interpretation[]): Interpretation[] {
  interpretations.sort((a, b) => a.cost - b.cost);
  const cache = new Map<string, Interpretation>();
  for (const interpretation of interpretations) {
    if (cache.size >= BEAM) break;
    const key = toDraftKey(interpretation.draft);
    if (!cache.has(key)) cache.set(key, interpretation);
  }
  return [...cache.values()];
}

/** Removes duplicates, since an interpretation may end before or after the last mark. */
function retainFirst(interpretations: readonly Interpretation[]): Interpretation[] {
  const cache = new Map<string, Interpretation>();
  for (const interpretation of interpretations) {
    const key = toDraftKey({ ...interpretation.draft, focus: 0 });
    if (!cache.has(key)) cache.set(key, interpretation);
  }
  return [...cache.values()];
}

function isAtEnd(q: LinkedQuestion, position: number): boolean {
  const end = skipWords(q, position, MARKS_AND_TAIL);
  // `do we employ` and `that we own` add no condition.
  return (
    (wordAt(q, end - 1) === 'we' && isVerb(wordAt(q, end)) ? skipWords(q, end + 1, MARKS_AND_TAIL) : end) >=
    q.tokens.length
  );
}

function readOn(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const rest = [
    readFilters,
    readRelations,
    readSame,
    readSuperlatives,
    readOrders,
    readGroups,
    readEachOnes,
    readClauseOwner,
    readBackReference,
    readBareCount,
    readOrderedCount,
    readEachAgain,
    readByThem,
    readTimes,
    readSpokenVerb,
    readOnAverage,
  ].flatMap((rule) => rule(q, interpretation));
  return [
    ...rest,
    ...readMoreTargets(q, interpretation),
    ...readOwner(q, interpretation),
    ...readMark(q, interpretation),
    ...readFollowUp(q, interpretation),
    ...readLastVerb(q, interpretation),
    ...readPronoun(q, interpretation),
    ...readSmallWord(q, interpretation),
    ...readUnmatched(q, interpretation),
  ];
}

/** Words that may connect a target with its rows, and words before the rows. */
const OWNING = wordSet(`
  of for from in on at about by among amongst across within that which who whose used do does did are is to
  where when the
`);
const BEFORE_OWNER = wordSet(`
  of for from in on at about by among amongst across within all the do does did are is every each to
  different that where when which
`);

/** Parses the rows that the targets belong to, as in `names of the students`. */
function readOwner(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { draft } = interpretation;
  if (
    !OWNING.has(wordAt(q, interpretation.position)) ||
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
          (wordAt(q, interpretation.position) === 'of' ? OF_GAIN : 0.2) +
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
 * The discount for `of`, as in `the id of the organization`.
 * No other word connects a column with its rows as closely.
 */
const OF_GAIN = 0.3;

/** The extra cost when no word connects a column with its rows, as in `the date the claim was made`. */
const CLAUSE_COST = 0.3;

/**
 * Parses further targets after the rows of the first one, as in
 * `the name of each department and the number of employees`.
 */
function readMoreTargets(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const counted = matchPhrase(
    q,
    interpretation.position,
    phraseSet('with the number of|with number of|with the total number of|with the corresponding number of'),
  );
  // `shops with the number of orders` shows a count for each shop.
  if (counted > 0 && interpretation.draft.targets.length > 0 && interpretation.draft.limit === null)
    return readTarget(q, { ...interpretation, position: interpretation.position + 1 })
      .filter((item) => item.draft.targets.at(-1)?.kind === 'count')
      .map((item) => ({ ...item, cost: item.cost + 0.25 }));
  const next = matchPhrase(
    q,
    interpretation.position,
    phraseSet(
      ', and also|, and the|, and|and|, as well as|as well as|, along with|along with|together with|and also|,|with their|and how many|, and how many',
    ),
  );
  // A question for the first row only adds columns that `its` or a similar word assigns to it.
  if (
    next < 0 ||
    interpretation.draft.targets.length === 0 ||
    (interpretation.draft.limit !== null && !ITS.has(wordAt(q, next)))
  )
    return [];
  const isBoth = q.tokens.slice(0, interpretation.position).some(({ lower }) => lower === 'both');
  // In `ordered by year and class`, a second sort key is more likely.
  const key =
    interpretation.draft.orders.length > 0 && wordAt(q, interpretation.position) === 'and' ? KEY_COST : 0;
  const again =
    (isBoth ? RESTRICTED_COST : 0) +
    (isRestricted(interpretation) || isOwned(interpretation) ? RESTRICTED_COST : 0);
  return readTargets(q, {
    ...interpretation,
    position: wordAt(q, next - 1) === 'many' ? next - 2 : next,
  }).map((item) => ({ ...item, cost: item.cost + 0.15 + key + (showsRowsAgain(q, item) ? again : 0) }));
}

const ITS = wordSet('its their his her');

/** The extra cost of a target after a sort key. */
const KEY_COST = 0.5;

/** Returns whether the last target is a set of rows, or a column with the same name as a table. */
function showsRowsAgain(q: LinkedQuestion, { draft }: Interpretation): boolean {
  const last = draft.targets.at(-1);
  if (last?.kind !== 'column') return last?.kind === 'rows';
  return (
    last.fn === null &&
    last.column.owner === null &&
    (q.tables[last.column.position] ?? []).some((span) => span.links.some((link) => link.cost < NEAR_COST))
  );
}

/** The maximum cost at which a word counts as the table's name. */
const NEAR_COST = 0.3;

/**
 * The extra cost of rows as a further target when the previous rows have conditions.
 * The words more likely belong to those conditions.
 */
const RESTRICTED_COST = 0.5;

/**
 * Returns whether all targets have an owner.
 * In `phone numbers of customers and staff`, the staff is a second owner rather than a target.
 */
function isOwned({ draft }: Interpretation): boolean {
  return draft.targets.every((target) => target.kind === 'column' && target.column.owner !== null);
}

function isRestricted({ draft }: Interpretation): boolean {
  return draft.mentions.some(
    (mention) => mention.conditions.length > 0 || mention.quantity !== null || mention.negated,
  );
}

/** Skips punctuation, which has no meaning of its own. */
function readMark(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const position = skipWords(q, interpretation.position, MARKS);
  return position === interpretation.position ? [] : [advance(interpretation, position, 0)];
}

/** Parses a second sentence with the columns to show of the first result, as in `… Give me their names.`. */
function readFollowUp(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const mark = wordAt(q, interpretation.position);
  if (!['.', '?', ',', 'and', ';'].includes(mark)) return [];
  const position = skipWords(q, interpretation.position, MARKS_AND_ALSO);
  const { draft } = interpretation;
  const isFirst = draft.targets.length === 0;
  const lead = Math.max(matchPhrase(q, position, LEADS), isFirst && mark === ',' ? position : -1);
  if (lead < 0) return [];
  // `Among all products, which have a price above 100?` refers to the rows before the comma.
  if (
    isFirst &&
    draft.mentions.length > 0 &&
    draft.groups.length === 0 &&
    ['which', 'who'].includes(wordAt(q, position)) &&
    SAID_OF.has(wordAt(q, position + 1))
  )
    return [
      {
        position,
        cost: interpretation.cost + 0.1,
        draft: { ...draft, focus: 0, targets: [{ kind: 'rows', mention: 0 }] },
      },
    ];
  const from = skipWords(q, lead, wordSet('the both its their me also his her or'));
  const isRows = draft.targets.every((target) => target.kind === 'rows');
  // In `How many coaches does each club have?
  // List the club id and name.`, the columns belong to the grouped rows.
  const group = draft.groups.find((entry) => entry.kind === 'rows');
  const bearer = group?.kind === 'rows' ? group.mention : 0;
  const retained = isRows && mark !== 'and' ? [] : mark === '?' ? dropTested(draft) : draft.targets;
  const interpretations = readTargets(q, {
    ...interpretation,
    position: from,
    draft: { ...draft, targets: retained },
  });
  return interpretations.map((item) => ({
    ...item,
    cost: item.cost + 0.1,
    draft: {
      ...item.draft,
      targets: item.draft.targets.map((target) =>
        target.kind === 'column' &&
        target.column.owner === null &&
        draft.mentions.length > 0 &&
        !(isFirst && draft.groups.length > 0)
          ? { ...target, column: { ...target.column, owner: bearer } }
          : target,
      ),
    },
  }));
}

/**
 * Drops targets that only identify rows in the first sentence, as in `Which programs' origins are not Rome?
 * Give me the names.`.
 */
function dropTested({ targets, mentions }: Interpretation['draft']): Interpretation['draft']['targets'] {
  const tested = mentions
    .flatMap((mention) => mention.conditions)
    .flatMap((condition) =>
      'column' in condition
        ? findNearest(condition.column.links)
        : condition.kind === 'value'
          ? findNearest(condition.links)
          : [],
    );
  return targets.filter(
    (target) =>
      target.kind !== 'column' ||
      target.fn !== null ||
      !findNearest(target.column.links).some((column) => tested.includes(column)),
  );
}

function findNearest(
  links: readonly { readonly column: Column; readonly cost: number }[],
): readonly Column[] {
  const minimum = Math.min(...links.map(({ cost }) => cost));
  return links.filter(({ cost }) => cost === minimum).map(({ column }) => column);
}

const SAID_OF = wordSet('have has had are is were was do does did cost costs');
const ASKING = wordSet('do does did have has had is are was were can');
const LAST = wordSet('in to on at for from with by of about');

/**
 * Skips the last verb of a question when its subject came
 * before it, as in `How many courses does the student attend?`.
 */
function readLastVerb(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const word = wordAt(q, interpretation.position);
  // In `the category Books`, the word is a value, although it can also be a verb.
  const isNamed =
    q.tokens[interpretation.position]?.isCapital === true &&
    (q.values[interpretation.position] ?? []).length > 0;
  const isKnown = isVerb(word) && !isNamed;
  if (
    interpretation.draft.mentions.length === 0 ||
    isFunctionWord(word) ||
    (!isKnown && q.tokens[interpretation.position]?.kind !== 'word')
  )
    return [];
  const to = skipWords(q, interpretation.position + 1, LAST);
  if (q.tokens[to] !== undefined && !MARKS.has(wordAt(q, to))) return [];
  const { mentions, focus } = interpretation.draft;
  const doer = mentions[focus];
  // In `papers the author Ada Birch wrote`, the agent is directly before the verb.
  if (
    isKnown &&
    focus > 0 &&
    doer !== undefined &&
    doer.tie.length === 0 &&
    doer.conditions.length > 0 &&
    !isFunctionWord(wordAt(q, skipBack(q, interpretation.position - 1, BE)))
  )
    return [
      advance(interpretation, to, 0.15, {
        mentions: mentions.map((mention, position) =>
          position === focus ? { ...mention, tie: [word] } : mention,
        ),
      }),
    ];
  const requestsSent = q.tokens.findIndex((token) => ASKING.has(token.lower));
  const isBehindSubject =
    requestsSent >= 0 &&
    requestsSent < interpretation.position - 1 &&
    !isFunctionWord(wordAt(q, interpretation.position - 1));
  const isLinked = [q.tables, q.columns, q.values].some(
    (spans) => (spans[interpretation.position] ?? []).length > 0,
  );
  const isBaseForm =
    ['do', 'does', 'did'].includes(q.tokens[requestsSent]?.lower ?? '') &&
    q.tokens[interpretation.position]?.isCapital !== true;
  return isBehindSubject && (isKnown || (!isLinked && isBaseForm))
    ? [advance(interpretation, to, isKnown ? 0.1 : 0.45)]
    : [];
}

const BE = wordSet('was were is are has have had been');

/** Skips a clause with a pronoun for known rows, as in `the team they play for`. */
function readPronoun(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const start = ['that', 'which', 'who', 'whom', 'where', 'when'].includes(wordAt(q, interpretation.position))
    ? interpretation.position + 1
    : interpretation.position;
  if (!['they', 'he', 'she', 'it'].includes(wordAt(q, start)) || interpretation.draft.mentions.length === 0)
    return [];
  let position = start + 1;
  while (position < start + 7 && (PRONOUN_TAIL.has(wordAt(q, position)) || isVerb(wordAt(q, position))))
    position += 1;
  return position > start + 1 ? [advance(interpretation, position, 0.2)] : [];
}

const PRONOUN_TAIL = wordSet(`
  or he she it are is was were have has had do does did part of in on at for with to from by been correspond
  advise advises
`);

const SMALL = phraseSet(
  'of origin|of residence|for the one|for the ones|of the one|of the ones|of those|for those|for all those|for any|those|in our record|in our records|in the record|in the records|in their record|in their records|on record|on file|are there|is there|do we have|there are|there is|there were|there was|were there|was there|are|is|do|does|did|that are|which are|in the database|in total|who are|currently|in the list|there',
);

function readSmallWord(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  // `except for those with …` has the opposite meaning.
  if (['except', 'excluding', 'besides', 'than'].includes(wordAt(q, interpretation.position - 1))) return [];
  const position = matchPhrase(q, interpretation.position, SMALL);
  return position < 0 ? [] : [advance(interpretation, position, 0.15)];
}
