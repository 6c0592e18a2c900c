import type { Random } from '../create-random.js';
import type { ValueContext, SamplePerson } from './value-context.js';
import { WORDS } from './words.js';

export interface TextParts {
  readonly random: Random;
  /** The person in the row. The name, the email address and the login belong to the same person. */
  readonly person: SamplePerson;
  readonly ordinal: number;
  readonly isUnique: boolean;
  readonly maxLength: number | null;
}

export type TextMaker = (parts: TextParts) => string;

/** Fills a pattern in which `%a` is an adjective, `%n` a noun, `%t` a title and `%s` sentences. */
export function fillPattern(pattern: string, random: Random, sentences = 1): string {
  return pattern
    .replaceAll('%t', () => random.pick(WORDS.titles))
    .replaceAll('%s', () => Array.from({ length: sentences }, () => random.pick(WORDS.sentences)).join(' '))
    .replaceAll('%a', () => random.pick(WORDS.adjectives))
    .replaceAll('%n', () => random.pick(WORDS.nouns));
}

const from =
  (list: keyof typeof WORDS): TextMaker =>
  ({ random }) =>
    random.pick(WORDS[list]);
const pattern =
  (text: string, sentences = 1): TextMaker =>
  ({ random }) =>
    fillPattern(text, random, sentences);
const hex =
  (lengthMax: number): TextMaker =>
  ({ random, maxLength }) =>
    Array.from({ length: Math.min(lengthMax, maxLength ?? lengthMax) }, () =>
      random.below(16).toString(16),
    ).join('');
const digits =
  (length: number): TextMaker =>
  ({ random }) =>
    Array.from({ length }, (_, index) => String(index === 0 ? random.between(1, 9) : random.below(10))).join(
      '',
    );

const fullName: TextMaker = ({ person: user }) => `${user.first} ${user.last}`;
const neighbors: TextMaker = ({ random }) =>
  `${random.pick(WORDS.companies)} ${random.pick(WORDS.businessSuffixes)}`;
const product: TextMaker = ({ random }) =>
  `${capitalise(random.pick(WORDS.adjectives))} ${random.pick(WORDS.products)}`;
const slug: TextMaker = ({ random }) => fillPattern('%a-%n', random);
const email: TextMaker = ({ random, person: user }) =>
  `${user.first}.${user.last}@example.${random.pick(['com', 'org', 'net'])}`.toLowerCase();
const userName: TextMaker = ({ random, person: user }) =>
  `${user.first}${random.pick(['', '_', '.'])}${user.last}`.toLowerCase();
const url: TextMaker = (parts) =>
  `https://www.example.${parts.random.pick(['com', 'org', 'net'])}/${slug(parts)}`;
const image: TextMaker = (parts) => `https://images.example.com/${slug(parts)}.jpg`;
const phone: TextMaker = ({ random }) => `+1 555 01${random.between(10, 99)}${random.between(10, 99)}`;
const code: TextMaker = ({ random, ordinal }) =>
  `${String.fromCodePoint(65 + random.below(26), 65 + random.below(26))}-${String(1000 + ordinal)}`;
const color: TextMaker = (parts) => (parts.maxLength === 7 ? `#${hex(6)(parts)}` : from('colors')(parts));
const uuid: TextMaker = ({ random }) => makeUuid(random);
const version: TextMaker = ({ random }) => `${random.between(1, 4)}.${random.below(10)}.${random.below(20)}`;
const country: TextMaker = (parts) =>
  parts.maxLength !== null && parts.maxLength <= 3
    ? parts.random.pick(parts.maxLength === 3 ? WORDS.countryCodes3 : WORDS.countryCodes)
    : from('countries')(parts);
const language: TextMaker = (parts) =>
  (parts.maxLength !== null && parts.maxLength < 5 ? from('languages') : from('locales'))(parts);
const ipv4: TextMaker = ({ random }) =>
  `${random.pick(['192.0.2', '198.51.100', '203.0.113'])}.${random.between(1, 254)}`;
const ipv6: TextMaker = ({ random }) => `2001:db8::${random.between(1, 0xffff).toString(16)}`;
const fileName: TextMaker = (parts) => `${slug(parts)}.${parts.random.pick(WORDS.extensions)}`;
const day: TextMaker = ({ random }) =>
  `${random.between(2020, 2025)}-${String(random.between(1, 12)).padStart(2, '0')}-${String(random.between(1, 28)).padStart(2, '0')}`;

const capitalise = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Functions that create texts, by column name. The first pattern that matches is used. */
const BY_COLUMN: readonly (readonly [RegExp, TextMaker])[] = [
  [/(^|_)e?mail(_address)?$/, email],
  [/(^|_)(user_?name|login|handle|nick(name)?|screen_name)$/, userName],
  [/(^|_)(first|given|fore)_?name$/, ({ person: user }) => user.first],
  [/(^|_)(last|family|sur)_?name$/, ({ person: user }) => user.last],
  [
    /(^|_)(full_name|contact(_name)?|author(_name)?|owner(_name)?|recipient|customer_name|display_name)$/,
    fullName,
  ],
  [
    /(^|_)(company|organi[sz]ation|employer|brand|vendor|supplier|manufacturer|publisher)(_name)?$/,
    neighbors,
  ],
  [/(^|_)(phone|mobile|fax|tel)(_?(number|no))?$/, phone],
  [/(^|_)country(_?(code|iso))?$|(^|_)iso_?[23]$/, country],
  [/(^|_)country_name$/, from('countries')],
  [/(^|_)currency(_code)?$/, from('currencies')],
  [/(^|_)(language|lang|locale)(_code)?$/, language],
  [/(^|_)time_?zone$/, from('timeZones')],
  [/(^|_)(city|town)(_name)?$/, from('cities')],
  [/(^|_)(region|province|county|district|territory)(_name)?$/, from('regions')],
  [/(^|_)(zip|postal|post)_?(code)?$/, digits(5)],
  [
    /(^|_)(street|address)(_?(line)?_?1)?$/,
    ({ random }) => `${random.between(1, 180)} ${random.pick(WORDS.streets)}`,
  ],
  [/(^|_)(image|avatar|photo|picture|thumbnail|logo|icon|cover)(_?(url|link|uri))?$/, image],
  [/(^|_)(url|uri|website|web_?site|homepage|link|href)$/, url],
  [/(^|_)(domain|host(_?name)?)$/, (parts) => `${slug(parts)}.example.com`],
  [/(^|_)ip(_address|v4)?$/, ipv4],
  [/(^|_)ipv6$/, ipv6],
  [/(^|_)user_agent$/, from('browsers')],
  [/(^|_)(slug|permalink|path_name)$/, slug],
  [/(^|_)(uuid|guid)$/, uuid],
  [/(^|_)(ean|isbn|upc|barcode|gtin)$/, digits(13)],
  [/(^|_)(sku|code|ref(erence)?|number|serial(_?(no|number))?|order_no|invoice_no)$/, code],
  [
    /(^|_)(password|passwd|pwd|hash|digest|checksum|token|secret|salt|fingerprint|signature|api_key|etag)(_hash)?$/,
    hex(40),
  ],
  [/(^|_)colou?r$/, color],
  [/(^|_)size$/, from('sizes')],
  [/(^|_)unit$/, from('units')],
  [/(^|_)(gender|sex)$/, from('genders')],
  [/(^|_)(status|state)$/, from('statuses')],
  [/(^|_)role$/, from('roles')],
  [/(^|_)(type|kind|class|plan|tier)$/, from('kinds')],
  [/(^|_)(priority|severity|level)$/, from('priorities')],
  [/(^|_)(payment_)?method$/, from('methods')],
  [/(^|_)(category|topic|genre|subject_area|tag|label)(_name)?$/, from('topics')],
  [/(^|_)(mime|content)_?type$/, from('mimeTypes')],
  [/(^|_)file_?name$/, fileName],
  [/(^|_)(ext|extension)$/, from('extensions')],
  [/(^|_)version$/, version],
  [/(^|_)(job|occupation|profession|job_title)$/, from('jobs')],
  [/(^|_)(department|dept|team|division)(_name)?$/, from('departments')],
  [/(^|_)(title|subject|headline|heading|caption)$/, pattern('%t')],
  [
    /(^|_)(description|summary|excerpt|abstract|bio|about|note|notes|remark|remarks|comment|message|review|feedback|reason|question|answer|instructions)$/,
    pattern('%s'),
  ],
  [/(^|_)(content|body|text|article|story|details)$/, pattern('%s', 3)],
];

/** Functions that create texts for a column `name`, by the name of its table. */
const NAME_BY_TABLE: readonly (readonly [RegExp, TextMaker])[] = [
  [
    /(user|customer|person|people|author|employee|member|contact|student|teacher|patient|client|artist|driver|player|guest|staff|passenger|actor|director|owner|account)s?$/,
    fullName,
  ],
  [/(product|item|article|good|part|material)s?$/, product],
  [/(categor(y|ie)|tag|topic|genre|subject|interest|label|section)s?$/, from('topics')],
  [
    /(compan(y|ie)|organi[sz]ation|supplier|vendor|brand|manufacturer|publisher|shop|store|hotel|restaurant|school|team|tenant)s?$/,
    neighbors,
  ],
  [/countr(y|ie)s?$/, from('countries')],
  [/(cit(y|ie)|town|location|place)s?$/, from('cities')],
  [/(region|province|state)s?$/, from('regions')],
  [/(department|division)s?$/, from('departments')],
  [/(role|permission|group)s?$/, from('roles')],
  [/(color|colour)s?$/, from('colors')],
  [/languages?$/, from('languages')],
  [/currenc(y|ie)s?$/, from('currencies')],
];

const BY_FORMAT: Readonly<Partial<Record<string, TextMaker>>> = {
  email,
  uri: url,
  uuid,
  date: day,
  'date-time': (parts) => `${day(parts)}T12:00:00Z`,
  ipv4,
  ipv6,
  hostname: (parts) => `${slug(parts)}.example.com`,
};

/**
 * Returns the function that creates texts for a column, by the column's required format or otherwise by its
 * name. Returns null if no pattern matches the name.
 */
export function findTextMaker({
  column,
  name,
  tableName,
}: Pick<ValueContext, 'column' | 'name' | 'tableName'>): TextMaker | null {
  if (column.format !== null) return BY_FORMAT[column.format] ?? null;
  const named = BY_COLUMN.find(([words]) => words.test(name));
  if (named !== undefined) return named[1];
  if (!/(^|_)name$/.test(name)) return null;
  return (
    NAME_BY_TABLE.find(([words]) => words.test(tableName))?.[1] ??
    (({ random }) => capitalise(fillPattern('%a %n', random)))
  );
}

/** Returns a UUID of version 4. */
export function makeUuid(random: Random): string {
  const bytes = random.bytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  );
}
