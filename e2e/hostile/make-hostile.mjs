// @ts-check
import { openRandom } from '@rowhouse/schema-model/testing';
import { JSON_PLACES, TEXT_PLACES } from './places.mjs';
import { BYTE_CLASSES, ESCAPE_CLASSES, JSON_CLASSES } from './raw-classes.mjs';
import { REQUEST_CLASSES, TARGETS } from './request-classes.mjs';
import { TEXT_CLASSES } from './text-classes.mjs';

/**
 * @typedef {import('./places.mjs').HostileRequest} HostileRequest
 * @typedef {import('./places.mjs').Value} Value
 * @typedef {import('./text-classes.mjs').HostileNames} HostileNames
 * @typedef {object} HostileContext what an attacker of one tenant knows
 * @property {string} key
 * @property {string} host
 * @property {string} victimKey
 * @property {HostileNames} names
 * @typedef {object} Hostile
 * @property {string} className
 * @property {string} place
 * @property {string} method
 * @property {Buffer} bytes the bytes of the whole request
 * @property {boolean} isAlone sent on its own connection, until the server closes it
 * @property {boolean} mayBeSilent
 */

const URL_PLACES = TEXT_PLACES.filter((position) => position.where === 'url');

/** @typedef {{ name: string, kind: 'text' | 'bytes' | 'escape' | 'json' | 'request', places: readonly string[] }} ClassEntry */

/**
 * All classes, each with the positions that it is sent to.
 * @type {readonly ClassEntry[]}
 */
export const CLASSES = [
  ...TEXT_CLASSES.map(
    ({ name }) =>
      /** @type {ClassEntry} */ ({
        name,
        kind: 'text',
        places: TEXT_PLACES.map((position) => position.name),
      }),
  ),
  ...BYTE_CLASSES.map(
    ({ name }) =>
      /** @type {ClassEntry} */ ({
        name,
        kind: 'bytes',
        places: TEXT_PLACES.map((position) => position.name),
      }),
  ),
  ...ESCAPE_CLASSES.map(
    ({ name }) =>
      /** @type {ClassEntry} */ ({
        name,
        kind: 'escape',
        places: URL_PLACES.map((position) => position.name),
      }),
  ),
  ...JSON_CLASSES.map(
    ({ name }) =>
      /** @type {ClassEntry} */ ({
        name,
        kind: 'json',
        places: JSON_PLACES.map((position) => position.name),
      }),
  ),
  ...REQUEST_CLASSES.map(
    ({ name }) =>
      /** @type {ClassEntry} */ ({ name, kind: 'request', places: TARGETS.map((item) => item.name) }),
  ),
];

/**
 * All pairs of a class and a position. They are ordered so that any part of the list has many classes and
 * positions.
 */
const PAIRS = CLASSES.flatMap((entry) => entry.places.map((position) => ({ entry, place: position })))
  .map((pair, index) => ({ pair, rank: openRandom(1, index).integer(2 ** 31) }))
  .sort((a, b) => a.rank - b.rank)
  .map(({ pair }) => pair);

/**
 * Creates the request of an index. The index selects the pair, and the seed selects a value.
 * @param {number} seed
 * @param {number} index
 * @param {HostileContext} context
 * @returns {Hostile}
 */
export function makeHostile(seed, index, context) {
  const random = openRandom(seed, index);
  const { entry, place: position } = /** @type {{ entry: ClassEntry, place: string }} */ (
    PAIRS[index % PAIRS.length]
  );
  if (entry.kind === 'request') return makeShaped(random, entry.name, position, context);
  const found = [...TEXT_PLACES, ...JSON_PLACES].find((item) => item.name === position);
  if (found === undefined) throw new Error(`there is no place ${position}`);
  return finish(entry.name, position, found.make(makeValue(random, entry, context)), context);
}

export const PAIRS_COUNT = PAIRS.length;

/**
 * @param {import('@rowhouse/schema-model/testing').Random} random
 * @param {ClassEntry} entry
 * @param {HostileContext} context
 * @returns {Value}
 */
function makeValue(random, entry, { names }) {
  const pick = (/** @type {readonly { name: string }[]} */ classes) =>
    /** @type {any} */ (classes.find((item) => item.name === entry.name));
  switch (entry.kind) {
    case 'bytes':
      return fromBytes(random.pick(/** @type {readonly Buffer[]} */ (pick(BYTE_CLASSES).payloads)));
    case 'escape':
      return fromRaw(random.pick(/** @type {readonly string[]} */ (pick(ESCAPE_CLASSES).payloads)));
    case 'json':
      return fromJson(random.pick(/** @type {readonly string[]} */ (pick(JSON_CLASSES).payloads)));
    default:
      return fromText(
        varyText(random, random.pick(/** @type {readonly string[]} */ (pick(TEXT_CLASSES).texts(names)))),
      );
  }
}

/**
 * Sometimes adds harmless text around it, or repeats it.
 * @param {import('@rowhouse/schema-model/testing').Random} random
 * @param {string} text
 */
function varyText(random, text) {
  if (random.maybe(0.7)) return text;
  return random.pick([
    `x${text}`,
    `${text}x`,
    `1${text}`,
    `${text}${text}`,
    `id${text}`,
    `${text}1`,
    ` ${text}`,
  ]);
}

/** @param {string} text @returns {Value} */
export function fromText(text) {
  const utf8 = (/** @type {string} */ item) => Buffer.from(item).toString('latin1');
  return { url: encodeURIComponent(text), json: utf8(JSON.stringify(text).slice(1, -1)), header: utf8(text) };
}

/** @param {Buffer} bytes @returns {Value} */
function fromBytes(bytes) {
  const raw = bytes.toString('latin1');
  return {
    url: [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    json: raw.replace(/["\\]/g, '\\$&'),
    header: raw,
  };
}

/** @param {string} raw @returns {Value} */
function fromRaw(raw) {
  return { url: raw, json: raw, header: raw };
}

/** @param {string} json @returns {Value} */
function fromJson(json) {
  return { url: encodeURIComponent(json), json: Buffer.from(json).toString('latin1'), header: json };
}

/**
 * @param {string} className
 * @param {string} position
 * @param {HostileRequest} request
 * @param {HostileContext} context
 * @returns {Hostile}
 */
function finish(className, position, { method, target, headers, body }, { key, host }) {
  const hasKey = headers.some(([name]) => /^(authorization|x-api-key)$/i.test(name));
  const lines = [
    `Host: ${host}`,
    ...(hasKey ? [] : [`Authorization: Bearer ${key}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : [`Content-Length: ${body.length}`]),
  ];
  const head = `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  // With a line break in a header or a space in the URL, the server may see a second request. It answers that
  // by closing the connection.
  const isAlone = /[\r\n]/.test([target, ...headers.flat()].join('')) || /[ \t]/.test(target);
  return {
    className,
    place: position,
    method,
    bytes: Buffer.from(`${head}${body ?? ''}`, 'latin1'),
    isAlone,
    mayBeSilent: false,
  };
}

/**
 * @param {import('@rowhouse/schema-model/testing').Random} random
 * @param {string} className
 * @param {string} position
 * @param {HostileContext} context
 * @returns {Hostile}
 */
function makeShaped(random, className, position, context) {
  const entry = REQUEST_CLASSES.find((item) => item.name === className);
  const target = TARGETS.find((item) => item.name === position);
  if (entry === undefined || target === undefined) throw new Error(`there is no ${className} at ${position}`);
  const change = random.pick(entry.changes);
  const plain = toShape(target, context);
  const shape = { ...plain, ...change(plain, context) };
  return {
    className,
    place: position,
    method: shape.method.trim(),
    bytes: toBytes(shape),
    isAlone: true,
    mayBeSilent: entry.mayBeSilent === true,
  };
}

/**
 * @param {typeof TARGETS[number]} target
 * @param {HostileContext} context
 * @returns {import('./request-classes.mjs').Shape}
 */
function toShape({ method, target, body, lines = [] }, { key, host }) {
  return {
    method,
    target,
    version: 'HTTP/1.1',
    lines: [
      `Host: ${host}`,
      `Authorization: Bearer ${key}`,
      ...(body === '' ? [] : ['Content-Type: application/json']),
      ...lines,
    ],
    body,
    following: '',
    isCounted: true,
  };
}

/** @param {import('./request-classes.mjs').Shape} shape */
function toBytes({ method, target, version, lines, body, following, isCounted }) {
  const counted =
    isCounted && body !== '' ? [...lines, `Content-Length: ${Buffer.from(body, 'latin1').length}`] : lines;
  return Buffer.from(
    `${method} ${target} ${version}\r\n${counted.join('\r\n')}\r\n\r\n${body}${following}`,
    'latin1',
  );
}

/**
 * Creates valid requests that must reach the planner: one for each position, and one for each class with a
 * valid value of its kind.
 * @param {HostileContext} context
 * @returns {{ name: string, hostile: Hostile }[]}
 */
export function makeControls(context) {
  const fill = (/** @type {HostileRequest} */ request) => ({
    ...request,
    headers: request.headers.map(
      ([name, value]) => /** @type {[string, string]} */ ([name, value.replace('$KEY', context.key)]),
    ),
  });
  const ofPlaces = [...TEXT_PLACES, ...JSON_PLACES]
    .filter((position) => position.name !== 'schema-format')
    .map((position) => ({
      name: `place ${position.name}`,
      hostile: finish(
        'control',
        position.name,
        fill(position.make({ url: position.fit, json: position.fit, header: position.fit })),
        context,
      ),
    }));
  const find = (/** @type {string} */ text, /** @type {string} */ body) => ({
    name: `class ${text}`,
    hostile: finish(
      text,
      'control',
      {
        method: 'POST',
        target: '/v1/-/_search/posts',
        headers: [['Content-Type', 'application/json']],
        body: Buffer.from(body).toString('latin1'),
      },
      context,
    ),
  });
  const ofTexts = TEXT_CLASSES.flatMap((item) =>
    item.texts(context.names).map((text) => find(item.name, JSON.stringify({ title: text, limit: 1 }))),
  );
  const ofBytes = BYTE_CLASSES.map((item) => find(item.name, JSON.stringify({ title: item.fit, limit: 1 })));
  const ofEscapes = ESCAPE_CLASSES.map((item) => ({
    name: `class ${item.name}`,
    hostile: finish(
      item.name,
      'control',
      { method: 'GET', target: `/v1/-/posts?title=${item.fit}`, headers: [], body: null },
      context,
    ),
  }));
  const ofJson = JSON_CLASSES.map((item) => ({
    name: `class ${item.name}`,
    hostile: finish(
      item.name,
      'control',
      {
        method: 'POST',
        target: '/v1/-/things',
        headers: [
          ['Content-Type', 'application/json'],
          ['Prefer', 'tx=rollback'],
        ],
        body: `{"name":"n","data":${item.fit}}`,
      },
      context,
    ),
  }));
  const ofShapes = REQUEST_CLASSES.flatMap((item) =>
    TARGETS.map((target) => ({
      name: `class ${item.name}`,
      hostile: {
        className: item.name,
        place: target.name,
        method: target.method,
        bytes: toBytes(toShape(target, context)),
        isAlone: true,
        mayBeSilent: false,
      },
    })),
  );
  return [...ofPlaces, ...ofTexts, ...ofBytes, ...ofEscapes, ...ofJson, ...ofShapes];
}
