import type { LinkedQuestion } from '../../link/linked-question.js';
import type { ColumnLink, Interpretation } from '../../types.js';
import { toRoot } from '../../words/inflect.js';
import { isVerb, listDateWordsOfBase } from '../../words/verbs.js';
import { readEntities } from '../nouns/entity-phrases.js';
import { readColumns, toRef } from '../nouns/column-phrases.js';
import { matchPhrase, phraseSet, type Parsed, skipWords, wordAt } from '../reader.js';
import { advance, placeEntity } from '../draft.js';
import { wordSet } from '../../words/word-set.js';

const WHEN = phraseSet(`
  when was|when were|when did|when is|when are|when do|when does|when has|when have|when will|
  on what day was|on what day did|on which day was|on what date was|on which date was|on what date did
`);
const WHERE = phraseSet('where is|where are|where was|where were|where does|where do|where did');
/** Names of columns that contain a location, with the most probable first. */
const LOCATION_NAMES = [
  'location',
  'address',
  'place',
  'venue',
  'city',
  'headquarter',
  'headquarters',
  'town',
  'country',
  'state',
];
const LOCATION_VERBS = wordSet(`
  located live lives lived living based held situated found reside resides placed stay made listed recorded
  stored
`);

/**
 * Parses a question for a column with a date or a location, as in `When was the order placed?` and `Where is
 * the club located?`. The verb after the rows selects the column.
 */
export function readWhenAndWhere(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const [when, where] = [
    matchPhrase(q, interpretation.position, WHEN),
    matchPhrase(q, interpretation.position, WHERE),
  ];
  const position = Math.max(when, where);
  if (position < 0) return [];
  // The question may name the column with the location itself, as in `Where is the headquarters of …`.
  const named =
    when > 0
      ? []
      : readColumns(q, position)
          .filter((column) => LOCATION_NAMES.includes(q.tokens[column.position - 1]?.lemma ?? ''))
          .map((column) =>
            advance(interpretation, column.position, column.cost + 0.1, {
              targets: [{ kind: 'column', column: toRef(column.value), fn: null, distinct: false }],
            }),
          );
  return [
    ...named,
    ...(when > 0 ? readWhenFirst(q, interpretation, position) : []),
    ...readEntities(q, position)
      .filter((entity) => entity.value.orders.length === 0 && !entity.value.isEach)
      .flatMap((entity) => {
        const tables = entity.value.links.map((link) => link.table);
        const found =
          when > 0
            ? findDateColumns(q, entity.position, tables)
            : findLocationColumns(q, entity.position, tables);
        if (found === null) return [];
        const draft = placeEntity(interpretation.draft, entity.value, -1);
        return [
          advance({ ...interpretation, draft }, entity.position, entity.cost + found.cost, {
            targets: [
              {
                kind: 'column',
                column: { links: found.value, owner: draft.focus, position: found.position },
                fn: null,
                distinct: false,
              },
            ],
          }),
        ];
      }),
  ];
}

const EARLIEST = phraseSet('the first|first|the earliest|the very first|the oldest');
const LATEST = phraseSet('the last|the latest|the most recent|the newest|the very last');

/** Parses a question for the earliest or latest date of rows, as in `When was the first order placed?`. */
function readWhenFirst(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  const [first, last] = [matchPhrase(q, from, EARLIEST), matchPhrase(q, from, LATEST)];
  const position = Math.max(first, last);
  if (position < 0) return [];
  return readEntities(q, position)
    .filter((entity) => entity.value.orders.length === 0 && !entity.value.isEach)
    .flatMap((entity) => {
      const found = findDateColumns(
        q,
        entity.position,
        entity.value.links.map((link) => link.table),
      );
      if (found === null) return [];
      const draft = placeEntity(interpretation.draft, entity.value, -1);
      const column = { links: found.value, owner: draft.focus, position: found.position };
      return [
        advance({ ...interpretation, draft }, entity.position, entity.cost + found.cost, {
          targets: [{ kind: 'column', column, fn: null, distinct: false }],
          orders: [{ key: { kind: 'column', column, fn: null }, direction: first > 0 ? 'asc' : 'desc' }],
          limit: 1,
        }),
      ];
    });
}

const AUXILIARY_VERBS = wordSet('is are was were has have had been be being both currently');
const PREPOSITIONS_AT_END = wordSet('in at on to from there by as of');

/**
 * Skips a verb at the end that the returned column implies, or that only indicates a location, as in `the
 * date the claim was made` and `cities where students live`.
 */
export function skipImpliedVerb(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { position, draft } = interpretation;
  if (
    draft.targets.some((target) => target.kind === 'column' && target.column.position === position) &&
    isVerb(wordAt(q, position))
  )
    return [advance(interpretation, isGeneralEvent(q, position + 1) ? position + 2 : position + 1, 0)];
  const start = skipWords(q, position, AUXILIARY_VERBS);
  const verb = wordAt(q, start);
  const end = skipWords(q, start + 1, PREPOSITIONS_AT_END);
  if (
    !isVerb(verb) ||
    draft.mentions.length === 0 ||
    (q.tokens[end] !== undefined && q.tokens[end]?.kind !== 'mark')
  )
    return [];
  const isShown = draft.targets.some(
    (target) =>
      target.kind === 'column' &&
      target.column.links.some((link) =>
        (q.lexicon.columnWords.get(link.column) ?? []).some((word) => toRoot(word) === toRoot(verb)),
      ),
  );
  const isLocation = LOCATION_VERBS.has(verb) && draft.targets.some((target) => target.kind === 'column');
  return isShown || isLocation ? [advance(interpretation, end, isShown ? 0.1 : 0.2)] : [];
}

function findVerb(q: LinkedQuestion, from: number, fits: (word: string) => boolean): number {
  const end = q.tokens.findIndex((token, position) => position >= from && ['?', '.'].includes(token.lower));
  for (let position = (end < 0 ? q.tokens.length : end) - 1; position >= from; position -= 1)
    if (isVerb(wordAt(q, position)) && fits(wordAt(q, position))) return position;
  return -1;
}

/**
 * Reports whether the verb is `happen`, `take place` or a synonym. It then applies to every date column of
 * the rows.
 */
function isGeneralEvent(q: LinkedQuestion, position: number): boolean {
  return (
    ['happen', 'happened', 'occur', 'occurred'].includes(wordAt(q, position)) ||
    (wordAt(q, position) === 'place' && ['take', 'took', 'taken', 'taking'].includes(wordAt(q, position - 1)))
  );
}

type Tables = readonly { readonly name: string }[];

function findDateColumns(
  q: LinkedQuestion,
  from: number,
  tables: Tables,
): Parsed<readonly ColumnLink[]> | null {
  const own = q.lexicon.dateColumns.filter((link) => tables.includes(link.table));
  const wordsOf = ({ table, column }: ColumnLink): readonly string[] =>
    (q.lexicon.columnWords.get(column) ?? []).filter(
      (word) => q.lexicon.tableWords.get(table)?.includes(word) !== true,
    );
  const position = findVerb(q, from, () => true);
  if (position < 0) return null;
  const verb = wordAt(q, position);
  if (isGeneralEvent(q, position))
    return own.length === 0
      ? null
      : { position: verb === 'place' ? position - 1 : position, cost: 0.2, value: own };
  const eventRoots = new Set([...(listDateWordsOfBase(verb) ?? []), verb].map(toRoot));
  const named = own.filter((link) =>
    wordsOf(link).some((word) => eventRoots.has(toRoot(word)) && word !== 'year' && word !== 'date'),
  );
  if (named.length > 0) return { position, cost: 0.1, value: named.map((link) => ({ ...link, cost: 0 })) };
  const plain = own.filter((link) =>
    wordsOf(link).every((word) => word === 'date' || word === 'year' || word === 'time'),
  );
  return plain.length === 0 || listDateWordsOfBase(verb) === null
    ? null
    : { position, cost: 0.3, value: plain.map((link) => ({ ...link, cost: 0.2 })) };
}

function findLocationColumns(
  q: LinkedQuestion,
  from: number,
  tables: Tables,
): Parsed<readonly ColumnLink[]> | null {
  const position = findVerb(q, from, (word) => LOCATION_VERBS.has(word));
  const links = LOCATION_NAMES.flatMap((name, rank) =>
    (q.lexicon.columns.get(name) ?? [])
      .filter((link) => tables.includes(link.table) && link.cost < 0.7)
      .map((link) => ({ ...link, cost: link.cost + 0.1 * rank })),
  );
  return links.length === 0 ? null : { position: position < 0 ? from : position, cost: 0.2, value: links };
}
