import { ownMember } from '@rowhouse/schema-model';

const WORDS = [
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
const TENS: Readonly<Record<string, number>> = {
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

/** Maps `three` to 3. Returns null for words that are not number words. */
export function readNumberWord(lower: string): number | null {
  const small = WORDS.indexOf(lower);
  if (small >= 0) return small;
  return ownMember(TENS, lower) ?? null;
}
