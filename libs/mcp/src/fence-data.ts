import { randomBytes } from 'node:crypto';

/** The start of anything that resembles the fence. */
const TAG_LIKE = /<(?=\/|!|untrusted)/gi;
/**
 * Characters that people do not see but models do: control characters, direction marks, tags, and variation
 * selectors.
 */
const INVISIBLE =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/**
 * Wraps JSON text in a fence that its content can neither close nor imitate. The tag is random for each text,
 * and `</` is escaped inside. The escaped text has the same JSON value.
 */
export function fenceData(json: string, words: string): string {
  const tag = `untrusted-data-${randomBytes(8).toString('hex')}`;
  return `${words}\n<${tag}>\n${escapeText(json)}\n</${tag}>`;
}

function escapeText(json: string): string {
  return json.replace(TAG_LIKE, '\\u003c').replace(INVISIBLE, escapeUnits);
}

function escapeUnits(text: string): string {
  let escaped = '';
  for (let index = 0; index < text.length; index += 1)
    escaped += `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`;
  return escaped;
}
