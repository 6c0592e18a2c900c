// @ts-check
/** Defines classes below the level of text: invalid bytes, invalid escapes and invalid JSON. */

const bytes = (/** @type {readonly number[]} */ ...list) => Buffer.from(list);

/**
 * Bytes for every position that takes a text. `fit` is a valid text of the same kind.
 * @type {readonly { name: string, fit: string, payloads: readonly Buffer[] }[]}
 */
export const BYTE_CLASSES = [
  { name: 'invalid-utf8', fit: 'größe', payloads: [bytes(0xff), bytes(0xfe, 0xff), bytes(0x80), bytes(0xc3), bytes(0xe2, 0x82), bytes(0xf0, 0x9f, 0x98), bytes(0x61, 0xff, 0x62), bytes(0xc3, 0x28), bytes(0xf8, 0x88, 0x80, 0x80, 0x80), bytes(0x61, 0xc3)] },
  { name: 'overlong-utf8', fit: '/../', payloads: [bytes(0xc0, 0xaf), bytes(0xe0, 0x80, 0xaf), bytes(0xf0, 0x80, 0x80, 0xaf), bytes(0xc0, 0x80), bytes(0xc1, 0xbf), bytes(0xc0, 0xa7), bytes(0xe0, 0x80, 0xa7)] },
  { name: 'surrogate-bytes', fit: '😀', payloads: [bytes(0xed, 0xa0, 0x80), bytes(0xed, 0xbf, 0xbf), bytes(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80), bytes(0xed, 0xb0, 0x80), bytes(0x61, 0xed, 0xa0, 0x80)] },
  { name: 'other-encodings', fit: 'é', payloads: [bytes(0xfe, 0xff, 0x00, 0x61), bytes(0xff, 0xfe, 0x61, 0x00), bytes(0xe9), bytes(0xbf, 0x27), bytes(0x81, 0x5c), bytes(0xf5, 0x80, 0x80, 0x80), bytes(0xf4, 0x90, 0x80, 0x80), bytes(0xa1, 0x27, 0x20, 0x4f, 0x52)] },
];

/**
 * Raw parts of a URL. `fit` is the same part, escaped correctly.
 * @type {readonly { name: string, fit: string, payloads: readonly string[] }[]}
 */
export const ESCAPE_CLASSES = [
  { name: 'bad-escapes', fit: '%25', payloads: ['%', '%z', '%zz', '%1', '%%', '%u0041', 'a%', '%G0', '%-1', '%2', '%%32%35', '%\u00e9', 'x%2'] },
  { name: 'double-escapes', fit: '%2525', payloads: ['%2527', '%252e%252e', '%252f', '%25zz', '%2500', '%25%32%37', '%25252527', '%25u0027'] },
  { name: 'odd-escapes', fit: '%69%64', payloads: ['%69%64', '%49d', '+', '%2B', 'a+b', '%c3%a9', '%C3%a9', 'i%64', '%2d', '%2e', '%2f', '%3b', '%3f', '%23', '%5c', '%7f', '%0a', '%0d%0a', '%09', '%00', '%20'] },
  { name: 'raw-characters', fit: '%22%3C%3E', payloads: ['"', '<', '>', '|', '{', '}', '^', '`', '\\', '[', ']', "'", '#', '#x', ';', '\u00e9', '\u00ff', '\u007f', 'a"b', '\t', '~', '!', '$', '*', '(', ')', ','] },
];

const nest = (/** @type {string} */ open, /** @type {string} */ close, /** @type {number} */ depth) => `${open.repeat(depth)}1${close.repeat(depth)}`;

/**
 * Raw JSON in the position of a value. `fit` is a valid value.
 * @type {readonly { name: string, fit: string, payloads: readonly string[] }[]}
 */
export const JSON_CLASSES = [
  { name: 'malformed-json', fit: '"text"', payloads: ['{', '[1,', '{"a":}', "{'a':1}", '{a:1}', 'tru', '"abc', '"\\x41"', '"\\u12"', '01', '1.', '.5', '+1', '--1', '1e', '[1,]', '{"a":1,}', '{,}', '[,]', 'nul', '"a\nb"', '"\t"', '{"a" 1}', '{"a"::1}', '[1 2]', '}', ']', '"', '\\', "'x'", '', ' ', '\u0000'] },
  { name: 'json-comments-and-more', fit: '1', payloads: ['/*c*/1', '1 // c', '# x\n1', '1 2', '{}{}', '[]x', '1,2', 'null null', '\ufeff1', '\ufeff{}', '1;', '(1)', '1\u0000', '\u00a01', '1\u2028', '\v1', '\f1'] },
  { name: 'odd-literals', fit: 'true', payloads: ['NaN', 'Infinity', '-Infinity', 'undefined', 'None', 'True', 'TRUE', '0x10', '1_000', '١', '-', 'nan', '1n', '1f', '0777', '1.0.0', '"\\ud800"', '"\\udc00\\ud800"'] },
  { name: 'deep-json', fit: '[[1]]', payloads: [nest('[', ']', 63), nest('[', ']', 65), nest('[', ']', 1_000), nest('[', ']', 50_000), '['.repeat(100_000), nest('{"a":', '}', 64), nest('{"a":', '}', 3_000), '{"a":['.repeat(2_000), nest('[{"not":', '}]', 40), nest('{"not":', '}', 40), nest('{"or":[', ']}', 33)] },
  { name: 'duplicate-members', fit: '{"a":1}', payloads: ['{"id":1,"id":2}', '{"a":1,"\\u0061":2}', '{"title":"a","title":"b"}', '{"":1,"":2}', '{"__proto__":1,"__proto__":2}', '{"name":"x","NAME":"y"}'] },
  { name: 'huge-numbers', fit: '12', payloads: ['1e400', '-1e400', '9'.repeat(5_000), `0.${'0'.repeat(1_000)}1`, '1E-999', '123456789012345678901234567890', '-0', '1e+99999999999', '-0.0', '1e5', '1E+2', '99999999999999999999.5', `1e${'0'.repeat(300)}1`] },
  { name: 'wrong-types', fit: '"text"', payloads: ['true', '[]', '{}', '[[]]', '{"a":{}}', 'null', '7', '"x"', '[null]', '[{}]', '[1,"a"]', '""', '[[[]]]', '{"":{"":{}}}', '[true,false]', '-1.5', '"7"', '{"0":1}', '{"length":5}'] },
  { name: 'prototype-pollution', fit: '{"a":{"b":1}}', payloads: ['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"x":1}}}', '[{"__proto__":1}]', '{"__proto__":null}', '{"a":{"__proto__":{"toString":1}}}', '{"prototype":{}}', '{"toString":"x","valueOf":1}', '{"hasOwnProperty":1}', '{"__proto__":[]}', '{"\\u005f_proto__":{"x":1}}'] },
  { name: 'operator-objects', fit: '1', payloads: ['{"$gt":0}', '{"$inc":1}', '{"$inc":"x"}', '{"$inc":{"$inc":1}}', '{"$inc":1e400}', '{"$inc":1,"$set":2}', '{"$ref":"0.id"}', '{"$ref":"9.x"}', '{"$ref":"__proto__.x"}', '{"$ref":7}', '{"$value":1}', '{"$value":{"$ref":"0.id"}}', '{"$set":1}', '{"$where":"1"}', '{"$ref":"0.id.0.0.0"}'] },
  { name: 'mass-assignment', fit: '{"name":"x"}', payloads: ['{"id":1,"role":"admin"}', '{"created_at":"2000-01-01T00:00:00Z","id":-1}', '{"is_admin":true,"owner":1}', '{"user":{"id":1}}', '{"users":[{"id":1}]}', '{"posts":[{"id":1},{"id":2}]}', '{"_etag":"x","_id":1}', '{"tags":{"id":1}}', '{"comments":[{"user":{"id":1}}]}'] },
  { name: 'wide-json', fit: '[1,2,3]', payloads: [`[${Array.from({ length: 5_000 }, (_, index) => index).join(',')}]`, `{${Array.from({ length: 2_000 }, (_, index) => `"m${index}":${index}`).join(',')}}`, `[${'{},'.repeat(3_000)}{}]`, `"${'a'.repeat(200_000)}"`, `[${'"a",'.repeat(20_000)}"a"]`, `{"or":[${'{"id":1},'.repeat(400)}{"id":2}]}`] },
];
