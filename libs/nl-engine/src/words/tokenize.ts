import type { Token } from '../types.js';
import { toSingular } from './inflect.js';
import { readNumberWord } from './number-words.js';

const TOKEN =
  /"([^"]*)"|“([^”]*)”|«([^»]*)»|‘([^’]*)’|(?<![\p{L}\p{N}])'((?:[^']|'(?=\p{L}))*)'(?!\p{L})|(\d{4}-\d{1,2}-\d{1,2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?)|((?<=\s)-\s?\d+(?:\.\d+)?|\$?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?%?)(?![\p{L}\d])|([\p{L}\p{N}_@.&+#/]*[\p{L}\p{N}_#+])|('s?\b|[^\s])/gu;
/** Matches an explanation in brackets after `name`, as in `full name (first and last name)`. */
const NAMES_IN_BRACKETS =
  /(?<=\bnames?)\s*\(\s*first(?: names?)?\s*(?:,|and|, and)\s*last(?: names?)?\s*\)/giu;
/**
 * The maximum length of a question in characters. A longer question must be rejected, because a truncated
 * question may have another meaning.
 */
export const QUESTION_LENGTH_MAX = 2_000;

/**
 * Reports whether the question is within the maximum length before and after Unicode normalization, which can
 * convert one character to eighteen.
 */
export function isShortQuestion(question: string): boolean {
  return question.length <= QUESTION_LENGTH_MAX && question.normalize('NFKC').length <= QUESTION_LENGTH_MAX;
}

/** Splits a question into words, numbers, quoted texts and punctuation marks. */
export function tokenize(question: string): Token[] {
  // Removes units in brackets after a name.
  const text = question
    .slice(0, QUESTION_LENGTH_MAX)
    .normalize('NFKC')
    .slice(0, QUESTION_LENGTH_MAX)
    .replace(/‘([^‘’']{1,80})['’](?![\p{L}])/gu, '"$1"')
    .replace(/\(\s*in\s+[\p{L}$€]+\s*\)/giu, ' ')
    .replace(NAMES_IN_BRACKETS, '')
    .replace(/\((e?s)\)/g, '$1')
    .replace(/\(\s*or\s[^()]{1,40}\)/giu, ' ')
    .replace(/[’`´]/g, "'")
    .replace(/\b(did|do|does|is|are|was|were|have|has|had|could|would)n't\b/gi, '$1 not')
    .replace(/\b(did|do|does)nt'?(?=\s)/gi, '$1 not');
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const quoted = match[1] ?? match[2] ?? match[3] ?? match[4] ?? match[5];
    if (quoted !== undefined) tokens.push(makeToken('quoted', quoted.trim()));
    else if (match[6] !== undefined) tokens.push(makeToken('date', match[6]));
    else if (match[7] !== undefined) tokens.push(makeNumber(match[7]));
    else if (match[8] !== undefined) tokens.push(...makeWords(match[8]));
    // The hyphen in `mid-size` separates two words and has no meaning of its own.
    else if (match[9] === '-' && isBetweenLetters(text, match.index)) continue;
    // Brackets are removed, but the words inside remain, as in `(in descending order)`.
    else if (match[9] === '(' || match[9] === ')') continue;
    else tokens.push(makeToken('mark', match[9] ?? ''));
  }
  return tokens;
}

function isBetweenLetters(text: string, index: number): boolean {
  return /^\p{L}-\p{L}/u.test(text.slice(Math.max(0, index - 1), index + 2));
}

function makeWords(text: string): Token[] {
  const trimmed = text.replace(/^\.+|\.+$/g, '');
  const isEnd = text.endsWith('.') && trimmed !== '';
  if (trimmed === '') return [makeToken('mark', '.')];
  const spelled = readNumberWord(trimmed.toLowerCase());
  const word =
    spelled === null ? makeToken('word', trimmed) : { ...makeToken('number', trimmed), value: spelled };
  return isEnd ? [word, makeToken('mark', '.')] : [word];
}

function makeNumber(text: string): Token {
  const value = Number(text.replace(/[$,%\s]/g, ''));
  return Number.isFinite(value) ? { ...makeToken('number', text), value } : makeToken('word', text);
}

function makeToken(kind: Token['kind'], text: string): Token {
  const lower = text.toLowerCase();
  return {
    kind,
    text,
    lower,
    lemma: kind === 'word' ? toSingular(lower) : lower,
    isCapital: /^\p{Lu}/u.test(text),
    value: Number.NaN,
  };
}
