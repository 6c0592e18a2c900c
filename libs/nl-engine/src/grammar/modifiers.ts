import type { LinkedQuestion } from '../link/link-question.js';
import type { Table } from '@rowhouse/schema-model';
import type { ColumnLink, Condition, Draft, Order, Quantity, Interpretation } from '../types.js';
import { readAgents } from './agents.js';
import { listDatesOfVerb, readBareConditions } from './bare-conditions.js';
import { readCommonest } from './commonest.js';
import { FLIPPED, isBe, skipUpToComparator } from './comparators.js';
import { readConditions, readPredicate, skipUnit } from './conditions.js';
import { readNested } from './nested.js';
import { readFlags, readOwnedFlags, readToldFlags } from './flags.js';
import { readColumns, readEntities, toRef } from './noun-phrase.js';
import {
  addConditions,
  addMention,
  advance,
  findSame,
  matchPhrase,
  phraseSet,
  putTies,
  remember,
  skipWords,
  wordAt,
  type Parsed,
} from './reader.js';
import { readStock } from './stock.js';
import type { placeEntity } from './targets.js';
import { findLabel } from '../resolve/find-label.js';
import { isFunctionWord } from '../words/function-words.js';
import { isCalendar } from '../resolve/fits-literal.js';
import { isKey } from '../resolve/is-key.js';
import { isVerb, listDateWords } from '../words/verbs.js';
import { readQuantity } from './quantities.js';
import { countRows, isOfValues, listWithSome } from './times.js';
import { readBareWorth } from './totals.js';
import { readDuplicate } from './twins.js';
import { readVerbColumns } from './verb-columns.js';
import { wordSet } from '../words/word-set.js';

const LINKS = wordSet('who that which and but , also where or whom whose if such');
const AUX = wordSet(`
  once still charge part responsible do does did is are was were have has had been be being can ever ever,
  currently also actually already both either they it there those
`);
/** Words that separate two requested things and do not relate them. */
const NO_TIE = wordSet(', and the their also its');
/** Words after which `name` or `order` is a noun, not a verb. */
const BEFORE_NOUN = wordSet('and , the their its');
const NO = wordSet("not never without no n't cannot except excluding");
const PREPOSITIONS = wordSet(`
  of in from at by with on for to within into under about via through as between among during using having
  containing over
`);
const HAVE = wordSet(`
  ever can still if such with having has have had whose where of when for that which and but in by also , or
  is are was were who at the a an their its on been be being born located living live lives lived as under
  scored score contain contains from do does did both either
`);

/** Parses `whose age is over 20`, `with a budget between 1 and 5`, `in Texas` and `and from 2009`. */
export function readFilters(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  if (interpretation.draft.focus < 0 && interpretation.draft.targets.length === 0) return [];
  const position = skipUpToComparator(q, interpretation.position, HAVE);
  const isOr = q.tokens.slice(interpretation.position, position).some((token) => token.lower === 'or');
  const verbAt = skipVerbs(q, position);
  const behindVerb = verbAt === position ? [] : readBehindVerb(q, interpretation, verbAt);
  const found = [
    ...behindVerb,
    ...readFiltersHere(q, interpretation.position),
    ...readSpelled(q, skipWords(q, interpretation.position, LINKS), interpretation.draft),
    ...readSaidFlags(q, interpretation.position),
  ];
  return found
    .filter((parsed) => parsed.position > interpretation.position)
    .flatMap((parsed) => place(q, interpretation, parsed, isOr));
}

/** Parses the conditions at a token that do not depend on the interpretation so far. */
const readFiltersHere = remember((q: LinkedQuestion, from: number): readonly Parsed<Condition>[] => {
  const position = skipUpToComparator(q, from, HAVE);
  const named = matchPhrase(q, skipWords(q, from, LINKS), NAMED);
  return [
    ...readAgents(q, from),
    ...readVerbColumns(q, from),
    ...readNegated(q, position),
    ...readConditions(q, position),
    ...readBareConditions(q, from),
    ...(position > from ? readBareConditions(q, position) : []),
    ...(named > 0 ? readNamed(q, named) : []),
    ...readHappened(q, position),
    ...readOwnedFlags(q, from, position),
    ...readLacking(q, position),
    ...readStock(q, from),
    ...(position > from ? readStock(q, position) : []),
    ...readCommonest(q, from),
    ...readBareWorth(q, from),
  ];
});

const NAMED = phraseSet(
  'named|called|titled|with the name|with name|with the title|is named|is called|are named|are called|whose name is|by the name of|entitled|with the names|are titled',
);

/** Parses `that are active`, `that are not active` and `that have not been returned`. */
const readSaidFlags = remember((q: LinkedQuestion, from: number): readonly Parsed<Condition>[] => {
  const position = skipUpToComparator(q, from, HAVE);
  return readToldFlags(q, from, position, isBe(q, position - 1));
});

/**
 * Skips a verb that only connects a condition to its rows, as in
 * `play the Defender position` and `belong to the Jazz genre`.
 */
function skipVerbs(q: LinkedQuestion, from: number): number {
  let position = from;
  while (
    isTie(q, position) &&
    (q.columns[position] ?? []).every((span) => span.links.every((link) => link.cost >= 0.6))
  )
    position = skipWords(q, position + 1, TIED);
  return position;
}

/**
 * Parses conditions after a verb. A named agent after `by` is a different row
 * than the object, and the verb may not select a date, so both are left out.
 */
function readBehindVerb(
  q: LinkedQuestion,
  interpretation: Interpretation,
  position: number,
): Parsed<Condition>[] {
  const focus = interpretation.draft.mentions[Math.max(0, interpretation.draft.focus)];
  const isBy = wordAt(q, position - 1) === 'by';
  const isSelf = (condition: Condition): boolean =>
    condition.kind === 'value' &&
    condition.links.some(
      (link) =>
        focus?.links.some((table) => table.table === link.table) === true &&
        findLabel(link.table).includes(link.column),
    );
  const isTime = (condition: Condition): boolean =>
    (condition.kind === 'compare' || condition.kind === 'between') &&
    condition.column.position === position &&
    condition.column.links.every((link) => q.lexicon.dateColumns.some((date) => date.column === link.column));
  return [
    ...readConditions(q, position),
    ...readBareConditions(q, position).filter((parsed) => !isTime(parsed.value)),
  ]
    .filter((parsed) => !(isBy && isSelf(parsed.value)))
    .map((parsed) => ({ ...parsed, cost: parsed.cost + (isBy ? 0.45 : 0.15) }));
}

const TIED = wordSet('to the a an in at by with for from as on of');

/**
 * Parses a negated verb or preposition before a condition:
 * `not living in Texas`, `not in the History department`.
 */
const readNegated = remember(findNegated);

function findNegated(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const start = skipWords(q, from, wordSet('are is do does did was were who that but'));
  if (wordAt(q, start) !== 'not') return [];
  let position = start + 1;
  while (
    PREPOSITIONS.has(wordAt(q, position)) ||
    ['the', 'have', 'has', 'had'].includes(wordAt(q, position)) ||
    isTie(q, position)
  )
    position += 1;
  if (position === start + 1) return [];
  return [...readConditions(q, position), ...readBareConditions(q, position)].flatMap((parsed) => {
    const value = negate(parsed.value);
    return value === null ? [] : [{ ...parsed, value }];
  });
}

function negate(condition: Condition): Condition | null {
  if (condition.kind === 'compare') return { ...condition, op: FLIPPED[condition.op] };
  if (condition.kind === 'value') return { ...condition, negated: !condition.negated };
  if (condition.kind === 'like') return { ...condition, negated: !condition.negated };
  return null;
}

/** Parses a verb before a time, as in `who joined in 2025` and `held after 2017`. */
function readHappened(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const word = wordAt(q, from);
  if (listDateWords(word) === null && listDatesOfVerb(q, word).length === 0) return [];
  return readBareConditions(q, from + 1)
    .filter(
      ({ value }) =>
        (value.kind === 'compare' || value.kind === 'between') &&
        value.column.links.every(
          (link) =>
            isCalendar(link.column) || link.column.valueKind === 'year' || /year/i.test(link.column.name),
        ),
    )
    .map((parsed) => ({ ...parsed, cost: parsed.cost + 0.1 }));
}

/** Parses a column that must be NULL, as in `without a bio` and `have no email`. */
function readLacking(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const position = matchPhrase(q, from, phraseSet('no|without|without a|without an|without any'));
  return position < 0
    ? []
    : readColumns(q, position).flatMap((column) => {
        const links = column.value.links.filter(
          (link) =>
            link.column.nullable &&
            link.isPart !== true &&
            !isCalledAsTable(link, q) &&
            !(q.tables[column.value.position] ?? []).some(
              (span) => span.to === column.position && span.links.some((table) => table.cost < 0.3),
            ),
        );
        return links.length === 0
          ? []
          : [
              {
                position: column.position,
                cost: column.cost + 0.1,
                value: { kind: 'null' as const, column: { ...toRef(column.value), links }, negated: false },
              },
            ];
      });
}

/** Excludes a column that is named like its table, as in `devices that have no devices in stock`. */
function isCalledAsTable({ table, column }: ColumnLink, { lexicon }: LinkedQuestion): boolean {
  return lexicon.columnWords.get(column)?.join(' ') === lexicon.tableWords.get(table)?.join(' ');
}

function readNamed(q: LinkedQuestion, position: number): Parsed<Condition>[] {
  const links = ['name', 'title'].flatMap((word, rank) =>
    (q.lexicon.columns.get(word) ?? [])
      .filter((link) => link.isPart !== true)
      .map((link) => ({ ...link, cost: link.cost + rank * 0.1 })),
  );
  for (const table of q.lexicon.snapshot.tables) {
    for (const column of findLabel(table))
      if (links.every((link) => link.column !== column)) links.push({ table, column, cost: 0.2 });
    const own = table.columns.find(
      (column) => column.name.toLowerCase() === table.name.toLowerCase().replace(/s$/, ''),
    );
    if (own !== undefined && links.every((link) => link.table !== table))
      links.push({ table, column: own, cost: 0.1 });
  }
  return links.length === 0 ? [] : readPredicate(q, position, { links, owner: null, position }, 0);
}

const SPELLED = phraseSet(
  ['contain', 'contains', 'containing', 'include', 'includes', 'including', 'has', 'have', 'with']
    .flatMap((verb) =>
      ['word', 'words', 'string', 'substring', 'letter', 'letters', 'phrase'].map(
        (kind) => `${verb} the ${kind}`,
      ),
    )
    .concat([
      'ending in',
      'ending with',
      'ends in',
      'ends with',
      'end in',
      'end with',
      'starting with',
      'starts with',
      'start with',
      'beginning with',
      'begins with',
      'begin with',
    ])
    .join('|'),
);

/**
 * Parses a text search. `products containing the word "blue"` searches the label, and
 * `languages that contain the word` searches the shown column.
 */
function readSpelled(q: LinkedQuestion, position: number, { mentions, targets }: Draft): Parsed<Condition>[] {
  if (matchPhrase(q, position, SPELLED) < 0) return [];
  const visible =
    mentions.length > 0
      ? []
      : targets.flatMap((target) =>
          target.kind === 'column' && target.fn === null
            ? target.column.links.filter((link) => link.column.valueKind === 'string')
            : [],
        );
  const read =
    visible.length > 0
      ? readPredicate(q, position, { links: visible, owner: null, position }, 0)
      : readNamed(q, position);
  return read
    .filter((parsed) => parsed.value.kind === 'like')
    .map((parsed) => ({ ...parsed, cost: parsed.cost + (visible.length > 0 ? 0 : 0.3) }));
}

/** Returns an interpretation for each mention that the condition may belong to, nearest first. */
function place(
  q: LinkedQuestion,
  interpretation: Interpretation,
  parsed: Parsed<Condition>,
  isOr: boolean,
): Interpretation[] {
  const { draft } = interpretation;
  const position = skipOwnUnit(q, { ...parsed, position: skipUnit(q, parsed.position) });
  const named = parsed.value.kind === 'all' ? findNamedRows(draft, parsed.value.parts) : null;
  if (named !== null && draft.mentions.length > 0) {
    const placed = addMention(
      draft,
      {
        links: [{ table: named, cost: 0.3 }],
        tie: q.tokens
          .slice(interpretation.position, parsed.position)
          .map((token) => token.lower)
          .filter(isVerb),
      },
      Math.max(0, draft.focus),
    );
    return [
      advance(
        interpretation,
        position,
        parsed.cost,
        addConditions(placed, placed.focus, [putTies(parsed.value, placed.focus)]),
      ),
    ];
  }
  if (draft.mentions.length === 0) {
    const named = toNamedColumn(draft, parsed.value);
    const plain = {
      ...advance(interpretation, position, parsed.cost + 0.2 + (named === null ? 0 : NAMED_COST)),
      draft: addMentionless(draft, parsed.value),
    };
    return named === null
      ? [plain]
      : [
          { ...advance(interpretation, position, parsed.cost + 0.2), draft: addMentionless(draft, named) },
          plain,
        ];
  }
  const isTime =
    parsed.value.kind === 'compare' &&
    (parsed.value.value.kind === 'period' ||
      parsed.value.column.links.every((link) =>
        q.lexicon.dateColumns.some((date) => date.column === link.column),
      ));
  const first = isTime && draft.groups.length > 0 ? 0 : draft.focus;
  const owners = [...new Set([first, draft.focus, 0, ...draft.mentions.keys()])]
    .filter((owner) => owner >= 0)
    .slice(0, 3);
  return owners.map((owner, rank) => {
    const condition = putTies(parsed.value, owner);
    const next = isOr ? alternate(draft, owner, condition) : addConditions(draft, owner, [condition]);
    return { position, cost: interpretation.cost + parsed.cost + 0.35 * rank, draft: next };
  });
}

/** Skips a unit that is part of the column's name, as in `a yield above 10 tons` for `yield_tons`. */
function skipOwnUnit(q: LinkedQuestion, { position, value }: Parsed<Condition>): number {
  const lemma = q.tokens[position]?.lemma;
  const isNumber =
    (value.kind === 'compare' && value.value.kind === 'number') ||
    (value.kind === 'between' && value.low.kind === 'number');
  const isOwn =
    isNumber &&
    lemma !== undefined &&
    value.column.links.some((link) => q.lexicon.columnWords.get(link.column)?.at(-1) === lemma);
  return isOwn && position > 0 && q.tokens[position - 1]?.kind === 'number' ? position + 1 : position;
}

/**
 * Returns the table of a full name when the question has not
 * mentioned its rows, as in `taught by Ada Birch`, or null.
 */
function findNamedRows(draft: Draft, parts: readonly Condition[]): Table | null {
  const tables = new Set(
    parts.flatMap((part) => (part.kind === 'value' ? part.links.map((link) => link.table) : [])),
  );
  const [table] = tables;
  if (table === undefined || tables.size > 1 || parts.some((part) => part.kind !== 'value')) return null;
  return draft.mentions.some((mention) => mention.links.some((link) => link.table === table)) ? null : table;
}

/** Combines the last condition of the mention with this one by OR. After `not`, both are excluded. */
function alternate(draft: Draft, owner: number, condition: Condition): Draft {
  return {
    ...draft,
    mentions: draft.mentions.map((mention, position) => {
      if (position !== owner) return mention;
      const last = mention.conditions.at(-1);
      if (last === undefined) return { ...mention, conditions: [condition] };
      const other = isNegated(last) && !isNegated(condition) ? negate(condition) : null;
      return {
        ...mention,
        conditions:
          other === null
            ? [...mention.conditions.slice(0, -1), { kind: 'any' as const, parts: [last, condition] }]
            : [...mention.conditions, other],
      };
    }),
  };
}

function isNegated(condition: Condition): boolean {
  return (
    (condition.kind === 'value' && condition.negated) ||
    (condition.kind === 'compare' && condition.op === '!=')
  );
}

/**
 * The extra cost of reading `publishers whose name contains …`
 * as the name of published rows when publishers are a column.
 */
const NAMED_COST = 0.4;

/**
 * Applies a condition on a name to the shown text column.
 * Returns null for other conditions, or when something else is shown.
 */
function toNamedColumn({ targets }: Draft, condition: Condition): Condition | null {
  const [target, ...more] = targets;
  if (
    (condition.kind !== 'compare' && condition.kind !== 'like') ||
    condition.column.isName !== true ||
    more.length > 0 ||
    target?.kind !== 'column' ||
    target.fn !== null ||
    target.column.isName === true
  )
    return null;
  const links = target.column.links.filter(
    (link) => link.column.valueKind === 'string' && !isKey(link.table, link.column),
  );
  return links.length === 0 ? null : { ...condition, column: { ...condition.column, links, isName: false } };
}

/**
 * Adds a condition before any rows have been named. The rows may come from any table of the named columns.
 */
function addMentionless(draft: Draft, condition: Condition): Draft {
  const links = draft.targets
    .flatMap((target) => (target.kind === 'column' ? target.column.links : []))
    .map((link) => ({ table: link.table, cost: link.cost }));
  const unique = links.filter(
    (link, position) => links.findIndex((other) => other.table === link.table) === position,
  );
  const placed = addMention(draft, { links: unique }, -1);
  return addConditions(placed, 0, [putTies(condition, 0)]);
}

/**
 * Parses related rows: `who have at least 2 dogs`, `taught by teachers`, `without pets`, `in departments`.
 */
export function readRelations(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  if (interpretation.draft.mentions.length === 0 && interpretation.draft.targets.length === 0) return [];
  return listTies(q, interpretation.position).flatMap(({ to, tie: connective, onlyAnd }) =>
    readRelated(q, interpretation, to, connective, onlyAnd),
  );
}

interface ConnectiveMatch {
  /** The index after the connecting words, where the related rows begin. */
  readonly to: number;
  readonly tie: Connective;
  /** Set when only `and` or a similar word separates the nouns. */
  readonly onlyAnd: boolean;
}

/** Returns every possible end of the connecting words between two nouns. */
const listTies = remember((q, from): readonly ConnectiveMatch[] => {
  const { end, words, isNegated, hasOr } = scanTie(q, from);
  const found: ConnectiveMatch[] = [];
  for (let start = from; start <= end; start += 1) {
    const used = q.tokens.slice(from, start).map((token) => token.lower);
    const isAct = isVerb(wordAt(q, start)) && (q.tables[start] ?? []).length > 0;
    if (wordAt(q, start - 1) === 'no' && start > from && readQuantity(q, start - 1) !== null) continue;
    if (!isAct && (start === from || used.every((word) => word === ','))) continue;
    const onlyAnd = !isAct && used.every((word) => NO_TIE.has(word)) && readQuantity(q, start) === null;
    const ties = words.filter((word) => used.includes(word));
    const cost = ties.reduce(
      (sum, word) => sum + (isVerb(word) ? (isActIn(q, from, start, word) ? 0.5 : 0.1) : 0.35),
      0,
    );
    const negated = isNegated && used.some((word, step) => NO.has(word) || isUndone(q, from + step));
    found.push({
      to: start,
      onlyAnd,
      tie: { negated, ties, cost, isOr: hasOr && used.includes('or'), isBut: used.includes('but') },
    });
  }
  return found;
});

/** Scans function words, verbs and negations up to the noun that they may connect. */
function scanTie(
  q: LinkedQuestion,
  from: number,
): {
  readonly end: number;
  readonly words: readonly string[];
  readonly isNegated: boolean;
  readonly hasOr: boolean;
} {
  const words: string[] = [];
  let [position, isNegated, hasOr] = [from, false, false];
  for (let step = 0; step < 8; step += 1) {
    const word = wordAt(q, position);
    const isLinked = (q.tables[position] ?? []).length > 0 || (q.columns[position] ?? []).length > 0;
    if (word === 'or') hasOr = true;
    if (NO.has(word) || isUndone(q, position)) isNegated = !isNegated;
    else if (words.at(-1) === wordAt(q, position - 1) && isParticle(wordAt(q, position - 1), word)) {
      /* Skips particles, as in `taken out` and `signed up for`. */
    } else if (
      LINKS.has(word) ||
      AUX.has(word) ||
      PREPOSITIONS.has(word) ||
      word === 'the' ||
      word === 'any'
    ) {
      /* These words have no meaning of their own. */
    } else if (
      (isTie(q, position) || isUnknownVerb(q, from, position)) &&
      !(isLinked && ((step > 0 && words.length > 0) || BEFORE_NOUN.has(wordAt(q, position - 1))))
    ) {
      words.push(word);
    } else break;
    position += 1;
  }
  return { end: position, words, isNegated, hasOr };
}

/** Particles that do not change the meaning of their verbs. Others do, as in `put up with`. */
const PARTICLES: readonly (readonly [particle: string, verbs: RegExp])[] = [
  ['out', /^(?:tak|took|carr|check|hand|giv|gave|send|sent|fill|rent|lend|lent|lease)/],
  ['up', /^(?:sign|set|pick|end)/],
  ['off', /^(?:drop|pay|paid)/],
  ['back', /^(?:bring|brought|giv|gave|pay|paid)/],
];

function isParticle(verb: string, word: string): boolean {
  return PARTICLES.some(([particle, verbs]) => particle === word && verbs.test(verb));
}

/**
 * Returns whether a verb that also names rows is skipped, as in `posted but never commented`.
 * This costs more.
 */
function isActIn(q: LinkedQuestion, from: number, to: number, word: string): boolean {
  return q.tokens
    .slice(from, to)
    .some(
      (token, position) =>
        token.lower === word && position < to - from - 1 && (q.tables[from + position] ?? []).length > 0,
    );
}

const isTie = remember(
  (q, position): boolean =>
    isVerb(wordAt(q, position)) &&
    q.tokens[position]?.isCapital !== true &&
    (q.values[position] ?? []).every((span) => span.to > position + 1) &&
    readFlags(q, position).every(({ value }) => value.kind === 'null'),
);

/** Returns whether the word negates a verb, as in `unaffected by any allergy` and `unassigned to a room`. */
const isUndone = remember((q, position): boolean => {
  const word = wordAt(q, position);
  return (
    /^un.+(?:ed|en)$/.test(word) &&
    isVerb(word.slice(2)) &&
    [q.tables, q.columns, q.values].every((spans) => (spans[position] ?? []).length === 0)
  );
});

/**
 * Returns whether an unknown word must be a verb because
 * of the word before it, such as `who`, `does` or `not`.
 */
function isUnknownVerb(q: LinkedQuestion, from: number, position: number): boolean {
  const token = q.tokens[position];
  if (
    token?.kind !== 'word' ||
    token.isCapital ||
    isFunctionWord(token.lower) ||
    (q.values[position] ?? []).length > 0 ||
    (q.tables[position] ?? []).length > 0 ||
    (q.columns[position] ?? []).length > 0
  )
    return false;
  return (
    (position > from && ['who', 'that', 'which', 'whom'].includes(wordAt(q, position - 1))) ||
    ['do', 'does', 'did', 'not', 'never', 'ever', 'can'].includes(wordAt(q, position - 1))
  );
}

interface Connective {
  readonly negated: boolean;
  readonly ties: readonly string[];
  readonly cost: number;
  readonly isOr: boolean;
  /** Set for `… but no orders`, which refers to the rows that the question is about. */
  readonly isBut: boolean;
}

function readRelated(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
  connective: Connective,
  onlyAnd: boolean,
): Interpretation[] {
  const { draft } = interpretation;
  const found = readQuantity(q, from);
  // In `no more than 5`, the word `no` belongs to the comparator.
  const isNone = wordAt(q, from) === 'no' && found === null;
  // `at most two` is also read without empty sets, except for groups, which are never empty.
  return [found, ...(draft.mentions.length === 0 ? [] : listWithSome(found))]
    .flatMap((quantity) =>
      placeRelated(q, {
        reading: interpretation,
        from,
        tie: connective,
        onlyAnd,
        quantity,
        isNone,
        position: quantity?.position ?? (isNone ? from + 1 : from),
      }),
    )
    .flatMap((item) =>
      item.draft.orders.length > draft.orders.length ? readNested(q, item, item.draft.focus) : [item],
    );
}

interface Related {
  readonly reading: Interpretation;
  readonly from: number;
  readonly tie: Connective;
  readonly onlyAnd: boolean;
  readonly quantity: Parsed<Quantity> | null;
  readonly isNone: boolean;
  readonly position: number;
}

function placeRelated(
  q: LinkedQuestion,
  { reading: interpretation, from, tie: connective, onlyAnd, quantity, isNone, position }: Related,
): Interpretation[] {
  const { draft } = interpretation;
  return readEntities(q, position).flatMap((entity) => {
    if (
      entity.value.isEach ||
      (onlyAnd && findSame(draft, entity.value.links) < 0) ||
      (entity.value.distinct &&
        quantity === null &&
        draft.targets.some(
          (target) => target.kind === 'count' || (target.kind === 'column' && target.fn !== null),
        ))
    )
      return [];
    if (draft.mentions.length === 0 && connective.negated !== isNone && entity.value.orders.length === 0)
      return readDuplicate(
        interpretation,
        entity.value,
        entity.position,
        connective.cost + entity.cost + 0.1,
      );
    // In `the types of schools that have two schools`, the number counts the rows with each value.
    if (
      quantity !== null &&
      !connective.negated &&
      entity.value.conditions.length === 0 &&
      isOfValues(draft) &&
      draft.mentions[0]?.links.some(
        (link) =>
          link.cost < 0.5 &&
          entity.value.links.some((other) => other.table === link.table && other.cost < 0.5),
      ) === true
    )
      return [
        advance(
          interpretation,
          entity.position,
          connective.cost + entity.cost + quantity.cost + 0.2,
          countRows(draft, quantity.value),
        ),
      ];
    const parents =
      draft.mentions.length === 0
        ? [-1]
        : [...new Set(connective.isBut ? [0, draft.focus] : [draft.focus, 0])];
    return parents.map((parent, rank) => {
      const negated = connective.negated !== isNone;
      const same =
        quantity === null &&
        !negated &&
        entity.value.conditions.length === 0 &&
        entity.value.orders.length === 0
          ? draft.mentions.findIndex((mention) =>
              mention.links.some(
                (link) =>
                  link.cost < 0.5 &&
                  entity.value.links.some((other) => other.table === link.table && other.cost < 0.5),
              ),
            )
          : -1;
      if (same >= 0)
        return advance(interpretation, entity.position, connective.cost + entity.cost + 0.3, { focus: same });
      const base = addMention(
        draft,
        {
          links: entity.value.links,
          negated,
          quantity: quantity?.value ?? null,
          tie: connective.ties,
          isAlternative: connective.isOr,
        },
        parent,
      );
      const placed = placeAfter(base, entity.value);
      const grouping =
        quantity === null &&
        isGrouping(q, from, connective) &&
        entity.value.conditions.length === 0 &&
        draft.targets.some(
          (target) =>
            target.kind === 'count' ||
            target.kind === 'size' ||
            (target.kind === 'column' && target.fn !== null),
        )
          ? GROUPING_COST
          : 0;
      return advance(
        interpretation,
        entity.position,
        connective.cost +
          entity.cost +
          (quantity?.cost ?? 0) +
          0.2 * rank +
          grouping +
          (entity.value.distinct && quantity === null ? LOST_DISTINCT_COST : 0),
        placed,
      );
    });
  });
}

/**
 * The extra cost of dropping a `distinct` that belongs to
 * what is shown, as in `names of all distinct customers`.
 */
const LOST_DISTINCT_COST = 0.4;

/** The extra cost of reading `how many posts by user` as posts that have a user. */
const GROUPING_COST = 0.6;

/** Returns whether `by` follows no verb, and therefore groups. */
function isGrouping(q: LinkedQuestion, from: number, connective: Connective): boolean {
  return wordAt(q, from - 1) === 'by' && connective.ties.length === 0 && !connective.negated;
}

function placeAfter(draft: Draft, entity: Parameters<typeof placeEntity>[1]): Draft {
  const id = draft.focus;
  const bound = addConditions(
    draft,
    id,
    entity.conditions.map((condition) => putTies(condition, id)),
  );
  const orders = entity.orders.map((order): Order =>
    order.key.kind === 'column'
      ? { ...order, key: { ...order.key, column: { ...order.key.column, owner: id } } }
      : order,
  );
  return orders.length === 0
    ? bound
    : { ...bound, orders: [...bound.orders, ...orders], limit: bound.limit ?? entity.limit };
}
