// @ts-check
/**
 * Parses and compares JSON in the notation of the documentation. `…` stands for omitted parts, `$NAME` stores
 * a value for later examples, and numbers are compared by their digits.
 * @typedef {{ kind: 'plain', text: string }
 *   | { kind: 'string', text: string }
 *   | { kind: 'array', items: Node[], isOpen: boolean }
 *   | { kind: 'object', members: Map<string, Node>, isOpen: boolean }
 *   | { kind: 'any' }
 *   | { kind: 'stored', name: string }} Node
 */

/** @param {string} text @returns {Node} */
export function parsePattern(text) {
  let index = 0;
  const skip = () => {
    while (/\s/.test(text[index] ?? '')) index += 1;
  };
  const fail = () => new Error(`cannot be read at "${text.slice(index, index + 20)}": ${text.slice(0, 300)}`);
  /** @param {string} token */
  const take = (token) => {
    skip();
    if (!text.startsWith(token, index)) return false;
    index += token.length;
    return true;
  };
  /** @param {RegExp} form sticky */
  const match = (form) => {
    skip();
    form.lastIndex = index;
    const found = form.exec(text)?.[0];
    if (found === undefined) throw fail();
    index += found.length;
    return found;
  };
  const readString = () => /** @type {string} */ (JSON.parse(match(/"(?:[^"\\]|\\.)*"/y)));
  /** @param {string} end @param {() => void} readOne @returns {boolean} whether it ended with `…` */
  const readUntil = (end, readOne) => {
    if (take(end)) return false;
    for (;;) {
      if (take('…')) {
        if (!take(end)) throw fail();
        return true;
      }
      readOne();
      if (take(end)) return false;
      if (!take(',')) throw fail();
    }
  };
  /** @returns {Node} */
  const readNode = () => {
    if (take('…')) return { kind: 'any' };
    if (take('[')) {
      /** @type {Node[]} */
      const items = [];
      const isOpen = readUntil(']', () => items.push(readNode()));
      return { kind: 'array', items, isOpen };
    }
    if (take('{')) {
      /** @type {Map<string, Node>} */
      const members = new Map();
      const isOpen = readUntil('}', () => {
        const name = readString();
        if (!take(':')) throw fail();
        members.set(name, readNode());
      });
      return { kind: 'object', members, isOpen };
    }
    skip();
    if (text[index] === '"') return { kind: 'string', text: readString() };
    if (text[index] === '$') return { kind: 'stored', name: match(/\$[A-Z_]+/y).slice(1) };
    return { kind: 'plain', text: match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y) };
  };
  const node = readNode();
  skip();
  if (index < text.length) throw fail();
  return node;
}

/**
 * @param {Node} expected
 * @param {Node} found
 * @param {Map<string, string>} cache the values of `$NAME`; new ones are added
 * @param {string} [at]
 * @returns {string[]} the differences, as sentences
 */
export function compareNodes(expected, found, cache, at = 'body') {
  switch (expected.kind) {
    case 'any':
      return [];
    case 'stored':
      cache.set(expected.name, found.kind === 'string' || found.kind === 'plain' ? found.text : '');
      return [];
    case 'array':
      return found.kind === 'array' ? compareItems(expected, found, cache, at) : [`${at} is no array`];
    case 'object':
      return found.kind === 'object' ? compareMembers(expected, found, cache, at) : [`${at} is no object`];
    case 'string':
      return found.kind === 'string' && matchText(expected.text, found.text, cache)
        ? []
        : [`${at} is ${show(found)}, the page says ${JSON.stringify(expected.text)}`];
    case 'plain':
      return found.kind === 'plain' && found.text === expected.text
        ? []
        : [`${at} is ${show(found)}, the page says ${expected.text}`];
  }
}

/**
 * @param {Extract<Node, { kind: 'array' }>} expected
 * @param {Extract<Node, { kind: 'array' }>} found
 * @param {Map<string, string>} cache
 * @param {string} at
 */
function compareItems(expected, found, cache, at) {
  const isFit = expected.isOpen
    ? found.items.length >= expected.items.length
    : found.items.length === expected.items.length;
  const lengths = isFit
    ? []
    : [`${at} has ${found.items.length} items, the page says ${expected.items.length}`];
  return [
    ...lengths,
    ...expected.items.flatMap((item, index) =>
      compareNodes(item, found.items[index] ?? NOTHING, cache, `${at}[${index}]`),
    ),
  ];
}

/** @type {Node} */
const NOTHING = { kind: 'plain', text: 'nothing' };

/**
 * @param {Extract<Node, { kind: 'object' }>} expected
 * @param {Extract<Node, { kind: 'object' }>} found
 * @param {Map<string, string>} cache
 * @param {string} at
 */
function compareMembers(expected, found, cache, at) {
  const surplus = expected.isOpen
    ? []
    : [...found.members.keys()]
        .filter((name) => !expected.members.has(name))
        .map((name) => `${at}.${name} is not on the page`);
  return [
    ...surplus,
    ...[...expected.members].flatMap(([name, node]) =>
      compareNodes(node, found.members.get(name) ?? NOTHING, cache, `${at}.${name}`),
    ),
  ];
}

/**
 * Matches a text in which `…` stands for any text, or that is a `$NAME` as a whole.
 * @param {string} expected
 * @param {string} found
 * @param {Map<string, string>} cache
 */
export function matchText(expected, found, cache) {
  if (/^\$[A-Z_]+$/.test(expected)) {
    cache.set(expected.slice(1), found);
    return true;
  }
  const pattern = expected
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^]*');
  return new RegExp(`^${pattern}$`).test(found);
}

/** @param {Node} node */
function show(node) {
  return node.kind === 'plain' ? node.text : node.kind === 'string' ? JSON.stringify(node.text) : node.kind;
}
