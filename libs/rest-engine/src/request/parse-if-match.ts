import { faultAt, validationError } from '@rowhouse/errors';
import type { RawRequest, RecordTag, TagList } from './api-request.js';

const TAGS_MAX = 50;
/** An entity tag of RFC 9110, quoted and optionally weak. */
const ENTITY_TAG = /^(W\/)?"([\x21\x23-\x7e]*)"$/;
/**
 * The form `v.r`, with `.i` added when related records were included. The included records are not part of
 * the record's version.
 */
const RECORD_TAG = /^(\d{1,15})\.([A-Za-z0-9_-]{22})(?:\.[A-Za-z0-9_-]{22})?$/;

/**
 * Parses `If-Match`. Returns null without the header. Tags that no record of this API can have match nothing.
 * Weak tags do not match either, because the comparison is strong.
 */
export function parseIfMatch(headers: RawRequest['headers']): TagList | null {
  return parseTags('If-Match', headers['if-match'], false);
}

/** Parses `If-None-Match`, whose comparison is weak. Returns null without the header. */
export function parseIfNoneMatch(headers: RawRequest['headers']): TagList | null {
  return parseTags('If-None-Match', headers['if-none-match'], true);
}

function parseTags(name: string, header: RawRequest['headers'][string], takesWeak: boolean): TagList | null {
  if (header === undefined) return null;
  const text = (typeof header === 'string' ? header : header.join(',')).trim();
  if (text === '*') return { kind: 'any' };
  const parts = text.split(',', TAGS_MAX + 1).map((part) => part.trim());
  if (parts.length > TAGS_MAX) throw badHeader(name, `${name} holds at most ${TAGS_MAX} tags.`);
  const tags: RecordTag[] = [];
  for (const part of parts) {
    const entity = ENTITY_TAG.exec(part);
    if (entity === null)
      throw badHeader(name, `${name} is * or a list of tags in double quotes, as ETag gave them.`);
    const record = entity[1] === undefined || takesWeak ? RECORD_TAG.exec(entity[2] ?? '') : null;
    if (record !== null) tags.push({ snapshot: Number(record[1]), digest: record[2] ?? '' });
  }
  return { kind: 'tags', tags };
}

function badHeader(name: string, message: string): Error {
  return validationError(
    'params.invalid',
    [faultAt(['header', name], message, 'etag')],
    `Send the ETag of the answer as it came, quotes included: ${name}: "1.xxxx"`,
  );
}
