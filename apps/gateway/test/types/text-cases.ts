import fc from 'fast-check';
import { EVERY_CODE_PATH, type ColumnUse, type TypeCase, type Written } from './type-case.js';

const RAW = 'HEX(CONVERT(v USING utf8mb4))';

function hex(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex').toUpperCase();
}

function toWritten(text: string): Written {
  return { json: JSON.stringify(text), read: JSON.stringify(text), raw: hex(text) };
}

/** Writes a text for CHAR, which does not store trailing spaces. */
function toTrimmed(text: string): Written {
  const retained = text.replace(/ +$/, '');
  return { json: JSON.stringify(text), read: JSON.stringify(retained), raw: hex(retained) };
}

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(index + 32));
const TROUBLE = ["'", '"', '\\', '`', '%', '_', ',', '?', '\n', '\r', '\t', '\0', '\x1a', '\x7f', '\u2028'];
const range = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
const BMP = [
  'é',
  'ß',
  'Ä',
  'ı',
  'İ',
  'ж',
  'Ω',
  'א',
  'ع',
  'ก',
  '한',
  '漢',
  '字',
  'ア',
  'ﬀ',
  '\u0301',
  '\u200b',
  '\ufeff',
  '\ufffd',
  '\uffff',
  '\ue000',
];
const ASTRAL = ['😀', '𝄞', '𠮷', '\u{10ffff}', '👩‍👩‍👧'];

/**
 * The characters with which a character set is tested, besides ASCII. Each is known to be stored unchanged.
 */
const CHARSETS: Readonly<Record<string, readonly string[]>> = {
  utf8mb4: [...TROUBLE, ...BMP, ...ASTRAL],
  utf8mb3: [...TROUBLE, ...BMP],
  ucs2: [...TROUBLE, ...BMP],
  utf16: [...TROUBLE, ...BMP, ...ASTRAL],
  utf16le: [...TROUBLE, ...BMP, ...ASTRAL],
  utf32: [...TROUBLE, ...BMP, ...ASTRAL],
  ascii: TROUBLE.filter((char) => char < '\x80'),
  latin1: [...range(0xa0, 0xff), '€', '„', 'Œ', '\x81', '\x9d'],
  latin2: ['ą', 'Ł', 'ž', 'ő'],
  latin5: ['ğ', 'İ', 'ş'],
  latin7: ['ā', 'Ģ', 'ž'],
  cp1250: ['ą', '€', 'ž'],
  cp1251: ['ж', 'Я', 'ё', '№', '€'],
  cp1256: ['ع', 'پ'],
  cp1257: ['ā', 'ž'],
  koi8r: ['ж', 'Я', 'ё', '═'],
  koi8u: ['ї', 'Ґ'],
  greek: ['Ω', 'ά'],
  hebrew: ['א', 'ת'],
  cp850: ['é', '┼'],
  cp852: ['ő', 'Ł'],
  cp866: ['ж', '┼'],
  macroman: ['é', 'ﬁ'],
  macce: ['ą', 'Ł'],
  armscii8: ['Ա'],
  geostd8: ['ა'],
  tis620: ['ก', 'ฮ'],
  dec8: ['é', 'ß'],
  hp8: ['é', 'ß'],
  keybcs2: ['ž', 'Č'],
  swe7: [],
  sjis: ['漢', '字', 'ア', 'ｱ', 'あ', 'ソ', '表'],
  cp932: ['漢', '①', 'ソ', '髙', 'ｱ'],
  ujis: ['漢', '字', 'ア', 'ｱ'],
  eucjpms: ['漢', '①', '髙'],
  euckr: ['한', '글', '漢'],
  gb2312: ['汉', '字'],
  gbk: ['漢', '汉', '镕'],
  gb18030: ['漢', '汉', '😀', '𠮷', 'é'],
  big5: ['漢', '功', '許'],
};

/** Returns the characters of a character set. swe7 replaces some ASCII characters by letters. */
function charsOf(charset: string): readonly string[] {
  return charset === 'swe7'
    ? ['a', 'Z', '5', 'å', 'Ä', 'ö', 'É', ' ']
    : [...ASCII, ...(CHARSETS[charset] ?? [])];
}

function textCase(
  name: string,
  type: string,
  charset: string,
  charsMax: number,
  uses: readonly ColumnUse[],
  isTrimmed = false,
): TypeCase {
  const make = isTrimmed ? toTrimmed : toWritten;
  const unit = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...charsOf(charset)) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...(CHARSETS[charset]?.length ? (CHARSETS[charset] ?? []) : ['a'])),
    },
  );
  const longest =
    charsOf(charset)
      .filter((char) => char.length === 1)
      .at(-1) ?? 'x';
  return {
    name,
    type,
    engine: 'both',
    raw: RAW,
    compare: 'exact',
    codePaths: uses,
    edges: [
      '',
      ' ',
      'a',
      'A',
      'a b',
      '0',
      longest.repeat(Math.min(charsMax, 300)),
      ...(charset === 'swe7' ? [] : ['null', 'true', 'a,b', '"q"', '1e3', '%', '\\']),
    ]
      .filter((text) => text.length <= charsMax)
      .map(make),
    values: fc
      .array(unit, { minLength: 1, maxLength: Math.min(charsMax, 12) })
      .map((chars) => make([...chars.join('')].slice(0, charsMax).join(''))),
  };
}

const TEXT_CODE_PATHS: readonly ColumnUse[] = ['equal', 'order', 'sort', 'cursor'];

export const TEXT_CASES: readonly TypeCase[] = [
  textCase('char8', 'char(8)', 'utf8mb4', 8, EVERY_CODE_PATH, true),
  textCase('varchar', 'varchar(400)', 'utf8mb4', 400, EVERY_CODE_PATH),
  textCase('varcharbin', 'varchar(60) collate utf8mb4_bin', 'utf8mb4', 60, EVERY_CODE_PATH),
  textCase('tinytext', 'tinytext', 'utf8mb4', 60, TEXT_CODE_PATHS),
  textCase('text', 'text', 'utf8mb4', 400, TEXT_CODE_PATHS),
  textCase('mediumtext', 'mediumtext', 'utf8mb4', 400, TEXT_CODE_PATHS),
  textCase('longtext', 'longtext', 'utf8mb4', 400, TEXT_CODE_PATHS),
  textCase('textcompressed', 'text compressed', 'utf8mb4', 400, TEXT_CODE_PATHS),
  textCase('textlatin1', 'text character set latin1', 'latin1', 400, TEXT_CODE_PATHS),
  textCase('textucs2', 'text character set ucs2', 'ucs2', 400, TEXT_CODE_PATHS),
].map((entry) => (entry.name === 'textcompressed' ? { ...entry, engine: 'mariadb' as const } : entry));

/** The columns of each character set. */
export const CHARSET_CASES: readonly TypeCase[] = Object.keys(CHARSETS).flatMap((charset) => {
  const engine = charset === 'gb18030' ? 'mysql' : 'both';
  return [
    {
      ...textCase(`vc${charset}`, `varchar(40) character set ${charset}`, charset, 40, EVERY_CODE_PATH),
      engine,
    },
    {
      ...textCase(`ch${charset}`, `char(6) character set ${charset}`, charset, 6, ['equal', 'sort'], true),
      engine,
    },
  ];
});
