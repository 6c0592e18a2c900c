import type { Table } from '@rowhouse/schema-model';
import type { DayNumber } from '../dates/calendar.js';
import type { Lexicon } from '../lexicon/lexicon.js';
import { toValueKey } from '../lexicon/index-values.js';
import { toPhraseKey } from '../lexicon/name-phrases.js';
import { listSynonyms } from '../lexicon/synonyms.js';
import type { ColumnLink, Span, TableLink, Token, ValueLink } from '../types.js';
import { isFunctionWord } from '../words/function-words.js';
import { toRoot } from '../words/inflect.js';
import { isVerb } from '../words/verbs.js';
import { wordSet } from '../words/word-set.js';
import {
  dropPunctuationInQuotes,
  dropRepeated,
  toSchemaWord,
  correctFirstToken,
  correctFunctionTokens,
  UNKNOWN_MAX,
} from './correct-tokens.js';
import { PathBudget } from '../resolve/table-graph.js';
import type { LinkedQuestion } from './linked-question.js';
import { putMeasureLast } from './put-measure-last.js';
import { putTimeLast } from './put-time-last.js';

const SPAN_MAX = 6;

/** The cost below which a phrase is considered the name itself, or an obvious form of it. */
const NEAR_COST = 0.5;

/** The cost below which another word for a first or last name is accepted. */
const NAME_COST = 0.75;

const VALUE_SPAN_MAX = 8;

/** The additional cost of a built-in synonym, compared with the schema's own word. */
const SYNONYM_COST = 0.7;

/** General nouns that often follow a name without changing the column to which it refers. */
const GENERAL_NOUNS = wordSet(`
  code number value date name id amount time type status title level city percentage score rate rating point
  year size rank count category kind reason decision position
`);

const NUMBER_WORDS = wordSet('number count total amount');

const INNER_WORDS = wordSet("of the 's in for to on at by / - _ a");

/**
 * Finds the tables, columns and values to which the tokens may refer. Corrects misspelled words first.
 *
 * @param budget the budget for searches for join paths, which several questions may share
 */
export function linkQuestion(
  written: readonly Token[],
  lexicon: Lexicon,
  today: DayNumber,
  budget = new PathBudget(),
): LinkedQuestion {
  const unknownWords = { left: UNKNOWN_MAX };
  const tokens = putTimeLast(
    putMeasureLast(
      correctFunctionTokens(correctFirstToken(dropRepeated(written), lexicon), lexicon),
      lexicon,
    ),
  ).map((token) => toSchemaWord(dropPunctuationInQuotes(token, lexicon), lexicon, unknownWords));
  const forEachToken = <T>(find: (from: number) => Span<T>[]): Span<T>[][] =>
    tokens.map((_, from) => find(from));
  const tables = forEachToken((from) => [
    ...findSpans(tokens, from, lexicon.tables),
    ...findVerbTables(tokens, from, lexicon),
  ]);
  return {
    tokens,
    lexicon,
    budget,
    today,
    columns: forEachToken((from) => [
      ...findSpans(tokens, from, lexicon.columns),
      ...findAmounts(tokens, tables[from] ?? [], lexicon),
    ]),
    tables,
    values: forEachToken((from) => findValuesOrFirstNames(tokens, from, lexicon)),
  };
}

/** The additional cost of interpreting the name of a table as its column with amounts. */
const AMOUNT_COST = 0.05;

/**
 * Returns links from the singular of a table's name, such as `the stock`, to the table's column with amounts.
 */
function findAmounts(
  tokens: readonly Token[],
  spans: readonly Span<TableLink>[],
  { amounts }: Lexicon,
): Span<ColumnLink>[] {
  return spans
    .filter(({ to }) => tokens[to - 1]?.lemma === tokens[to - 1]?.lower)
    .flatMap(({ from, to, links: named }) => {
      const links = named.flatMap(({ table, cost }) => {
        const column = amounts.get(table);
        return column === undefined || cost > NEAR_COST ? [] : [{ table, column, cost: cost + AMOUNT_COST }];
      });
      return links.length === 0 ? [] : [{ from, to, links }];
    });
}

/** Returns links from a verb such as `commented` to a table with the same root, such as `comments`. */
function findVerbTables(tokens: readonly Token[], from: number, lexicon: Lexicon): Span<TableLink>[] {
  const token = tokens[from];
  if (
    token?.kind !== 'word' ||
    token.isCapital ||
    !/(ed|ing)$/.test(token.lower) ||
    !isVerb(token.lower) ||
    lexicon.tables.has(token.lemma)
  )
    return [];
  const stem = token.lower.replace(/(ed|ing)$/, '');
  const links =
    [token.lower, stem, `${stem}e`]
      .map((form) => lexicon.tablesByVerbRoot.get(toRoot(form)) ?? [])
      .find((list) => list.length > 0) ?? [];
  return links.length === 0 ? [] : [{ from, to: from + 1, links }];
}

function findSpans<
  T extends { readonly table: Table; readonly cost: number; readonly column?: { readonly name: string } },
>(tokens: readonly Token[], from: number, index: ReadonlyMap<string, readonly T[]>): Span<T>[] {
  const first = tokens[from];
  if (first === undefined || first.kind === 'quoted' || first.kind === 'mark' || INNER_WORDS.has(first.lower))
    return [];
  const spans: Span<T>[] = [];
  const words: string[] = [];
  for (let to = from + 1; to <= tokens.length && to - from <= SPAN_MAX; to += 1) {
    const token = tokens[to - 1];
    if (token === undefined || token.kind === 'quoted') break;
    if (token.kind === 'mark' && !INNER_WORDS.has(token.lower)) break;
    // Skips `number of` after `total`, so that `total number of horses` can refer to `total_horses`.
    if (
      INNER_WORDS.has(token.lower) ||
      (token.lower === 'number' && words.at(-1) === 'total' && tokens[to]?.lower === 'of')
    )
      continue;
    words.push(token.lemma);
    const hasInnerWords = to - from > words.length;
    const found = findLinks(words, index, hasInnerWords ? INNER_WORDS_COST : 0);
    const links =
      hasInnerWords && NUMBER_WORDS.has(words[0] ?? '')
        ? found.filter((link) => startsWithNumber(link))
        : found;
    if (links.length > 0) spans.unshift({ from, to, links });
  }
  return spans.length === 0 ? findSharedNoun(tokens, from, index) : spans;
}

/**
 * Links the first of two words that have the following noun in common, such as `low` in `low and high
 * estimates`.
 */
function findSharedNoun<
  T extends { readonly table: Table; readonly cost: number; readonly column?: { readonly name: string } },
>(tokens: readonly Token[], from: number, index: ReadonlyMap<string, readonly T[]>): Span<T>[] {
  const [first, and, second, noun] = tokens.slice(from, from + 4);
  if (
    first === undefined ||
    second === undefined ||
    noun === undefined ||
    (and?.lower !== 'and' && and?.lower !== 'or') ||
    first.kind !== 'word' ||
    second.kind !== 'word' ||
    noun.kind !== 'word'
  )
    return [];
  // For names, a higher cost is accepted, so that `first and last names` can refer to columns for a forename
  // and a surname.
  const costMax = noun.lemma === 'name' ? NAME_COST : NEAR_COST;
  const findClose = (word: string): readonly T[] =>
    findLinks([word, noun.lemma], index, 0).filter((link) => link.cost < costMax);
  const links = findClose(first.lemma);
  return links.length > 0 && findClose(second.lemma).length > 0 ? [{ from, to: from + 1, links }] : [];
}

/** Reports whether a column stores a count. Otherwise, `number of rooms` would match the number of a room. */
function startsWithNumber(link: { readonly column?: { readonly name: string } }): boolean {
  return (
    /^(num|no|nbr|number|count|total|amount)/i.test(link.column?.name ?? '') ||
    /(count|total|amount)$/i.test(link.column?.name ?? '')
  );
}

/** The additional cost if other words are between the words of a name. */
const INNER_WORDS_COST = 0.15;
/** The cost below which a phrase is a close match. Similar phrases are then not tried. */
const CLOSE_COST = 0.5;
/** The additional cost of omitting a last word such as `name` or `id`. */
const WITHOUT_GENERAL_NOUN_COST = 0.4;
/** The maximum cost of a match of a name without its last word. */
const WITHOUT_GENERAL_NOUN_COST_MAX = 0.6;

/** Returns the names that match the words exactly, with another form of a word, or with a synonym. */
function findLinks<
  T extends { readonly table: Table; readonly cost: number; readonly column?: { readonly name: string } },
>(words: readonly string[], index: ReadonlyMap<string, readonly T[]>, extra: number): readonly T[] {
  const direct = index.get(toPhraseKey(words)) ?? [];
  const found = direct.map((link) => (extra === 0 ? link : { ...link, cost: link.cost + extra }));
  if (direct.some((link) => link.cost < CLOSE_COST) || words.length > 3) return found;
  const last = words.at(-1) ?? '';
  if (words.length > 1 && extra === 0 && (GENERAL_NOUNS.has(last) || isAddressOfKind(words.at(-2), last)))
    found.push(
      ...(index.get(toPhraseKey(words.slice(0, -1))) ?? [])
        .filter(
          (link) =>
            link.cost < WITHOUT_GENERAL_NOUN_COST_MAX &&
            !isIdOrNameMismatch(link, last) &&
            (isPhoneNumber(words.at(-2), last) ||
              isAddressOfKind(words.at(-2), last) ||
              !hasCloserMatch(link, index.get(last) ?? [])),
        )
        .map((link) => ({ ...link, cost: link.cost + WITHOUT_GENERAL_NOUN_COST + extra })),
    );
  const others = listVariants(words)
    .flatMap((variant) => index.get(toPhraseKey(variant)) ?? [])
    .map((link) => ({ ...link, cost: link.cost + SYNONYM_COST + extra }));
  const forms =
    words.length === 1
      ? []
      : words
          .flatMap((word, position) =>
            listForms(word).flatMap(
              (form) =>
                index.get(toPhraseKey([...words.slice(0, position), form, ...words.slice(position + 1)])) ??
                [],
            ),
          )
          .map((link) => ({ ...link, cost: link.cost + FORM_COST + extra }));
  return [...found, ...forms, ...others];
}

/** The additional cost of another form of a word in a name, such as `opening year` for `open_year`. */
const FORM_COST = 0.3;

function listForms(word: string): readonly string[] {
  const stem = /^(.{3,})(?:ing|ed)$/.exec(word)?.[1];
  return stem === undefined ? [] : [stem, `${stem}e`];
}

/**
 * Reports whether the words are `phone number` or a synonym. They refer to a column with a phone number, even
 * if the table also has a column for a number.
 */
function isPhoneNumber(word: string | undefined, last: string): boolean {
  return (
    last === 'number' &&
    word !== undefined &&
    ['phone', 'telephone', 'cellphone', 'fax', 'mobile'].includes(word)
  );
}

/** Reports whether the words are `email address` or similar. They may refer to a column `email`. */
function isAddressOfKind(word: string | undefined, last: string): boolean {
  return last === 'address' && word !== undefined && ['email', 'mail', 'e-mail', 'web', 'ip'].includes(word);
}

/**
 * Reports whether another link in the same table is a closer match. `institution type` then refers to the
 * column `type` of institutions instead of a column `institution`.
 */
function hasCloserMatch(
  link: { readonly table: Table },
  others: readonly { readonly table: Table; readonly cost: number }[],
): boolean {
  return others.some((other) => other.table === link.table && other.cost < CLOSE_COST);
}

/**
 * Reports whether a phrase that ends with `id` would match a column with a name, or a phrase that ends with
 * `name` an id. Also returns true for tables, because such a phrase refers to a column.
 */
function isIdOrNameMismatch(
  link: { readonly cost: number; readonly column?: { readonly name: string } },
  last: string,
): boolean {
  if (link.column === undefined) return true;
  const { name } = link.column;
  if (['id', 'code', 'number'].includes(last)) return /(name|title|description|details)$/i.test(name);
  return ['name', 'title'].includes(last) && /(id|code|number|num|no)$/i.test(name);
}

/** Returns variants of the words in which one word, or the complete phrase, is replaced with a synonym. */
function listVariants(words: readonly string[]): string[][] {
  const whole = listSynonyms(words.join(' ')).map((other) => other.split(' '));
  const single =
    words.length === 1
      ? []
      : words.flatMap((word, index) =>
          listSynonyms(word).map((other) => [
            ...words.slice(0, index),
            ...other.split(' '),
            ...words.slice(index + 1),
          ]),
        );
  // A last word `number` may mean an id, such as the id of departments for `department number`.
  const keyed = words.length > 1 && words.at(-1) === 'number' ? [[...words.slice(0, -1), 'id']] : [];
  return [...whole, ...single, ...keyed];
}

/**
 * Returns the stored values that begin at a token. If no value is found, a capitalized word may be a person's
 * first name.
 */
function findValuesOrFirstNames(
  tokens: readonly Token[],
  from: number,
  { values, firstNames }: Lexicon,
): Span<ValueLink>[] {
  const spans = findValues(tokens, from, values);
  const token = tokens[from];
  const links =
    spans.length > 0 || token?.kind !== 'word' || !token.isCapital || isFunctionWord(token.lower)
      ? undefined
      : firstNames.get(token.lower);
  return links === undefined ? spans : [{ from, to: from + 1, links }];
}

function findValues(
  tokens: readonly Token[],
  from: number,
  index: ReadonlyMap<string, readonly ValueLink[]>,
): Span<ValueLink>[] {
  const first = tokens[from];
  if (first === undefined || first.kind === 'mark') return [];
  if (first.kind === 'quoted') {
    const links = index.get(toValueKey(first.text));
    return links === undefined ? [] : [{ from, to: from + 1, links }];
  }
  const spans: Span<ValueLink>[] = [];
  let text = '';
  for (let to = from + 1; to <= tokens.length && to - from <= VALUE_SPAN_MAX; to += 1) {
    const token = tokens[to - 1];
    if (token === undefined || token.kind === 'quoted') break;
    text = text === '' ? token.text : `${text} ${token.text}`;
    if (to - from === 1 && (isFunctionWord(token.lower) || token.kind === 'number')) continue;
    const key = toValueKey(text);
    const links =
      index.get(key) ?? (to - from === 1 && token.lemma !== token.lower ? index.get(token.lemma) : undefined);
    if (links !== undefined) spans.unshift({ from, to, links });
  }
  return spans;
}
