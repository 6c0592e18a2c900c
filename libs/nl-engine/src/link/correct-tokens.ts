import { toValueKey } from '../lexicon/index-values.js';
import type { Lexicon } from '../lexicon/lexicon.js';
import { listSynonyms } from '../lexicon/synonyms.js';
import type { Token } from '../types.js';
import { readAdjective } from '../words/adjectives.js';
import { isFunctionWord } from '../words/function-words.js';
import { toRoot } from '../words/inflect.js';
import { correctWord, correctFirstWord, correctFunctionWord, isOneEditAway } from '../words/misspelt.js';
import { isVerb } from '../words/verbs.js';
import { wordSet } from '../words/word-set.js';

/**
 * Removes a period or comma at the end of a quoted text if only the text without it is a stored value, as in
 * `whose type is "Graphics."`.
 */
export function dropPunctuationInQuotes(token: Token, { values }: Lexicon): Token {
  const text = token.text.replace(/[.,]$/, '');
  const stored =
    token.kind !== 'quoted' || text === token.text
      ? []
      : (values.get(toValueKey(text)) ?? []).map(({ value }) => value.toLowerCase());
  if (stored.includes(token.lower) || !stored.includes(text.toLowerCase())) return token;
  return { ...token, text, lower: text.toLowerCase(), lemma: text.toLowerCase() };
}

const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
  ['max', 'maximum'],
  ['min', 'minimum'],
  ['avg', 'average'],
  ['maximum', 'max'],
  ['minimum', 'min'],
  ['average', 'avg'],
  ['phone', 'telephone'],
  ['dept', 'department'],
  ['num', 'number'],
  ['info', 'information'],
  ['desc', 'description'],
  ['birthdate', 'birthday'],
]);

/**
 * The maximum number of cached corrections in a lexicon. Questions always contain new words, so the cache is
 * cleared when it is full.
 */
const CORRECTIONS_MAX = 500;

/** The maximum number of unknown words to correct. A question with more of them is not about this schema. */
export const UNKNOWN_MAX = 12;

/**
 * The maximum number of words in a schema for which misspellings are corrected. A larger schema contains a
 * word that is similar to almost any misspelling.
 */
const WORDS_MAX = 20_000;

/**
 * Replaces an unknown word with the schema's word for the same thing. This may be an abbreviation such as
 * `prereq`, the long form of an abbreviation such as `qty`, or the correct spelling.
 */
export function toSchemaWord(token: Token, lexicon: Lexicon, budget: { left: number }): Token {
  const longForm =
    SHORT_FORMS.get(token.lemma) ??
    (isFunctionWord(token.lower) || isVerb(token.lower) || readAdjective(token.lower) !== null
      ? undefined
      : lexicon.shortForms.get(token.lemma));
  if (
    longForm !== undefined &&
    token.kind === 'word' &&
    !lexicon.words.has(token.lemma) &&
    lexicon.words.has(longForm)
  )
    return { ...token, lemma: longForm };
  if (token.kind !== 'word' || token.lemma.length < 4) return token;
  const correction =
    lexicon.words.has(token.lemma) || lexicon.values.has(token.lower) ? null : correctWord(token.lower);
  if (correction !== null) return { ...token, lower: correction, lemma: correction };
  if (isKnown(token, lexicon) || lexicon.words.size > WORDS_MAX) return token;
  budget.left -= 1;
  if (budget.left < 0) return token;
  const corrected =
    lexicon.corrections.get(token.lemma) ??
    (findSimilar(token.lemma, lexicon.words) || findWithSameRoot(token.lemma, lexicon.words));
  if (lexicon.corrections.size >= CORRECTIONS_MAX) lexicon.corrections.clear();
  lexicon.corrections.set(token.lemma, corrected);
  return corrected === '' ? token : { ...token, lemma: corrected };
}

/** Corrects a misspelled word at the start of a question, as in `Hom many albums`. */
export function correctFirstToken(tokens: readonly Token[], lexicon: Lexicon): readonly Token[] {
  const [first, next] = tokens;
  const correction =
    first?.kind !== 'word' || isKnown(first, lexicon)
      ? null
      : correctFirstWord(first.lower, next?.lower ?? '');
  return first === undefined || correction === null
    ? tokens
    : [{ ...first, lower: correction, lemma: correction }, ...tokens.slice(1)];
}

/** Function words that are never repeated on purpose. */
const NEVER_REPEATED = wordSet('the a an of for from with and or are is who which by to all number');

/** Removes repeated words, as in `from from the club`. */
export function dropRepeated(tokens: readonly Token[]): readonly Token[] {
  return tokens.filter(
    ({ kind, lower }, index) =>
      kind !== 'word' || !NEVER_REPEATED.has(lower) || tokens[index - 1]?.lower !== lower,
  );
}

/** Corrects misspelled function words, as in `of teh order` and `older then 30`. */
export function correctFunctionTokens(tokens: readonly Token[], { words }: Lexicon): readonly Token[] {
  return tokens.map((token, index) => {
    const correction =
      token.kind !== 'word' || words.has(token.lemma)
        ? null
        : correctFunctionWord(token.lower, tokens[index - 1]?.lower ?? '');
    return correction === null ? token : { ...token, lower: correction, lemma: correction };
  });
}

function isKnown(token: Token, lexicon: Lexicon): boolean {
  return (
    lexicon.words.has(token.lemma) ||
    isFunctionWord(token.lower) ||
    isVerb(token.lower) ||
    listSynonyms(token.lemma).length > 0 ||
    lexicon.values.has(token.lower) ||
    lexicon.firstNames.has(token.lower) ||
    readAdjective(token.lower) !== null
  );
}

/** Matches suffixes that change the meaning of a word, such as `eer` in `mountaineer`. */
const MEANING_SUFFIXES = /^(?:eer|ist|ian|ship|hood|ment|less|ness|ful|able|ing|ings|like|ism|ally)$/;

function findSimilar(word: string, words: ReadonlySet<string>): string {
  let found = '';
  for (const known of words) {
    const isShort =
      word.length >= 5 &&
      known.length >= 4 &&
      word.length - known.length >= 3 &&
      word.startsWith(known) &&
      !MEANING_SUFFIXES.test(word.slice(known.length));
    if (
      !isShort &&
      !isSwapped(word, known) &&
      !(word.length >= 6 && known.length >= 5 && isOneEditAway(word, known))
    )
      continue;
    if (found !== '') return '';
    found = known;
  }
  return found;
}

/**
 * Matches suffixes of nouns and participles that have the meaning of their verb, as in `measurement`
 * (`measure`) and `publication` (`published`).
 */
const DERIVED_SUFFIXES = /(?:ment|ation|tion|ance|ence|ing|ed)$/;

/**
 * Returns the word of the schema with the same root, if there is only one. One of the two words must have a
 * suffix that is derived from a verb. Returns an empty text otherwise.
 */
function findWithSameRoot(word: string, words: ReadonlySet<string>): string {
  const root = toRoot(word);
  if (word.length < 6 || root.length < 4) return '';
  let found = '';
  for (const known of words) {
    if (
      known.length < 5 ||
      !known.startsWith(root.slice(0, 4)) ||
      (!DERIVED_SUFFIXES.test(word) && !DERIVED_SUFFIXES.test(known)) ||
      /[eo]r$/.test(word) !== /[eo]r$/.test(known) ||
      toRoot(known) !== root
    )
      continue;
    if (found !== '') return '';
    found = known;
  }
  return found;
}

/** Reports whether two words differ only in the order of two adjacent letters, as in `psot` and `post`. */
function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length || a.length < 4) return false;
  let index = 0;
  while (index < a.length && a[index] === b[index]) index += 1;
  return a[index] === b[index + 1] && a[index + 1] === b[index] && a.slice(index + 2) === b.slice(index + 2);
}
