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

/** Words that often end names without separators. */
const ENDS = [
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
 * Splits the name of a table or column into words in lower case and
 * singular: `Num_Employees` and `numEmployees` give `number`, `employee`.
 *
 * `known` holds the words of the schema. It is used to split names without separators, such as `clubname`.
 */
export function splitName(name: string, known: ReadonlySet<string>): string[] {
  return listPieces(name, known)
    .flatMap((parsed) => extendLength(parsed))
    .map(toSingular);
}

/**
 * Returns the abbreviations in a name with their long forms: `unit_qty` gives `qty` and `quantity`.
 * Abbreviations of several words are left out.
 */
export function listShortForms(
  name: string,
  known: ReadonlySet<string>,
): (readonly [short: string, long: string])[] {
  return listPieces(name, known).flatMap((parsed) => {
    const [long = parsed, ...more] = extendLength(parsed);
    return long === parsed || more.length > 0 ? [] : [[parsed, toSingular(long)] as const];
  });
}

function listPieces(name: string, known: ReadonlySet<string>): string[] {
  const chunks = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((parsed) => parsed !== '');
  return joinLetters(chunks).flatMap((parsed) => splitPiece(parsed, known));
}

/**
 * Joins a single letter with the next piece when both together
 * are a known abbreviation, as in `F_Name` and `LName`.
 */
function joinLetters(chunks: readonly string[]): string[] {
  const joined: string[] = [];
  for (const parsed of chunks) {
    const before = joined.at(-1);
    if (before !== undefined && before.length === 1 && Object.hasOwn(LONG_FORMS, before + parsed))
      joined[joined.length - 1] = before + parsed;
    else joined.push(parsed);
  }
  return joined;
}

function extendLength(parsed: string): string[] {
  const long = ownMember(LONG_FORMS, parsed);
  return long === undefined ? [parsed] : long.split(' ');
}

function splitPiece(parsed: string, known: ReadonlySet<string>): string[] {
  if (Object.hasOwn(LONG_FORMS, parsed) || known.has(toSingular(parsed)) || parsed.length < 5)
    return [parsed];
  for (const end of ENDS) {
    const start = parsed.slice(0, -end.length);
    if (!parsed.endsWith(end) || start.length < 2) continue;
    if (
      known.has(toSingular(start)) ||
      Object.hasOwn(LONG_FORMS, start) ||
      (start.length >= 3 && isStartOfKnown(start, known))
    )
      return [start, end];
  }
  for (let cutIndex = 3; cutIndex <= parsed.length - 3; cutIndex += 1) {
    const [left, right] = [parsed.slice(0, cutIndex), parsed.slice(cutIndex)];
    if (known.has(toSingular(left)) && known.has(toSingular(right))) return [left, right];
  }
  return [parsed];
}

function isStartOfKnown(start: string, known: ReadonlySet<string>): boolean {
  const words = sortOnce(known);
  let [from, to] = [0, words.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((words[middle] as string) <= start) from = middle + 1;
    else to = middle;
  }
  return words[from]?.startsWith(start) === true;
}

/**
 * Returns the words in order, so that words with the same beginning are adjacent. Without it, each name would
 * scan all words, which may be 100,000.
 */
const sortOnce = memoizeByObject((words: ReadonlySet<string>): readonly string[] => [...words].sort());
