// @ts-check
/**
 * JSON as documents show it. `…` stands for omitted parts, `$NAME` stores a value for later, and numbers are
 * compared by their digits.
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
 * @param {Node} message
 * @param {Node} found
 * @param {Map<string, string>} cache the values of `$NAME`; new ones are added
 * @param {string} [at]
 * @returns {string[]} the differences, as sentences
 */
export function compareNodes(message, found, cache, at = 'body') {
  switch (message.kind) {
    case 'any':
      return [];
    case 'stored':
      cache.set(message.name, found.kind === 'string' || found.kind === 'plain' ? found.text : '');
      return [];
    case 'array':
      return found.kind === 'array' ? compareItems(message, found, cache, at) : [`${at} is no array`];
    case 'object':
      return found.kind === 'object' ? compareMembers(message, found, cache, at) : [`${at} is no object`];
    case 'string':
      return found.kind === 'string' && matchText(message.text, found.text, cache)
        ? []
        : [`${at} is ${show(found)}, the page says ${JSON.stringify(message.text)}`];
    case 'plain':
      return found.kind === 'plain' && found.text === message.text
        ? []
        : [`${at} is ${show(found)}, the page says ${message.text}`];
  }
}

/**
 * @param {Extract<Node, { kind: 'array' }>} message
 * @param {Extract<Node, { kind: 'array' }>} found
 * @param {Map<string, string>} cache
 * @param {string} at
 */
function compareItems(message, found, cache, at) {
  const isFit = message.isOpen
    ? found.items.length >= message.items.length
    : found.items.length === message.items.length;
  const lengths = isFit
    ? []
    : [`${at} has ${found.items.length} items, the page says ${message.items.length}`];
  return [
    ...lengths,
    ...message.items.flatMap((item, index) =>
      compareNodes(item, found.items[index] ?? NOTHING, cache, `${at}[${index}]`),
    ),
  ];
}

/** @type {Node} */
const NOTHING = { kind: 'plain', text: 'nothing' };

/**
 * @param {Extract<Node, { kind: 'object' }>} message
 * @param {Extract<Node, { kind: 'object' }>} found
 * @param {Map<string, string>} cache
 * @param {string} at
 */
function compareMembers(message, found, cache, at) {
  const surplus = message.isOpen
    ? []
    : [...found.members.keys()]
        .filter((name) => !message.members.has(name))
        .map((name) => `${at}.${name} is not on the page`);
  return [
    ...surplus,
    ...[...message.members].flatMap(([name, node]) =>
      compareNodes(node, found.members.get(name) ?? NOTHING, cache, `${at}.${name}`),
    ),
  ];
}

/**
 * Matches a text in which `…` stands for any text, or that is a `$NAME` as a whole.
 * @param {string} message
 * @param {string} found
 * @param {Map<string, string>} cache
 */
export function matchText(message, found, cache) {
  if (/^\$[A-Z_]+$/.test(message)) {
    cache.set(message.slice(1), found);
    return true;
  }
  const pattern = message
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^]*');
  return new RegExp(`^${pattern}$`).test(found);
}

/** @param {Node} node */
function show(node) {
  return node.kind === 'plain' ? node.text : node.kind === 'string' ? JSON.stringify(node.text) : node.kind;
}
