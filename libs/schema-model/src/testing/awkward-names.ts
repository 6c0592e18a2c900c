const listWords = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Words with a meaning in the syntax of the data API. The lists must not change in /v1. */
export const GRAMMAR_WORDS = {
  controls: listWords(`
    page limit sort order include created_after where _select _omit _cursor _offset _count
    _filter _q _distinct _aggregate _group _having _on_conflict _explain
  `),
  operators: listWords(`
    eq ne gt gte lt lte in not_in between not_between isnull like not_like ilike contains
    icontains startswith istartswith endswith iendswith iexact regex search after before on
    year month day within json_contains json_has_key eq_column ne_column gt_column gte_column
    lt_column lte_column exists
  `),
  reserved: listWords(`
    iregex date hour weekday empty distinct_from json_overlaps json_length bbox near
  `),
  tree: ['and', 'or', 'not', 'some', 'none', 'every', 'count', 'count__eq', 'count__gte'],
  aggregates: listWords(`
    count count_distinct sum avg min max year quarter month week day hour
  `),
  where: [
    'AND',
    'OR',
    'NOT',
    'IN',
    'LIKE',
    'BETWEEN',
    'IS',
    'NULL',
    'NOW',
    'TRUE',
    'FALSE',
    'and',
    'null',
    'true',
    'NOW()',
  ],
  other: [
    '_etag',
    '$inc',
    '$ref',
    '$value',
    '_tables',
    '_search',
    '_batch',
    'asc',
    'desc',
    'exact',
    'select',
    'offset',
    'fields',
    'per_page',
    'access_token',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'length',
  ],
} as const;

/**
 * Characters that a name may contain, and that have a meaning where the data API parses names. A name never
 * ends with a space.
 */
const MARKS = [
  '.',
  '..',
  '`',
  '``',
  '[',
  ']',
  '[]',
  '][',
  '(',
  ')',
  '{',
  '}',
  ',',
  ';',
  ':',
  '::',
  '->',
  '-',
  '--',
  '_',
  '__',
  '___',
  '*',
  '+',
  '=',
  '==',
  '&',
  '%',
  '%25',
  '%zz',
  '#',
  '?',
  '/',
  '\\',
  '"',
  "'",
  ' x',
  '<',
  '>',
  '!',
  '|',
  '~',
  '^',
  '@',
  '$',
  '\n',
  '\t',
  '\u0001',
  '\u007f',
  '\u0080',
  '\u00a0',
  '\u00e4',
  '\u0301',
  '\u200b',
  '\u202e',
  '\u4e00',
  '\ufeff',
  '\uffff',
];

/**
 * Returns names that a parser is likely to misread: words of the API's syntax, alone and with special
 * characters, and special characters alone.
 */
export function listAwkwardNames(): string[] {
  const words = [...new Set(Object.values(GRAMMAR_WORDS).flat())];
  const tails = [...GRAMMAR_WORDS.operators, ...GRAMMAR_WORDS.reserved];
  const names = [
    ...words,
    ...words.map((word) => `_${word}`),
    ...words.map((word) => `${word}_`),
    ...words.map((word) => word.toUpperCase()),
    ...tails.flatMap((tail) => [
      `a__${tail}`,
      `__${tail}`,
      `a__${tail}__${tail}`,
      `_a__${tail}`,
      `a___${tail}`,
      `a__${tail}_`,
      `a.b__${tail}`,
    ]),
    ...MARKS,
    ...MARKS.flatMap((mark) => [
      `a${mark}b`,
      `${mark}a`,
      `a${mark}a`,
      `a${mark.trimEnd() === '' ? 'x' : mark}`,
      `limit${mark}eq`,
    ]),
    '`a`',
    '`a`.`b`',
    'a`.`b',
    'include[a][b]',
    'include[',
    'a[b]',
    '`a`__gt',
    'a_desc',
    'a:desc',
    '-a',
    '+a',
    '0',
    '42',
    '1e5',
    '-1',
    '0x1',
    'a'.repeat(64),
    '\u4e00'.repeat(64),
    'a.b.c.d.e.f.g',
    'sum:a',
    'n:sum:a',
    '"a"',
    '{"a":1}',
  ];
  return [...new Set(names)].filter(isLegal);
}

/**
 * Reports whether both engines accept the name. It must have at most 64 characters, all from the Basic
 * Multilingual Plane, no NUL and no space at the end.
 */
export function isLegal(name: string): boolean {
  return name !== '' && name.length <= 64 && !/[\0\ud800-\udfff]/.test(name) && !name.endsWith(' ');
}

/**
 * Returns a random name made of words and special characters. `integer` returns a random whole number below
 * its argument.
 */
export function makeAwkwardName(integer: (below: number) => number): string {
  const words = Object.values(GRAMMAR_WORDS).flat();
  const pick = <T>(from: readonly T[]): T => from[integer(from.length)] as T;
  for (;;) {
    const parts = Array.from({ length: 1 + integer(5) }, () =>
      integer(2) === 0 ? pick(words) : pick([...MARKS, 'a', 'b', '__', '__', '_']),
    );
    const name = parts.join('').slice(0, 64).trimEnd();
    if (isLegal(name)) return name;
  }
}
