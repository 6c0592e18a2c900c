import { TextDecoder } from 'node:util';

interface WideCharset {
  /** One or more characters beyond ASCII, as the servers' lexers read them. */
  readonly runs: RegExp;
  /** The WHATWG encoding. Null where it differs from what the servers mean by the name. */
  readonly encoding: string | null;
}

const GBK_PAIR = '[\\x81-\\xfe][\\x40-\\x7e\\x80-\\xfe]';
const SHIFT_JIS: WideCharset = { runs: /(?:[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]|[\x80-\xff])+/g, encoding: 'shift_jis' };

/**
 * Character sets in which a character may hold the byte of a backslash or backquote. Dumps in them are decoded before they
 * are split into statements. Big5 has 267 characters that servers and browsers read differently, so its texts are only
 * skipped.
 */
const WIDE: Readonly<Record<string, WideCharset>> = {
  gbk: { runs: new RegExp(`(?:${GBK_PAIR}|[\\x80-\\xff])+`, 'g'), encoding: 'gbk' },
  gb18030: { runs: new RegExp(`(?:${GBK_PAIR}|[\\x81-\\xfe][\\x30-\\x39][\\x81-\\xfe][\\x30-\\x39]|[\\x80-\\xff])+`, 'g'), encoding: 'gb18030' },
  sjis: SHIFT_JIS,
  cp932: SHIFT_JIS,
  big5: { runs: /(?:[\xa1-\xf9][\x40-\x7e\xa1-\xfe]|[\x80-\xff])+/g, encoding: null },
};
/** Characters of `sjis` that servers convert to others than `cp932` does. */
const SJIS_OWN: Readonly<Record<string, string>> = { '～': '〜', '∥': '‖', '－': '−', '￠': '¢', '￡': '£', '￢': '¬' };
const decoders = new Map<string, TextDecoder>();

export function isWide(charset: string): boolean {
  return Object.hasOwn(WIDE, charset);
}

/** Whether texts in this wide character set are read, not only skipped. */
export function isDecodable(charset: string): boolean {
  return isWide(charset) && WIDE[charset]?.encoding !== null;
}

/**
 * Writes a text of a wide character set, one character for each byte, as the bytes of UTF-8. What cannot be read becomes
 * U+FFFD. ASCII stays as it is: the decoder of Shift JIS exchanges control characters.
 */
export function widenToUtf8(bytes: string, charset: string): string {
  const wide = WIDE[charset];
  if (wide === undefined) return bytes;
  return bytes.replace(wide.runs, (run) => toByteText(wide.encoding === null ? '\ufffd' : decodeRun(run, wide.encoding, charset)));
}

function decodeRun(run: string, encoding: string, charset: string): string {
  const decoder = decoders.get(encoding) ?? new TextDecoder(encoding);
  decoders.set(encoding, decoder);
  const text = decoder.decode(Buffer.from(run, 'latin1'));
  return charset === 'sjis' ? text.replace(/[～∥－￠￡￢]/gu, (character) => SJIS_OWN[character] ?? character) : text;
}

/** The bytes of a text in UTF-8, with one character for each byte. */
export function toByteText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** U+FFFD as bytes: a decoder writes it for what it cannot read. */
const REPLACED = toByteText('\ufffd');

/** Whether the text of a decoded dump lost something that was no character. */
export function lostCharacters(bytes: string): boolean {
  return bytes.includes(REPLACED);
}
