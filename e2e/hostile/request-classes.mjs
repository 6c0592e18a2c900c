// @ts-check
/**
 * Defines classes that concern the request itself: its request line, headers and the length of its body. Each
 * is tried on every kind of call.
 */
import { gzipSync } from 'node:zlib';

/**
 * A request before it is serialized; strings hold bytes, one per character.
 * @typedef {object} Shape
 * @property {string} method
 * @property {string} target
 * @property {string} version
 * @property {string[]} lines header lines
 * @property {string} body
 * @property {string} following bytes after the request, on the same connection
 * @property {boolean} isCounted whether a Content-Length of the body's length is added
 * @typedef {object} ShapeContext
 * @property {string} key the key of the call
 * @property {string} host
 * @property {string} victimKey the key of the other tenant, with one letter changed so that it is invalid
 * @typedef {object} RequestClass
 * @property {string} name
 * @property {boolean} [mayBeSilent] whether a server may close the connection without a response
 * @property {readonly ((shape: Shape, context: ShapeContext) => Partial<Shape>)[]} changes
 */

/**
 * The kinds of calls.
 * @type {readonly { name: string, method: string, target: string, body: string, lines?: string[] }[]}
 */
export const TARGETS = [
  { name: 'list', method: 'GET', target: '/v1/-/posts?limit=2', body: '' },
  { name: 'record', method: 'GET', target: '/v1/-/posts/1', body: '' },
  {
    name: 'create',
    method: 'POST',
    target: '/v1/-/tags',
    body: '{"name":"hostile"}',
    lines: ['Prefer: tx=rollback'],
  },
  {
    name: 'update',
    method: 'PATCH',
    target: '/v1/-/posts/1',
    body: '{"title":"x"}',
    lines: ['Prefer: tx=rollback'],
  },
  {
    name: 'replace',
    method: 'PUT',
    target: '/v1/-/posts/1',
    body: '{"title":"x"}',
    lines: ['Prefer: tx=rollback'],
  },
  { name: 'delete', method: 'DELETE', target: '/v1/-/comments/1', body: '', lines: ['Prefer: tx=rollback'] },
  {
    name: 'delete-many',
    method: 'DELETE',
    target: '/v1/-/comments?id=1',
    body: '',
    lines: ['Prefer: tx=rollback'],
  },
  { name: 'search', method: 'POST', target: '/v1/-/_search/posts', body: '{"limit":1}' },
  {
    name: 'batch',
    method: 'POST',
    target: '/v1/-/_batch',
    body: '{"operations":[{"method":"GET","path":"/posts?limit=1"}]}',
  },
  { name: 'query', method: 'POST', target: '/v1/-/query', body: '{"query":"SELECT 1 AS one"}' },
  { name: 'stream', method: 'GET', target: '/v1/-/posts', body: '', lines: ['Accept: application/x-ndjson'] },
  { name: 'explain', method: 'GET', target: '/v1/-/posts?_explain=true', body: '' },
];

/**
 * @param {(shape: Shape, context: ShapeContext) => readonly string[]} make
 * @returns {(shape: Shape, context: ShapeContext) => Partial<Shape>}
 */
const withLines = (make) => (shape, context) => ({ lines: [...shape.lines, ...make(shape, context)] });
const line = (/** @type {string} */ text) => withLines(() => [text]);
const lines = (/** @type {readonly string[]} */ texts) => texts.map(line);
const method = (/** @type {string} */ name) => () => ({ method: name });
const target =
  (/** @type {(target: string, context: ShapeContext) => string} */ change) =>
  (/** @type {Shape} */ shape, /** @type {ShapeContext} */ context) => ({
    target: change(shape.target, context),
  });
const version = (/** @type {string} */ text) => () => ({ version: text });

/**
 * Returns a second request that is hidden in the first one and would delete a row. The server must not
 * execute it.
 * @param {ShapeContext} context
 */
const hidden = ({ host, key }) =>
  `DELETE /v1/-/comments/1 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
const chunk = (/** @type {string} */ body) => `${body.length.toString(16)}\r\n${body}\r\n`;
const bomb = gzipSync(Buffer.alloc(5_000_000)).toString('latin1');

/** @type {readonly RequestClass[]} */
export const REQUEST_CLASSES = [
  {
    name: 'odd-methods',
    mayBeSilent: true,
    changes: [
      'TRACE',
      'CONNECT',
      'PROPFIND',
      'PURGE',
      'MERGE',
      'LINK',
      'REPORT',
      'MKCOL',
      'LOCK',
      'SEARCH',
      'QUERY',
      'M-SEARCH',
      'FOO',
      'get',
      'Get',
      'G',
      '',
      'GET\t',
      'GE T',
      'P\u00c3ST',
      'GET/',
      'A'.repeat(100),
      '\u0000GET',
      'OPTIONS',
      'HEAD',
      'SOURCE',
      'UNBIND',
    ].map(method),
  },
  {
    name: 'method-overrides',
    changes: [
      ...lines([
        'X-HTTP-Method-Override: DELETE',
        'X-HTTP-Method: DELETE',
        'X-Method-Override: PUT',
        'X-HTTP-Method-Override: TRACE',
        'X-Original-Method: DELETE',
      ]),
      target((text) => `${text}${text.includes('?') ? '&' : '?'}_method=DELETE`),
    ],
  },
  {
    name: 'content-types',
    changes: [
      ...lines([
        'Content-Type: text/plain',
        'Content-Type: application/x-www-form-urlencoded',
        'Content-Type: multipart/form-data; boundary=x',
        'Content-Type: application/json; charset=utf-16',
        'Content-Type: application/json; charset=utf-7',
        'Content-Type: application/xml',
        'Content-Type: ;',
        'Content-Type: /',
        'Content-Type: */*',
        'Content-Type: application/json, text/plain',
        'Content-Type: \u00ff',
        'Content-Type: text/csv',
        'Content-Type: application/x-ndjson',
        'Content-Type: application/octet-stream',
        'Content-Type: application/json-patch+json',
        'Content-Type: APPLICATION/JSON',
        'Content-Type:',
        'Content-Type: application/json;;;',
        `Content-Type: ${'a'.repeat(5_000)}`,
      ]),
    ].map(
      (change) => (/** @type {Shape} */ shape, /** @type {ShapeContext} */ context) =>
        change({ ...shape, lines: shape.lines.filter((text) => !text.startsWith('Content-Type')) }, context),
    ),
  },
  {
    name: 'content-encodings',
    changes: [
      ...lines([
        'Content-Encoding: gzip',
        'Content-Encoding: br',
        'Content-Encoding: deflate',
        'Content-Encoding: gzip, gzip',
        'Content-Encoding: identity',
        'Content-Encoding: x',
        'Content-Encoding:',
        'Content-Encoding: zstd',
      ]),
      (shape) => ({
        lines: [...shape.lines, 'Content-Encoding: gzip', 'Content-Type: application/json'],
        body: bomb,
      }),
    ],
  },
  {
    name: 'content-lengths',
    mayBeSilent: true,
    changes: [
      '0',
      '1',
      '5',
      '999999',
      '99999999999999999999',
      '-1',
      '+5',
      ' 5',
      '5 ',
      '0x5',
      '5, 5',
      '5, 6',
      '5;5',
      '٥',
      '1e1',
      '5.0',
      '',
    ].map((length) => (/** @type {Shape} */ shape) => ({
      isCounted: false,
      lines: [...shape.lines, `Content-Length: ${length}`],
    })),
  },
  {
    name: 'two-lengths',
    mayBeSilent: true,
    changes: [
      ['0', '5'],
      ['5', '0'],
      ['5', '5'],
      ['1', '1000'],
    ].map((pair) => (/** @type {Shape} */ shape, /** @type {ShapeContext} */ context) => ({
      isCounted: false,
      lines: [...shape.lines, ...pair.map((length) => `Content-Length: ${length}`)],
      body: shape.body === '' ? hidden(context) : shape.body,
    })),
  },
  {
    name: 'length-and-chunks',
    mayBeSilent: true,
    changes: [
      (shape, context) => ({
        isCounted: false,
        lines: [...shape.lines, `Content-Length: ${shape.body.length}`, 'Transfer-Encoding: chunked'],
        body: `0\r\n\r\n${hidden(context)}`,
      }),
      (shape, context) => ({
        isCounted: false,
        lines: [...shape.lines, 'Transfer-Encoding: chunked', 'Content-Length: 4'],
        body: `${chunk(hidden(context))}0\r\n\r\n`,
      }),
      (shape, context) => ({
        isCounted: false,
        lines: [...shape.lines, 'Content-Length: 6', 'Transfer-Encoding: chunked'],
        body: `0\r\n\r\n${hidden(context)}`,
      }),
    ],
  },
  {
    name: 'odd-chunks',
    mayBeSilent: true,
    changes: [
      'Transfer-Encoding: xchunked',
      'Transfer-Encoding : chunked',
      'Transfer-Encoding: chunked, identity',
      'Transfer-Encoding: identity',
      'Transfer-Encoding:\tchunked',
      'Transfer-Encoding: "chunked"',
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
      'X: x\nTransfer-Encoding: chunked',
      'Transfer-Encoding: chun\u0000ked',
      'Transfer-Encoding: gzip, chunked',
    ].map((text) => (/** @type {Shape} */ shape, /** @type {ShapeContext} */ context) => ({
      isCounted: false,
      lines: [...shape.lines, text, 'Content-Length: 3'],
      body: `0\r\n\r\n${hidden(context)}`,
    })),
  },
  {
    name: 'bad-chunks',
    mayBeSilent: true,
    changes: [
      'zz\r\nabc\r\n0\r\n\r\n',
      '-1\r\nabc\r\n0\r\n\r\n',
      'ffffffffffffffffff\r\nabc',
      '3\r\nabcdef\r\n0\r\n\r\n',
      '3;ext=1\r\nabc\r\n0\r\nX: y\r\n\r\n',
      `3;${'a'.repeat(20_000)}\r\nabc\r\n0\r\n\r\n`,
      '0x3\r\nabc\r\n0\r\n\r\n',
      '3\nabc\n0\n\n',
      '\r\n\r\n',
      '3 \r\nabc\r\n0\r\n\r\n',
      '1\r\n{\r\n',
    ].map((body) => (/** @type {Shape} */ shape) => ({
      isCounted: false,
      lines: [...shape.lines, 'Transfer-Encoding: chunked'],
      body,
    })),
  },
  {
    name: 'header-syntax',
    mayBeSilent: true,
    changes: lines([
      'X-Fold: a\r\n b',
      'X-Fold: a\r\n\tb',
      ' X-Lead: a',
      'X Space: a',
      'X-Space : a',
      'NoColon',
      ': empty',
      ':',
      'X-Null: a\u0000b',
      'X-Control: a\u0001b',
      'X-Bare: a\nX-Other: b',
      'X-Return: a\rb',
      'X-\u00ff: a',
      'X-High: \u00ff\u00fe',
      'X(y): z',
      'X"y": z',
      '{"a":1}: x',
      'X-Tab\t: a',
      'X_underscore: a',
      'X-Empty:',
      'X-Long-Fold: a\r\n\r\n b',
    ]),
  },
  {
    name: 'header-sizes',
    mayBeSilent: true,
    changes: [
      line(`X-Long: ${'a'.repeat(40_000)}`),
      line(`X-Long: ${'a'.repeat(100_000)}`),
      line(`${'X'.repeat(20_000)}: a`),
      withLines(() => Array.from({ length: 1_500 }, (_, index) => `X-${index}: a`)),
      withLines(() => Array.from({ length: 5_000 }, () => 'X-Same: a')),
      line(`Cookie: ${'a=b; '.repeat(6_000)}`),
      line(`Accept: ${'a/b,'.repeat(5_000)}`),
      line(`Prefer: ${'a=b, '.repeat(4_000)}`),
    ],
  },
  {
    name: 'hosts',
    mayBeSilent: true,
    changes: [
      ...[
        'Host: evil.example',
        'Host:',
        'Host: a b',
        'Host: [::1',
        'Host: 127.0.0.1:99999',
        'Host: evil.example/../',
        'Host: \u00ff',
        'Host: localhost\r\nHost: evil.example',
        `Host: ${'a'.repeat(3_000)}`,
        'Host: x@y',
      ].map((text) => (/** @type {Shape} */ shape) => ({
        lines: [text, ...shape.lines.filter((old) => !old.startsWith('Host:'))],
      })),
      (shape) => ({ lines: shape.lines.filter((old) => !old.startsWith('Host:')) }),
    ],
  },
  {
    name: 'forwarding',
    changes: lines([
      'X-Forwarded-For: 127.0.0.1',
      'X-Forwarded-For: ::1, 10.0.0.1, evil',
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: javascript',
      'X-Original-URL: /v1/-/health',
      'X-Rewrite-URL: /v1/-/vault',
      'Forwarded: for="[::1]";host=evil',
      'X-Real-IP: 127.0.0.1',
      'X-Forwarded-Prefix: //evil.example',
      'X-Client-IP: 0',
      'True-Client-IP: x',
      'X-Forwarded-User: admin',
      'X-Remote-User: root',
      'Via: 1.1 x',
      'Front-End-Https: on',
      'X-Envoy-Internal: true',
      'X-Amzn-Trace-Id: x',
    ]),
  },
  {
    name: 'hop-by-hop',
    mayBeSilent: true,
    changes: lines([
      'Connection: Authorization',
      'Connection: close, Host',
      'Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13',
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
      'Upgrade: TLS/1.0',
      'TE: trailers, deflate',
      'Trailer: Authorization',
      'Keep-Alive: timeout=999999',
      'Proxy-Authorization: Basic eDp5',
      'Proxy-Connection: keep-alive',
      'Connection: \u00ff',
      'Connection: keep-alive, close',
    ]),
  },
  {
    name: 'expectations-and-ranges',
    mayBeSilent: true,
    changes: lines([
      'Expect: 100-continue',
      'Expect: x',
      'Expect: 200-ok',
      'Range: bytes=0-1',
      'Range: bytes=-1',
      'Range: rows=0-9',
      'If-Range: "x"',
      'If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT',
      'If-Unmodified-Since: x',
      'If-Match: "x"',
      'If-None-Match: *',
      'Max-Forwards: 0',
      'Cache-Control: only-if-cached',
      'Pragma: no-cache',
      'DNT: 1',
      'Prefer: wait=99',
    ]),
  },
  {
    name: 'negotiation',
    changes: lines([
      'Accept: */*;q=0',
      'Accept: application/json;q=0',
      'Accept: text/html',
      'Accept: ;;',
      'Accept: a/b;q=9',
      'Accept: application/problem+json',
      'Accept: application/json;version=99',
      'Accept: \u00ff',
      'Accept-Charset: utf-16',
      'Accept-Language: *',
      'Accept-Encoding: *;q=0',
      'Accept-Encoding: gzip;q=2',
      'Accept-Encoding: zstd, x',
      'Accept: text/csv',
      'Accept: application/x-ndjson;q=1, */*;q=1',
      'Accept: application/json\r\nAccept: text/csv',
    ]),
  },
  {
    name: 'several-credentials',
    changes: [
      ...lines([
        'Authorization: Bearer x',
        'Authorization: Basic eDp5',
        'X-API-Key: x',
        'X-Gibson-API-Key: x',
        'X-API-Key:',
        'Cookie: key=x; session=y',
        'Authorization: Digest x',
        'Authorization: Bearer\u00a0x',
        'authorization: bearer x',
        'X-Api-Key: null',
        'Authorization: Bearer eyJhbGciOiJub25lIn0.e30.',
      ]),
      withLines((_, { victimKey }) => [`X-API-Key: ${victimKey}`]),
      withLines((_, { victimKey }) => [`Cookie: key=${victimKey}`]),
      withLines((_, { key }) => [`X-API-Key: ${key} ${key}`]),
      withLines((_, { key }) => [`X-API-Key: ${key}\u0000`]),
    ],
  },
  {
    name: 'credentials-elsewhere',
    changes: [
      target((text, { key }) => `${text}${text.includes('?') ? '&' : '?'}access_token=${key}`),
      target((text, { key }) => text.replace('/v1', `/${key}/v1`)),
      target((text, { key, host }) => `http://${key}:x@${host}${text}`),
      (shape, { key }) => ({
        lines: shape.lines.map((text) => (text.startsWith('Authorization') ? `Authorization: ${key}` : text)),
      }),
      (shape, { key }) => ({
        lines: shape.lines.map((text) =>
          text.startsWith('Authorization') ? `Authorization: Bearer ${key},x` : text,
        ),
      }),
      (shape) => ({ lines: shape.lines.filter((text) => !text.startsWith('Authorization')) }),
      (shape, { victimKey }) => ({
        lines: shape.lines.map((text) =>
          text.startsWith('Authorization') ? `Authorization: Bearer ${victimKey}` : text,
        ),
      }),
    ],
  },
  {
    name: 'paths',
    mayBeSilent: true,
    changes: [
      (/** @type {string} */ text) => `/${text}`,
      (/** @type {string} */ text) => text.replace('/-/', '/-//'),
      (/** @type {string} */ text) => text.replace('/-/', '/./-/'),
      (/** @type {string} */ text) => text.replace('/v1/', '/v1/../v1/'),
      (/** @type {string} */ text) => text.replace('/v1/', '/v1/%2e%2e/v1/'),
      (/** @type {string} */ text) => text.replace('/-/', '/-;x=1/'),
      (/** @type {string} */ text) => text.replace('/-/', '/-%2f'),
      (/** @type {string} */ text) => text.toUpperCase(),
      (/** @type {string} */ text) => text.replaceAll('/', '\\'),
      (/** @type {string} */ text) => text.replace('?', '%3f'),
      (/** @type {string} */ text) => `${text}#fragment`,
      (/** @type {string} */ text) => `${text}${text.includes('?') ? '' : '/'}`,
      (/** @type {string} */ text) => text.replace('/v1/-', ''),
      (/** @type {string} */ text) => text.replace('/v1/-', '/v2/-'),
      (/** @type {string} */ text) => text.replace('/v1/-', '/v1/-/v1/-'),
      (/** @type {string} */ text) => text.slice(1),
      () => '*',
      () => '/',
      () => '',
      () => '/../../../etc/passwd',
      () => '/favicon.ico',
      () => '/.env',
      () => '/.git/config',
      () => '/server-status',
      () => '/api/me',
      () => '/metrics',
      () => '/readyz',
      () => `/${'a/'.repeat(4_000)}`,
      (/** @type {string} */ text) => `${text}\u00ff`,
      (/** @type {string} */ text) => `${text} x`,
      (/** @type {string} */ text) => text.replace('/-/', '/-/%00'),
    ].map((change) => target(change)),
  },
  {
    name: 'absolute-targets',
    mayBeSilent: true,
    changes: [
      (/** @type {string} */ text) => `http://evil.example${text}`,
      (/** @type {string} */ text) => `https://evil.example:99${text}`,
      (/** @type {string} */ text) => `//evil.example${text}`,
      (/** @type {string} */ text) => `file://${text}`,
      () => 'evil.example:80',
      (/** @type {string} */ text) => `http:${text}`,
      () => 'http://',
      () => 'javascript:alert(1)',
      (/** @type {string} */ text) => `http://[::1${text}`,
      (/** @type {string} */ text) => `http://a b${text}`,
    ].map((change) => target(change)),
  },
  {
    name: 'query-strings',
    changes: [
      '?',
      '&',
      '=',
      '&&=&',
      'a',
      'a=b=c',
      'id=1&id=2',
      '=x',
      '%',
      'id[]=1',
      'id[gt]=1',
      'a[b][c]=1',
      '__proto__[x]=1',
      'constructor=1',
      ';id=1',
      'id=1;title=2',
      Array.from({ length: 500 }, (_, index) => `id__gt=${index}`).join('&'),
      Array.from({ length: 300 }, (_, index) => `x${index}=1`).join('&'),
      `${'include=user&'.repeat(20)}`,
      'limit=1&limit=2',
      '\u00e9=1',
      'id=1\u0000',
      'a%00=1',
      '%5f_proto__=1',
    ].map((text) => target((old) => `${old}${old.includes('?') ? '&' : '?'}${text}`)),
  },
  {
    name: 'http-versions',
    mayBeSilent: true,
    changes: [
      'HTTP/1.0',
      'HTTP/0.9',
      'HTTP/2.0',
      'HTTP/1.2',
      'HTTP/3',
      'HTTP/1.1x',
      'http/1.1',
      'HTTP/11',
      'HTTP/1.1 HTTP/1.1',
      'XTTP/1.1',
      '',
      'HTTP/-1.1',
      'HTTP/1.1\u0000',
    ].map(version),
  },
  {
    name: 'pipelines',
    changes: [
      (_, { host, key }) => ({
        following: `GET /v1/-/posts/1 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`,
      }),
      (_, { host }) => ({ following: `GET /v1/-/posts/1 HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(5) }),
      () => ({ following: '\r\n\r\n\r\n' }),
      () => ({ following: 'garbage that is no request\r\n\r\n' }),
      () => ({ following: '\u0000\u0001\u0002' }),
      (_, { host }) => ({ following: `GET /v1/-/health HTTP/1.1\r\nHost: ${host}\r\n` }),
      () => ({ following: '\u0016\u0003\u0001\u0002\u0000\u0001\u0000' }),
    ],
  },
  {
    name: 'bodies-where-none-belongs',
    changes: [
      (shape) => ({ body: shape.body === '' ? '{"a":1}' : '' }),
      (shape) => ({ body: `${shape.body}${shape.body}` }),
      () => ({ body: '\u0000' }),
      () => ({ body: 'a=b&c=d' }),
      () => ({ body: '{'.repeat(20_000) }),
      () => ({ body: '\u00ff\u00fe' }),
      () => ({ body: ' '.repeat(100_000) }),
      (shape) => ({ body: `\u00ef\u00bb\u00bf${shape.body}` }),
      () => ({ body: `"${'a'.repeat(9_000_000)}"` }),
    ],
  },
  {
    name: 'preferences',
    changes: lines([
      'Prefer: return=x',
      'Prefer: tx=commit2',
      'Prefer: max-affected=-1',
      'Prefer: max-affected=1e9',
      'Prefer: max-affected=99999999999999',
      'Prefer: numbers=',
      'Prefer: ,,,',
      'Prefer: =',
      'Prefer: return="minimal',
      'Prefer: resolution=x',
      'Prefer: on-error=x',
      'Prefer: __proto__=1',
      'Prefer: tx',
      'Prefer: return=minimal;x=y',
    ]),
  },
];
