import { memoizeByObject, ownMember } from '@rowhouse/schema-model';
import { toSingular } from '../words/inflect.js';

/** The usual long forms of abbreviations in names. */
const LONG_FORMS: Readonly<Record<string, string>> = {
  num: 'number',
  no: 'number',
  nr: 'number',
  nbr: 'number',
  qty: 'quantity',
  amt: 'amount',
  desc: 'description',
  descr: 'description',
  dept: 'department',
  dep: 'department',
  emp: 'employee',
  cust: 'customer',
  addr: 'address',
  tel: 'telephone',
  dob: 'birth date',
  max: 'maximum',
  min: 'minimum',
  avg: 'average',
  pct: 'percentage',
  perc: 'percentage',
  yr: 'year',
  mfr: 'manufacturer',
  prof: 'professor',
  stu: 'student',
  crs: 'course',
  sec: 'section',
  bldg: 'building',
  org: 'organization',
  mgr: 'manager',
  info: 'information',
  attr: 'attribute',
  ref: 'reference',
  temp: 'temperature',
  lat: 'latitude',
  lng: 'longitude',
  long: 'longitude',
  pos: 'position',
  lang: 'language',
  img: 'image',
  pic: 'picture',
  cat: 'category',
  prod: 'product',
  inst: 'institution',
  univ: 'university',
  gov: 'government',
  intl: 'international',
  acc: 'account',
  acct: 'account',
  txn: 'transaction',
  msg: 'message',
  doc: 'document',
  docs: 'document',
  std: 'standard',
  config: 'configuration',
  hq: 'headquarters',
  fname: 'first name',
  lname: 'last name',
  firstname: 'first name',
  lastname: 'last name',
  username: 'user name',
  nickname: 'nickname',
  birthdate: 'birth date',
  bdate: 'birth date',
  birthday: 'birthday',
  hometown: 'home town',
  zipcode: 'zip code',
  postcode: 'postcode',
  homepage: 'homepage',
  res: 'result',
  gname: 'game name',
  gtype: 'game type',
  msrp: 'price',
  isbn: 'isbn',
  stat: 'statistic',
  stats: 'statistic',
  dname: 'department name',
  cname: 'name',
  pname: 'name',
  sname: 'name',
  aname: 'name',
  ename: 'name',
  bname: 'name',
  mname: 'middle name',
  dno: 'department number',
  uid: 'user id',
  pid: 'id',
  sid: 'id',
  aid: 'id',
  cid: 'id',
  did: 'id',
  eid: 'id',
  fid: 'id',
  oid: 'id',
};

/** Words that are often the last word in names without separators, such as `clubname`. */
const LAST_WORDS = [
  'name',
  'id',
  'code',
  'date',
  'type',
  'number',
  'title',
  'time',
  'price',
  'year',
  'size',
  'num',
  'no',
  'key',
  'rate',
  'date',
  'status',
  'description',
  'desc',
  'address',
  'phone',
  'count',
  'level',
  'amount',
  'cost',
  'value',
  'city',
  'state',
  'country',
];

/**
 * Splits the name of a table or column into words. The words are in lower case and in the singular, and
 * abbreviations are expanded. For example, `Num_Employees` and `numEmployees` both become `number` and
 * `employee`.
 *
 * @param known the words of the schema, which are used to split names without separators such as `clubname`
 */
export function splitName(name: string, known: ReadonlySet<string>): string[] {
  return listChunks(name, known)
    .flatMap((chunk) => expandAbbreviation(chunk))
    .map(toSingular);
}

/**
 * Returns the abbreviations in a name with their long forms, such as `qty` with `quantity` for `unit_qty`.
 * Long forms of several words are omitted.
 */
export function listShortForms(
  name: string,
  known: ReadonlySet<string>,
): (readonly [short: string, long: string])[] {
  return listChunks(name, known).flatMap((chunk) => {
    const [long = chunk, ...more] = expandAbbreviation(chunk);
    return long === chunk || more.length > 0 ? [] : [[chunk, toSingular(long)] as const];
  });
}

function listChunks(name: string, known: ReadonlySet<string>): string[] {
  const chunks = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((chunk) => chunk !== '');
  return joinLetters(chunks).flatMap((chunk) => splitChunk(chunk, known));
}

/**
 * Joins a single letter with the next part of a name if both together are a known abbreviation, such as
 * `fname` for `F_Name`.
 */
function joinLetters(chunks: readonly string[]): string[] {
  const joined: string[] = [];
  for (const chunk of chunks) {
    const before = joined.at(-1);
    if (before !== undefined && before.length === 1 && Object.hasOwn(LONG_FORMS, before + chunk))
      joined[joined.length - 1] = before + chunk;
    else joined.push(chunk);
  }
  return joined;
}

function expandAbbreviation(chunk: string): string[] {
  const long = ownMember(LONG_FORMS, chunk);
  return long === undefined ? [chunk] : long.split(' ');
}

function splitChunk(chunk: string, known: ReadonlySet<string>): string[] {
  if (Object.hasOwn(LONG_FORMS, chunk) || known.has(toSingular(chunk)) || chunk.length < 5) return [chunk];
  for (const end of LAST_WORDS) {
    const start = chunk.slice(0, -end.length);
    if (!chunk.endsWith(end) || start.length < 2) continue;
    if (
      known.has(toSingular(start)) ||
      Object.hasOwn(LONG_FORMS, start) ||
      (start.length >= 3 && isStartOfKnown(start, known))
    )
      return [start, end];
  }
  for (let at = 3; at <= chunk.length - 3; at += 1) {
    const [left, right] = [chunk.slice(0, at), chunk.slice(at)];
    if (known.has(toSingular(left)) && known.has(toSingular(right))) return [left, right];
  }
  return [chunk];
}

function isStartOfKnown(start: string, known: ReadonlySet<string>): boolean {
  const words = sortedWordsOf(known);
  let [from, to] = [0, words.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((words[middle] as string) <= start) from = middle + 1;
    else to = middle;
  }
  return words[from]?.startsWith(start) === true;
}

/**
 * Returns the words in sorted order, so that a binary search can find the words with a given prefix. A schema
 * may have 100,000 words.
 */
const sortedWordsOf = memoizeByObject((words: ReadonlySet<string>): readonly string[] => [...words].sort());
