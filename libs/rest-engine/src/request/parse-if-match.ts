import { faultAt, validationError } from '@rowhouse/errors';
import type { IfMatch, RawRequest, RecordTag } from './api-request.js';

const TAGS_MAX = 50;
/** RFC 9110: quoted, weak or not. */
const ENTITY_TAG = /^(W\/)?"([\x21\x23-\x7e]*)"$/;
/** `v.r`, and `.i` of a record that was read with others: what was included is no part of the record. */
const RECORD_TAG = /^(\d{1,15})\.([A-Za-z0-9_-]{22})(?:\.[A-Za-z0-9_-]{22})?$/;

/** Null without the header. Tags that no record of this API can have match nothing; weak ones never do. */
export function parseIfMatch(headers: RawRequest['headers']): IfMatch | null {
  const header = headers['if-match'];
  if (header === undefined) return null;
  const text = (typeof header === 'string' ? header : header.join(',')).trim();
  if (text === '*') return { kind: 'any' };
  const parts = text.split(',', TAGS_MAX + 1).map((part) => part.trim());
  if (parts.length > TAGS_MAX) throw badHeader(`If-Match holds at most ${TAGS_MAX} tags.`);
  const tags: RecordTag[] = [];
  for (const part of parts) {
    const entity = ENTITY_TAG.exec(part);
    if (entity === null) throw badHeader('If-Match is * or a list of tags in double quotes, as ETag gave them.');
    const record = entity[1] === undefined ? RECORD_TAG.exec(entity[2] ?? '') : null;
    if (record !== null) tags.push({ snapshot: Number(record[1]), digest: record[2] ?? '' });
  }
  return { kind: 'tags', tags };
}

function badHeader(message: string): Error {
  return validationError('params.invalid', [faultAt(['header', 'If-Match'], message, 'etag')], 'Send the ETag of the answer as it came, quotes included: If-Match: "1.xxxx"');
}
