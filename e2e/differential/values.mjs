// @ts-check
/**
 * The kinds of columns: what is stored, how it is written in each notation, and how it compares according to
 * the documentation.
 */

/** @typedef {any} Value a stored value in the representation of its kind; null is NULL */

/**
 * @typedef {object} Kind
 * @property {string} name
 * @property {string} sql the type, as in CREATE TABLE
 * @property {readonly Value[]} pool the possible values; only a few, so that many rows are equal
 * @property {(value: Value) => string} literal the value in SQL
 * @property {(value: Value) => unknown} show the value in a response; numbers as `#digits`
 * @property {(value: Value) => string} csv the value in a line of CSV, before quoting
 * @property {(value: Value) => string} address the value in a URL, before it is encoded
 * @property {(value: Value) => string} body the value as JSON text in a body
 * @property {(a: Value, b: Value) => number} compare
 * @property {(value: Value) => string} group returns the same text for equal values
 * @property {readonly string[]} operators
 * @property {boolean} isSortable
 * @property {boolean} [isText]
 * @property {'exact' | 'float' | 'truth'} [sums]
 * @property {number} [scale] the scale of a decimal
 * @property {'number' | 'day' | 'text'} [compared] the group of kinds whose columns are compared with each other
 */

const EQUAL = ['eq', 'ne', 'in', 'not_in', 'isnull'];
const ORDER = ['gt', 'gte', 'lt', 'lte', 'between', 'not_between'];
const TEXT = [
  'like',
  'not_like',
  'contains',
  'startswith',
  'endswith',
  'icontains',
  'istartswith',
  'iendswith',
  'iexact',
  'ilike',
];
const DATE = ['after', 'before', 'on', 'year', 'month', 'day'];

/** @param {any} a @param {any} b */
export const plainOrder = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
/** @param {string} text */
const quote = (text) => `'${text}'`;
/** @param {string} text */
const hexText = (text) => `CONVERT(x'${Buffer.from(text, 'utf8').toString('hex')}' USING utf8mb4)`;

/**
 * Folds a text the way utf8mb4_general_ci compares it: case and accents do not count, and a shorter text is
 * padded with spaces.
 * @param {string} text
 */
export function foldText(text) {
  return text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/gu, '')
    .toUpperCase()
    .replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd');
}

const BLANK = 32;

/** @param {string} a @param {string} b */
function padOrder(a, b) {
  const [item, other] = [a, b].map((text) => Array.from(text, (char) => char.codePointAt(0) ?? 0));
  if (item === undefined || other === undefined) return 0;
  const length = Math.max(item.length, other.length);
  for (let index = 0; index < length; index += 1)
    if ((item[index] ?? BLANK) !== (other[index] ?? BLANK))
      return (item[index] ?? BLANK) - (other[index] ?? BLANK);
  return 0;
}

const WORDS = [
  '',
  'a',
  'A',
  'á',
  'ab',
  'AB ',
  'a b',
  'b',
  'B%',
  'b_',
  '100%',
  "O'Hara",
  'x,y',
  '"q"',
  'null',
  '12',
  'é',
  '😀',
  'zebra',
  'Zebra',
  'a\\b',
];

/** The members of number types whose texts are the same everywhere. */
const PLAIN_NUMBER = {
  literal: String,
  show: (/** @type {any} */ value) => `#${value}`,
  csv: String,
  address: String,
  body: String,
  compare: plainOrder,
  group: String,
  operators: [...EQUAL, ...ORDER],
  isSortable: true,
};

/** @param {string} name @param {string} sql @param {bigint[]} pool @returns {Kind} */
function integerKind(name, sql, pool) {
  return {
    name,
    sql,
    pool,
    ...PLAIN_NUMBER,
    sums: 'exact',
    scale: 0,
    compared: 'number',
  };
}

/** @param {bigint} value @param {number} scale */
export function writeDecimal(value, scale) {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`;
}

/**
 * @param {string} name
 * @param {string} collation
 * @param {(text: string) => string} fold
 * @param {string} type
 * @returns {Kind}
 */
function textKind(name, collation, fold, type = 'varchar(40)') {
  return {
    name,
    sql: `${type} CHARACTER SET utf8mb4 COLLATE ${collation}`,
    pool: WORDS,
    literal: hexText,
    show: (value) => value,
    csv: (value) => value,
    address: (value) => value,
    body: (value) => JSON.stringify(value),
    compare: (a, b) => padOrder(fold(a), fold(b)),
    group: (value) => fold(value).trimEnd(),
    operators: [...EQUAL, ...ORDER, ...TEXT],
    isSortable: true,
    isText: true,
    ...(collation.endsWith('_bin') ? {} : { compared: 'text' }),
  };
}

/**
 * @param {string} name
 * @param {string} sql
 * @param {string[]} pool
 * @param {(value: string) => string} show
 * @param {string[]} operators
 * @returns {Kind}
 */
function momentKind(name, sql, pool, show, operators) {
  return {
    name,
    sql,
    pool,
    literal: quote,
    show,
    csv: show,
    address: show,
    body: (value) => JSON.stringify(show(value)),
    compare: plainOrder,
    group: (value) => value,
    operators,
    isSortable: true,
    compared: 'day',
  };
}

const LABELS = ['small', 'medium', 'large', 'A'];
const COLORS = ['red', 'green', 'blue'];
/** @param {number} mask */
const colorsOf = (mask) => COLORS.filter((_, index) => (mask >> index) & 1);
/** @param {number} seconds */
const writeTime = (seconds) =>
  `${seconds < 0 ? '-' : ''}${[Math.floor(Math.abs(seconds) / 3600), Math.floor((Math.abs(seconds) % 3600) / 60), Math.abs(seconds) % 60].map((part) => String(part).padStart(2, '0')).join(':')}`;
const SCALE = 4;

/** @type {readonly Kind[]} */
const KINDS = [
  integerKind('small', 'tinyint', [-128n, -1n, 0n, 1n, 2n, 127n]),
  integerKind('number', 'int', [-2_147_483_648n, -5n, 0n, 3n, 3n, 70n, 2_147_483_647n]),
  integerKind('big', 'bigint unsigned', [
    0n,
    1n,
    9_007_199_254_740_991n,
    9_007_199_254_740_992n,
    9_007_199_254_740_993n,
    18_446_744_073_709_551_615n,
  ]),
  integerKind('signed', 'bigint', [
    -9_223_372_036_854_775_808n,
    -9_007_199_254_740_993n,
    0n,
    9_007_199_254_740_993n,
    9_223_372_036_854_775_807n,
  ]),
  {
    name: 'price',
    sql: `decimal(30,${SCALE})`,
    pool: [
      -15_000n,
      0n,
      1n,
      19_900n,
      25_000n,
      123_456_789_012_345_678_901_2345n,
      123_456_789_012_345_678_901_2346n,
    ],
    literal: (value) => writeDecimal(value, SCALE),
    show: (value) => `#${writeDecimal(value, SCALE)}`,
    csv: (value) => writeDecimal(value, SCALE),
    address: (value) => writeDecimal(value, SCALE),
    body: (value) => writeDecimal(value, SCALE),
    compare: plainOrder,
    group: String,
    operators: [...EQUAL, ...ORDER],
    isSortable: true,
    sums: 'exact',
    scale: SCALE,
    compared: 'number',
  },
  {
    name: 'mass',
    sql: 'double',
    pool: [-1.5, 0, 0.1, 0.30000000000000004, 2, 1e300, 12_345.678],
    ...PLAIN_NUMBER,
    sums: 'float',
  },
  {
    name: 'flag',
    sql: 'tinyint(1)',
    pool: [0, 1],
    literal: String,
    show: (value) => value === 1,
    csv: (value) => String(value === 1),
    address: (value) => String(value === 1),
    body: (value) => String(value === 1),
    compare: plainOrder,
    group: String,
    operators: ['eq', 'ne', 'isnull'],
    isSortable: true,
    sums: 'truth',
  },
  textKind('word', 'utf8mb4_general_ci', foldText),
  textKind('code', 'utf8mb4_bin', (text) => text),
  textKind('note', 'utf8mb4_general_ci', foldText, 'text'),
  {
    name: 'size',
    sql: `enum(${LABELS.map(quote).join(',')})`,
    pool: LABELS.map((_, index) => index + 1),
    literal: String,
    show: (value) => LABELS[value - 1],
    csv: (value) => String(LABELS[value - 1]),
    address: (value) => String(LABELS[value - 1]),
    body: (value) => JSON.stringify(LABELS[value - 1]),
    compare: plainOrder,
    group: String,
    operators: EQUAL,
    isSortable: true,
  },
  {
    name: 'colors',
    sql: `set(${COLORS.map(quote).join(',')})`,
    pool: [0, 1, 2, 3, 5, 7],
    literal: String,
    show: colorsOf,
    csv: (value) => colorsOf(value).join(','),
    address: String,
    body: (value) => JSON.stringify(colorsOf(value)),
    compare: plainOrder,
    group: String,
    operators: ['isnull'],
    isSortable: true,
  },
  momentKind(
    'day',
    'date',
    ['0000-00-00', '2024-02-29', '2026-01-31', '2026-02-01', '1999-12-31'],
    (value) => value,
    [...EQUAL, ...ORDER, ...DATE],
  ),
  momentKind(
    'at',
    'datetime(3)',
    [
      '2026-01-31 00:00:00.000',
      '2026-01-31 23:59:59.999',
      '2026-02-01 12:30:00.500',
      '2024-02-29 00:00:00.001',
    ],
    (value) => value.replace(' ', 'T'),
    [...EQUAL, ...ORDER, ...DATE],
  ),
  momentKind(
    'stamp',
    'timestamp',
    ['2026-01-31 00:00:00', '2026-01-31 23:59:59', '2030-06-01 12:00:00', '2001-01-01 00:00:01'],
    (value) => `${value.replace(' ', 'T')}Z`,
    [...EQUAL, ...ORDER, ...DATE],
  ),
  {
    name: 'span',
    sql: 'time',
    pool: [-90_000, -1, 0, 3_600, 86_399, 3_020_399],
    literal: (value) => quote(writeTime(value)),
    show: writeTime,
    csv: writeTime,
    address: writeTime,
    body: (value) => JSON.stringify(writeTime(value)),
    compare: plainOrder,
    group: String,
    operators: [...EQUAL, ...ORDER],
    isSortable: true,
  },
  { ...integerKind('since', 'year', [1901n, 1999n, 2026n, 2155n]), sums: undefined, compared: undefined },
  {
    name: 'raw',
    sql: 'varbinary(20)',
    pool: ['', '00', '0001', 'ff', '41', '61', '6120'],
    literal: (value) => `x'${value}'`,
    show: (value) => Buffer.from(value, 'hex').toString('base64'),
    csv: (value) => Buffer.from(value, 'hex').toString('base64'),
    address: (value) => Buffer.from(value, 'hex').toString('base64'),
    body: (value) => JSON.stringify(Buffer.from(value, 'hex').toString('base64')),
    compare: plainOrder,
    group: String,
    operators: ['eq', 'ne', 'isnull'],
    isSortable: false,
  },
];

/**
 * JSON documents. Their members `n`, `s`, `deep.x` and `tags.0` are scalars of any type, null or missing, and
 * `mix` may also be an object or an array. Several numbers have the same double, and some texts look like
 * numbers.
 * @type {readonly string[]}
 */
const DOCUMENTS = [
  '{}',
  '{"n":null,"s":null}',
  '{"n":1,"s":"a"}',
  '{"n":2,"s":"A"}',
  '{"n":-3.5,"s":"ab","deep":{"x":1}}',
  '{"n":9007199254740993,"s":"5"}',
  '{"n":9007199254740992,"deep":{"x":null}}',
  '{"n":10,"s":"b%","tags":["bio","fresh"]}',
  '{"n":2,"tags":[],"deep":{"x":7}}',
  '{"s":"null","tags":["fresh"],"deep":{}}',
  '{"n":"9007199254740993","s":9007199254740993,"mix":{"a":1}}',
  '{"n":9007199254740994,"s":"9007199254740992","mix":[1,"a"]}',
  '{"n":"007","s":7,"mix":"7"}',
  '{"n":"1e3","s":"2026-02-01","mix":7}',
  '{"n":true,"s":false,"mix":false,"deep":{"x":"1"}}',
  '{"n":false,"s":true,"mix":true,"tags":[10,"fresh"]}',
  '{"n":1147386954405658710,"s":"1147386954405658711","deep":{"x":0.1}}',
  '{"n":1147386954405658711,"s":1147386954405658710,"deep":{"x":-0.25}}',
  '{"n":18446744073709551615,"s":-9007199254740993,"deep":{"x":12345.678901}}',
  '{"n":-9007199254740993,"s":"","mix":null,"deep":{"x":true}}',
  '{"n":-9007199254740992,"s":"true","mix":{"a":2},"deep":[1]}',
  '[1,2]',
  '"text"',
  '5',
];

/**
 * Returns all kinds, JSON last.
 * @returns {readonly Kind[]}
 */
export function listKinds() {
  return [...KINDS, JSON_KIND];
}

/** @type {Kind} */
const JSON_KIND = {
  name: 'doc',
  sql: 'json',
  pool: DOCUMENTS,
  literal: (value) => quote(value.replaceAll('\\', '\\\\')),
  show: (value) => value,
  csv: (value) => value,
  address: (value) => value,
  body: (value) => value,
  compare: plainOrder,
  group: String,
  operators: ['isnull'],
  isSortable: false,
};
