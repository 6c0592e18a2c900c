import { wordSet } from '../words/word-set.js';

/** A phrase that may refer to a name, with its distance from the name. */
export interface Phrase {
  readonly words: readonly string[];
  readonly cost: number;
  /** For parts of a name: set when the part includes the last word, which states what the thing is. */
  readonly hasHead?: boolean;
}

const WEAK_ENDS = wordSet('code name type value number text field date id detail description status');
const EMPTY = wordSet('of the in for to on by at a is and with from');

/** The first words of boolean columns, such as `is_active` and `has_balcony`. */
const ASKING = wordSet('is are be has have');

/** Units at the end of column names. Questions usually leave them out. */
const UNITS = wordSet(`
  billion million thousand dollar usd euro eur meter metre m km mile foot ft inch cm mm kg g lb pound kb mb
  gb mib kib gib percent pct yn second sec minute hour ms k
`);

/**
 * The lowest cost of a part of a name.
 * The name itself costs 0, and the name without the words of its table costs less than 1.
 */
export const PART_COST = 1;

/**
 * Names with more words than the first figure are only found by
 * parts of at most the second, since 32 words have 528 parts.
 */
const [WORDS_USUAL, PART_WORDS_MAX] = [8, 2];

/**
 * Returns the phrases for a column: its words, its words without
 * those of the table, without a weak last word, and parts of it.
 */
export function listColumnPhrases(
  words: readonly string[],
  tableWords: readonly string[],
  withParts = true,
): Phrase[] {
  const phrases: Phrase[] = [{ words, cost: 0 }];
  const own = words.filter(
    (word, index) => !EMPTY.has(word) && !(index === 0 && words.length > 1 && ASKING.has(word)),
  );
  if (own.length < words.length) phrases.push({ words: own, cost: 0.05 });
  const unqualified = dropTableWords(own, tableWords);
  if (unqualified.length > 0 && unqualified.length < own.length)
    phrases.push(
      { words: unqualified, cost: 0.2 },
      ...(unqualified.length === own.length - 1 && !tableWords.includes(own[0] ?? '')
        ? [{ words: [...tableWords, ...unqualified], cost: 0.05 }]
        : []),
    );
  const unitless = dropUnits(own);
  if (unitless.length < own.length)
    phrases.push({ words: unitless, cost: 0.1 }, { words: dropTableWords(unitless, tableWords), cost: 0.3 });
  for (const list of [own, unqualified]) {
    const last = list.at(-1) ?? '';
    if (list.length > 1 && WEAK_ENDS.has(last))
      phrases.push({
        words: list.slice(0, -1),
        cost: last === 'id' ? 1.6 : last === 'name' ? 0.6 : last === 'code' ? 0.4 : 0.7,
      });
    const beforeLast = list.at(-2) ?? '';
    if (list.length > 2 && WEAK_ENDS.has(last) && WEAK_ENDS.has(beforeLast))
      phrases.push({ words: list.slice(0, -2), cost: 0.9 });
  }
  if (own.length > 1 && withParts) {
    const wordsMax = own.length > WORDS_USUAL ? PART_WORDS_MAX : own.length - 1;
    for (let from = 0; from < own.length; from += 1) {
      for (let to = from + 1; to <= own.length && to - from <= wordsMax; to += 1) {
        const part = own.slice(from, to);
        if (
          part.some((word) => !WEAK_ENDS.has(word) || word === 'name' || word === 'date' || word === 'type')
        )
          phrases.push({
            words: part,
            cost: PART_COST + 0.1 * (own.length - part.length),
            hasHead: to === own.length,
          });
      }
    }
  }
  // `director` refers to `directed_by`.
  if (own.length < words.length && words.length === 2 && words[1] === 'by')
    phrases.push(...listDoers(words[0] ?? '').map((word) => ({ words: [word], cost: 0.1 })));
  // `placed date` refers to `date_order_placed`.
  if (own.length === 3)
    phrases.push({ words: [own[0] ?? '', own[2] ?? ''], cost: PART_COST + 0.1, hasHead: true });
  return phrases;
}

/**
 * Returns the phrases for a table: its words, its words without
 * a technical prefix, its first word and its last words.
 */
export function listTablePhrases(words: readonly string[], isTie = false): Phrase[] {
  const phrases: Phrase[] = [{ words, cost: 0 }];
  const own = words.filter((word) => !EMPTY.has(word));
  if (own.length < words.length) phrases.push({ words: own, cost: 0.05 });
  if (own.length > 1 && ['reference', 'tbl', 'table', 'master', 'lookup', 'all'].includes(own[0] ?? ''))
    phrases.push({ words: own.slice(1), cost: 0.3 });
  if (
    own.length > 1 &&
    ['record', 'data', 'information', 'table', 'list', 'detail', 'master'].includes(own.at(-1) ?? '')
  )
    phrases.push({ words: own.slice(0, -1), cost: 0.4 });
  // `county` refers to `county_public_safety`.
  // A junction table such as `member_book_loan` is not found by any of its words.
  if (own.length === 2 || (own.length > 2 && !isTie))
    phrases.push({ words: own.slice(0, 1), cost: PART_COST + 0.3 });
  for (let from = 1; from < own.length; from += 1)
    phrases.push({ words: own.slice(from), cost: PART_COST + 0.2 * from, hasHead: true });
  // `course_authors_and_tutors` is found by either noun, together with the words before both.
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
      (index === 0 && tableWords.some((word) => isShortFor(words[0] ?? '', word))))
  )
    index += 1;
  return index > 0 ? words.slice(index) : words;
}

/**
 * Returns whether `short` starts with the first letter of the word and has other letters of it in order, as
 * in `apt` for `apartment` and `stu` for `student`.
 */
function isShortFor(short: string, word: string): boolean {
  if (short.length < 2 || short.length > 4 || word.length < short.length + 2 || short[0] !== word[0])
    return false;
  let index = 0;
  for (const letter of word) if (letter === short[index]) index += 1;
  return index === short.length;
}

/** Returns the same key for every order of the same words. */
export function toPhraseKey(words: readonly string[]): string {
  return [...words].sort().join(' ');
}

/** Returns agent nouns of a participle: `directed` gives `director` and `directer`. */
function listDoers(participle: string): readonly string[] {
  if (participle === 'written') return ['writer'];
  const stem = /^(.{3,})ed$/.exec(participle)?.[1];
  return stem === undefined ? [] : [`${stem}or`, `${stem}er`];
}
