// @ts-check
/** @typedef {import('@rowhouse/schema-model/testing').Random} Random */
/** @typedef {Record<string, any>} Schema a JSON Schema in the dialect of OpenAPI */

const WORDS = [
  'ann',
  'blue',
  'Größe',
  'x y',
  '😀',
  "it's",
  'a"b',
  '100%',
  'null',
  '7',
  'ÅÄÖ',
  '<b>',
  'back\\slash',
  '',
];

/**
 * Returns a value that a schema allows, for the parts of JSON Schema that the documents use. Numbers are
 * small, because the bounds of a 64-bit column do not fit into a JSON number.
 * @param {Random} random
 * @param {Schema} schema
 * @param {(schema: Schema) => Schema} resolve resolves `$ref`
 * @returns {any}
 */
export function sampleValue(random, schema, resolve) {
  const plain = resolve(schema);
  if (plain['enum'] !== undefined) return random.pick(plain['enum']);
  const choices = plain['oneOf'] ?? plain['anyOf'];
  if (choices !== undefined) return sampleValue(random, random.pick(choices), resolve);
  const type = Array.isArray(plain['type']) ? pickType(random, plain['type']) : plain['type'];
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return random.maybe(0.5);
    case 'integer':
      return sampleInteger(random, plain);
    case 'number':
      return sampleNumber(random, plain);
    case 'string':
      return sampleString(random, plain);
    case 'array':
      return sampleArray(random, plain, resolve);
    case 'object':
      return sampleObject(random, plain, resolve);
    default:
      // Without a type, any JSON is valid.
      return random.pick([7, 'text', true, { a: [1, 2.5, { b: null }] }, [], {}, [1, 'two']]);
  }
}

/**
 * Picks one of the types. Null is picked rarely, because other values test more.
 * @param {Random} random
 * @param {string[]} types
 */
function pickType(random, types) {
  const others = types.filter((type) => type !== 'null');
  return types.includes('null') && (others.length === 0 || random.maybe(0.15)) ? 'null' : random.pick(others);
}

/** @param {Random} random @param {Schema} schema */
function sampleInteger(random, schema) {
  const low = Math.max(schema['minimum'] ?? -1_000_000, -2_147_483_648);
  const high = Math.min(
    schema['maximum'] ?? 1_000_000,
    schema['format'] === 'int32' ? 2_147_483_647 : Number.MAX_SAFE_INTEGER,
  );
  return random.maybe(0.1)
    ? low
    : random.maybe(0.1)
      ? high
      : low + random.integer(Math.min(high - low, 2_000_000) + 1);
}

/** @param {Random} random @param {Schema} schema */
function sampleNumber(random, schema) {
  const low = Math.max(schema['minimum'] ?? -100_000, -100_000);
  const high = Math.min(schema['maximum'] ?? 100_000, 100_000);
  const value = low + (random.integer(1_000_001) / 1_000_000) * (high - low);
  const locations = schema['x-decimals'];
  return locations === undefined ? value : Number(value.toFixed(Math.min(locations, 6)));
}

/** @param {Random} random */
const digits = (
  /** @type {Random} */ random,
  /** @type {number} */ low,
  /** @type {number} */ high,
  /** @type {number} */ width = 2,
) => String(low + random.integer(high - low + 1)).padStart(width, '0');

/** @type {Record<string, (random: Random) => string>} */
const FORMATS = {
  date: (random) => `${digits(random, 1971, 2036, 4)}-${digits(random, 1, 12)}-${digits(random, 1, 28)}`,
  'date-time': (random) =>
    `${FORMATS['date']?.(random)}T${digits(random, 0, 23)}:${digits(random, 0, 59)}:${digits(random, 0, 59)}Z`,
  'date-time-local': (random) =>
    `${FORMATS['date']?.(random)}T${digits(random, 0, 23)}:${digits(random, 0, 59)}:${digits(random, 0, 59)}`,
  uuid: (random) =>
    `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-8${hex(random, 3)}-${hex(random, 12)}`,
  email: (random) => `p${random.integer(1_000_000_000)}@example.test`,
  uri: (random) => `https://example.test/${random.integer(1_000_000)}`,
  ipv4: (random) => `192.0.2.${1 + random.integer(200)}`,
  ipv6: (random) => `2001:db8::${1 + random.integer(9_000)}`,
  hostname: (random) => `h${random.integer(100_000)}.example.test`,
};

/** @param {Random} random @param {number} length */
function hex(random, length) {
  return Array.from({ length }, () => random.integer(16).toString(16)).join('');
}

/** @param {Random} random @param {Schema} schema @returns {string} */
function sampleString(random, schema) {
  const known = FORMATS[schema['format']];
  if (known !== undefined) return known(random);
  if (schema['contentEncoding'] === 'base64')
    return Buffer.from(
      hex(random, 2 * Math.min(4, Math.floor((schema['maxLength'] ?? 16) / 4) * 3)),
      'hex',
    ).toString('base64');
  // The only pattern in the documents is a duration.
  if (schema['pattern'] !== undefined)
    return `${random.maybe(0.2) ? '-' : ''}${digits(random, 0, 838)}:${digits(random, 0, 59)}:${digits(random, 0, 58)}`;
  const text = `${random.pick(WORDS)}${random.maybe(0.7) ? random.integer(1_000_000_000) : ''}`;
  return Array.from(text)
    .slice(0, schema['maxLength'] ?? 100)
    .join('');
}

/** @param {Random} random @param {Schema} schema @param {(schema: Schema) => Schema} resolve */
function sampleArray(random, schema, resolve) {
  if (schema['prefixItems'] !== undefined)
    return schema['prefixItems'].map((/** @type {Schema} */ item) => sampleValue(random, item, resolve));
  const low = schema['minItems'] ?? 0;
  const length = Math.min(low + random.integer(3), schema['maxItems'] ?? 10);
  const items = Array.from({ length }, () => sampleValue(random, schema['items'] ?? {}, resolve));
  return schema['uniqueItems'] === true ? [...new Set(items)] : closeRing(items);
}

/**
 * Closes a ring of a GeoJSON polygon. It ends where it begins, which JSON Schema cannot express.
 * @param {any[]} items
 */
function closeRing(items) {
  const isRing =
    items.length >= 4 &&
    items.every(
      (item) => Array.isArray(item) && item.length === 2 && item.every((value) => typeof value === 'number'),
    );
  return isRing
    ? [
        [0, 0],
        [3, 0],
        [3, 3],
        [0, 0],
      ]
    : items.map((item) =>
        Array.isArray(item) && item.length === 2 && item.every((value) => typeof value === 'number')
          ? item.map((value) => Math.round(value % 80))
          : item,
      );
}

/** @param {Random} random @param {Schema} schema @param {(schema: Schema) => Schema} resolve */
function sampleObject(random, schema, resolve) {
  const required = new Set(schema['required'] ?? []);
  const entries = Object.entries(schema['properties'] ?? {}).filter(
    ([name]) => required.has(name) || random.maybe(0.5),
  );
  return Object.fromEntries(
    entries.map(([name, member]) => [name, sampleValue(random, /** @type {Schema} */ (member), resolve)]),
  );
}
