import { ownMember } from '@rowhouse/schema-model';

const WORDS_UP_TO_TWENTY = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
  'twenty',
];
const LARGER_WORDS: Readonly<Record<string, number>> = {
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  thousand: 1_000,
  million: 1_000_000,
};

/** Converts a word such as `three` to its number. Returns null for other words. */
export function readNumberWord(lower: string): number | null {
  const small = WORDS_UP_TO_TWENTY.indexOf(lower);
  if (small >= 0) return small;
  return ownMember(LARGER_WORDS, lower) ?? null;
}
