import { TextDecoder } from 'node:util';

interface WideCharset {
  /** Matches one or more characters beyond ASCII, as the servers' lexers read them. */
  readonly runs: RegExp;
  /** The WHATWG encoding. Null if browsers and servers decode the character set differently. */
  readonly encoding: string | null;
}

const GBK_PAIR = '[\\x81-\\xfe][\\x40-\\x7e\\x80-\\xfe]';
const SHIFT_JIS: WideCharset = {
  runs: /(?:[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]|[\x80-\xff])+/g,
  encoding: 'shift_jis',
};

/**
 * Character sets in which a character may contain the byte of a backslash or backquote. Dumps in these
 * character sets are decoded before they are split into statements. In Big5, servers and browsers read 267
 * characters differently, so its texts are only skipped.
 */
const WIDE: Readonly<Record<string, WideCharset>> = {
  gbk: { runs: new RegExp(`(?:${GBK_PAIR}|[\\x80-\\xff])+`, 'g'), encoding: 'gbk' },
  gb18030: {
    runs: new RegExp(
      `(?:${GBK_PAIR}|[\\x81-\\xfe][\\x30-\\x39][\\x81-\\xfe][\\x30-\\x39]|[\\x80-\\xff])+`,
      'g',
    ),
    encoding: 'gb18030',
  },
  sjis: SHIFT_JIS,
  cp932: SHIFT_JIS,
  big5: { runs: /(?:[\xa1-\xf9][\x40-\x7e\xa1-\xfe]|[\x80-\xff])+/g, encoding: null },
};
/** Characters of `sjis` that servers convert differently from `cp932`. */
const SJIS_OWN: Readonly<Record<string, string>> = {
  '～': '〜',
  '∥': '‖',
  '－': '−',
  '￠': '¢',
  '￡': '£',
  '￢': '¬',
};
const decoders = new Map<string, TextDecoder>();

export function isWide(charset: string): boolean {
  return Object.hasOwn(WIDE, charset);
}

/** Returns whether texts in this wide character set are decoded. Otherwise they are only skipped. */
export function isDecodable(charset: string): boolean {
  return isWide(charset) && WIDE[charset]?.encoding !== null;
}

/**
 * Converts a text of a wide character set, with one character per byte, into UTF-8 bytes. Invalid characters
 * become U+FFFD. ASCII is copied unchanged, because the decoder of Shift JIS replaces control characters.
 */
export function widenToUtf8(bytes: string, charset: string): string {
  const wide = WIDE[charset];
  if (wide === undefined) return bytes;
  return bytes.replace(wide.runs, (run) =>
    toByteText(wide.encoding === null ? '\ufffd' : decodeRun(run, wide.encoding, charset)),
  );
}

function decodeRun(run: string, encoding: string, charset: string): string {
  const decoder = decoders.get(encoding) ?? new TextDecoder(encoding);
  decoders.set(encoding, decoder);
  const text = decoder.decode(Buffer.from(run, 'latin1'));
  return charset === 'sjis'
    ? text.replace(/[～∥－￠￡￢]/gu, (character) => SJIS_OWN[character] ?? character)
    : text;
}

/** Returns a string with one character for each UTF-8 byte of a text. */
export function toByteText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** The UTF-8 bytes of U+FFFD, which a decoder writes for invalid input. */
const REPLACED = toByteText('\ufffd');

/** Returns whether the text of a decoded dump contains a replaced character. */
export function lostCharacters(bytes: string): boolean {
  return bytes.includes(REPLACED);
}
