import { TextDecoder } from 'node:util';

interface WideCharset {
  /** Matches one or more characters beyond ASCII, as the servers' lexers read them. */
  readonly runs: RegExp;
  /** The WHATWG encoding. Null if it differs from the servers' meaning of the name. */
  readonly encoding: string | null;
}

const GBK_PAIR = '[\\x81-\\xfe][\\x40-\\x7e\\x80-\\xfe]';
const SHIFT_JIS: WideCharset = {
  runs: /(?:[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]|[\x80-\xff])+/g,
  encoding: 'shift_jis',
};

/**
 * Character sets in which a character may contain the byte of a backslash or backquote. Dumps in them are
 * decoded before they are split into statements. Big5 has 267 characters that servers and browsers read
 * differently, so its texts are only skipped.
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

/** Returns whether texts in this wide character set are decoded, and not only skipped. */
export function isDecodable(charset: string): boolean {
  return isWide(charset) && WIDE[charset]?.encoding !== null;
}

/**
 * Converts a text of a wide character set, with one character per byte, into UTF-8 bytes.
 * Unreadable characters become U+FFFD. ASCII stays unchanged, because the decoder of Shift JIS
 * replaces control characters.
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

/** Returns the UTF-8 bytes of a text, with one character per byte. */
export function toByteText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** The bytes of U+FFFD, which a decoder writes for unreadable input. */
const REPLACED = toByteText('\ufffd');

/** Returns whether the text of a decoded dump contains a replaced character. */
export function lostCharacters(bytes: string): boolean {
  return bytes.includes(REPLACED);
}
