import { randomBytes } from 'node:crypto';

/** Beginnings of what could be taken for the fence itself, whoever wrote it. */
const TAG_LIKE = /<(?=\/|!|untrusted)/gi;
/** What a reader does not see, and a model does: controls, direction marks, tags, and the supplement that carries bytes. */
const INVISIBLE = /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/**
 * JSON text inside a fence that its content can neither close nor imitate: the tag is made up for each text, and inside no
 * `</` is left. What is written as an escape is the same JSON value as before.
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
  for (let at = 0; at < text.length; at += 1) escaped += `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escaped;
}
