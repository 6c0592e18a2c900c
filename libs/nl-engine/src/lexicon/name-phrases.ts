import { wordSet } from '../words/word-set.js';

/**
 * A phrase that may refer to a table or column. `cost` is higher the more the phrase differs from the name.
 */
export interface Phrase {
  readonly words: readonly string[];
  readonly cost: number;
  /** For a part of a name: whether it includes the last word of the name, which is its head noun. */
  readonly hasHead?: boolean;
}

const GENERAL_NOUNS = wordSet('code name type value number text field date id detail description status');
const FUNCTION_WORDS = wordSet('of the in for to on by at a is and with from');

/** The first words in names of boolean columns, such as `is_active` and `has_balcony`. */
const FLAG_PREFIXES = wordSet('is are be has have');

/** Units at the end of column names, which questions usually omit. */
const UNITS = wordSet(`
  billion million thousand dollar usd euro eur meter metre m km mile foot ft inch cm mm kg g lb pound kb mb
  gb mib kib gib percent pct yn second sec minute hour ms k
`);

/**
 * The lowest cost of a part of a name. The complete name has cost 0, and the name without the words of its
 * table has a cost below 1.
 */
export const PART_COST = 1;

/**
 * The limits for parts of names. If a name has more than `WORDS_USUAL` words, only its parts of at most
 * `PART_WORDS_MAX` words are in the index. A name of 32 words would have 528 parts.
 */
const [WORDS_USUAL, PART_WORDS_MAX] = [8, 2];

/**
 * Returns the phrases that may refer to a column: the complete name, the name without the words of its table,
 * the name without a general last noun such as `code`, and parts of the name.
 */
export function listColumnPhrases(
  words: readonly string[],
  tableWords: readonly string[],
  withParts = true,
): Phrase[] {
  const phrases: Phrase[] = [{ words, cost: 0 }];
  const own = words.filter(
    (word, index) =>
      !FUNCTION_WORDS.has(word) && !(index === 0 && words.length > 1 && FLAG_PREFIXES.has(word)),
  );
  if (own.length < words.length) phrases.push({ words: own, cost: 0.05 });
  const withoutTableWords = dropTableWords(own, tableWords);
  if (withoutTableWords.length > 0 && withoutTableWords.length < own.length)
    phrases.push(
      { words: withoutTableWords, cost: 0.2 },
      ...(withoutTableWords.length === own.length - 1 && !tableWords.includes(own[0] ?? '')
        ? [{ words: [...tableWords, ...withoutTableWords], cost: 0.05 }]
        : []),
    );
  const withoutUnit = dropUnits(own);
  if (withoutUnit.length < own.length)
    phrases.push(
      { words: withoutUnit, cost: 0.1 },
      { words: dropTableWords(withoutUnit, tableWords), cost: 0.3 },
    );
  for (const list of [own, withoutTableWords]) {
    const last = list.at(-1) ?? '';
    if (list.length > 1 && GENERAL_NOUNS.has(last))
      phrases.push({
        words: list.slice(0, -1),
        cost: last === 'id' ? 1.6 : last === 'name' ? 0.6 : last === 'code' ? 0.4 : 0.7,
      });
    const beforeLast = list.at(-2) ?? '';
    if (list.length > 2 && GENERAL_NOUNS.has(last) && GENERAL_NOUNS.has(beforeLast))
      phrases.push({ words: list.slice(0, -2), cost: 0.9 });
  }
  if (own.length > 1 && withParts) {
    const wordsMax = own.length > WORDS_USUAL ? PART_WORDS_MAX : own.length - 1;
    for (let from = 0; from < own.length; from += 1) {
      for (let to = from + 1; to <= own.length && to - from <= wordsMax; to += 1) {
        const part = own.slice(from, to);
        if (
          part.some(
            (word) => !GENERAL_NOUNS.has(word) || word === 'name' || word === 'date' || word === 'type',
          )
        )
          phrases.push({
            words: part,
            cost: PART_COST + 0.1 * (own.length - part.length),
            hasHead: to === own.length,
          });
      }
    }
  }
  // If the name consists of a participle and `by`, such as `directed_by`, the noun for the acting person is
  // added, such as `director`.
  if (own.length < words.length && words.length === 2 && words[1] === 'by')
    phrases.push(...listAgentNouns(words[0] ?? '').map((word) => ({ words: [word], cost: 0.1 })));
  // The first and the last of three words are added, such as `placed date` for `date_order_placed`.
  if (own.length === 3)
    phrases.push({ words: [own[0] ?? '', own[2] ?? ''], cost: PART_COST + 0.1, hasHead: true });
  return phrases;
}

/**
 * Returns the phrases that may refer to a table: the complete name, the name without a technical prefix or
 * suffix, its first word, and its last words.
 */
export function listTablePhrases(words: readonly string[], isJunction = false): Phrase[] {
  const phrases: Phrase[] = [{ words, cost: 0 }];
  const own = words.filter((word) => !FUNCTION_WORDS.has(word));
  if (own.length < words.length) phrases.push({ words: own, cost: 0.05 });
  if (own.length > 1 && ['reference', 'tbl', 'table', 'master', 'lookup', 'all'].includes(own[0] ?? ''))
    phrases.push({ words: own.slice(1), cost: 0.3 });
  if (
    own.length > 1 &&
    ['record', 'data', 'information', 'table', 'list', 'detail', 'master'].includes(own.at(-1) ?? '')
  )
    phrases.push({ words: own.slice(0, -1), cost: 0.4 });
  // The first word may represent the table, such as `county` for `county_public_safety`. This does not apply
  // to a link table such as `member_book_loan`, whose name begins with that of another table.
  if (own.length === 2 || (own.length > 2 && !isJunction))
    phrases.push({ words: own.slice(0, 1), cost: PART_COST + 0.3 });
  for (let from = 1; from < own.length; from += 1)
    phrases.push({ words: own.slice(from), cost: PART_COST + 0.2 * from, hasHead: true });
  // Each of the two nouns around `and` is added with the words before them, as for
  // `course_authors_and_tutors`.
  const both = words.indexOf('and');
  if (both > 0 && both === words.length - 2)
    phrases.push(
      { words: words.slice(0, both), cost: 0.3 },
      { words: [...words.slice(0, both - 1), ...words.slice(both + 1)], cost: 0.3 },
    );
  return phrases;
}

function dropUnits(words: readonly string[]): readonly string[] {
  let to = words.length;
  while (to > 1 && UNITS.has(words[to - 1] ?? '')) to -= 1;
  return words.slice(0, to);
}

function dropTableWords(words: readonly string[], tableWords: readonly string[]): readonly string[] {
  let index = 0;
  while (
    index < words.length &&
    (tableWords.includes(words[index] ?? '') ||
      ((words[index] ?? '').length === 1 && index === 0) ||
      (index === 0 && tableWords.some((word) => isAbbreviationOf(words[0] ?? '', word))))
  )
    index += 1;
  return index > 0 ? words.slice(index) : words;
}

/**
 * Reports whether `short` is an abbreviation of the word. It has the same first letter, and then other
 * letters of the word in order, such as `apt` for `apartment`.
 */
function isAbbreviationOf(short: string, word: string): boolean {
  if (short.length < 2 || short.length > 4 || word.length < short.length + 2 || short[0] !== word[0])
    return false;
  let index = 0;
  for (const letter of word) if (letter === short[index]) index += 1;
  return index === short.length;
}

/** Returns a lookup key for a phrase. It is the same for all orders of the same words. */
export function toPhraseKey(words: readonly string[]): string {
  return [...words].sort().join(' ');
}

/**
 * Returns possible nouns for the acting person of a participle, such as `director` and `directer` for
 * `directed`.
 */
function listAgentNouns(participle: string): readonly string[] {
  if (participle === 'written') return ['writer'];
  const stem = /^(.{3,})ed$/.exec(participle)?.[1];
  return stem === undefined ? [] : [`${stem}or`, `${stem}er`];
}
