// @ts-check
/**
 * JSON as documents show it. `…` stands for omitted parts, `$NAME` stores a value for later, and numbers are
 * compared by their digits.
 * @typedef {{ kind: 'plain', text: string }
 *   | { kind: 'string', text: string }
 *   | { kind: 'array', items: Node[], isOpen: boolean }
 *   | { kind: 'object', members: Map<string, Node>, isOpen: boolean }
 *   | { kind: 'any' }
 *   | { kind: 'kept', name: string }} Node
 */

/** @param {string} text @returns {Node} */
export function parsePattern(text) {
  let at = 0;
  const skip = () => {
    while (/\s/.test(text[at] ?? '')) at += 1;
  };
  const fail = () => new Error(`cannot be read at "${text.slice(at, at + 20)}": ${text.slice(0, 300)}`);
  /** @param {string} token */
  const take = (token) => {
    skip();
    if (!text.startsWith(token, at)) return false;
    at += token.length;
    return true;
  };
  /** @param {RegExp} form sticky */
  const match = (form) => {
    skip();
    form.lastIndex = at;
    const found = form.exec(text)?.[0];
    if (found === undefined) throw fail();
    at += found.length;
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
    if (text[at] === '"') return { kind: 'string', text: readString() };
    if (text[at] === '$') return { kind: 'kept', name: match(/\$[A-Z_]+/y).slice(1) };
    return { kind: 'plain', text: match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y) };
  };
  const node = readNode();
  skip();
  if (at < text.length) throw fail();
  return node;
}

/**
 * @param {Node} said
 * @param {Node} found
 * @param {Map<string, string>} kept the values of `$NAME`; new ones are added
 * @param {string} [at]
 * @returns {string[]} the differences, as sentences
 */
export function compareNodes(said, found, kept, at = 'body') {
  switch (said.kind) {
    case 'any':
      return [];
    case 'kept':
      kept.set(said.name, found.kind === 'string' || found.kind === 'plain' ? found.text : '');
      return [];
    case 'array':
      return found.kind === 'array' ? compareItems(said, found, kept, at) : [`${at} is no array`];
    case 'object':
      return found.kind === 'object' ? compareMembers(said, found, kept, at) : [`${at} is no object`];
    case 'string':
      return found.kind === 'string' && matchText(said.text, found.text, kept) ? [] : [`${at} is ${show(found)}, the page says ${JSON.stringify(said.text)}`];
    case 'plain':
      return found.kind === 'plain' && found.text === said.text ? [] : [`${at} is ${show(found)}, the page says ${said.text}`];
  }
}

/** @param {Extract<Node, { kind: 'array' }>} said @param {Extract<Node, { kind: 'array' }>} found @param {Map<string, string>} kept @param {string} at */
function compareItems(said, found, kept, at) {
  const isFit = said.isOpen ? found.items.length >= said.items.length : found.items.length === said.items.length;
  const lengths = isFit ? [] : [`${at} has ${found.items.length} items, the page says ${said.items.length}`];
  return [...lengths, ...said.items.flatMap((item, index) => compareNodes(item, found.items[index] ?? NOTHING, kept, `${at}[${index}]`))];
}

/** @type {Node} */
const NOTHING = { kind: 'plain', text: 'nothing' };

/** @param {Extract<Node, { kind: 'object' }>} said @param {Extract<Node, { kind: 'object' }>} found @param {Map<string, string>} kept @param {string} at */
function compareMembers(said, found, kept, at) {
  const surplus = said.isOpen ? [] : [...found.members.keys()].filter((name) => !said.members.has(name)).map((name) => `${at}.${name} is not on the page`);
  return [...surplus, ...[...said.members].flatMap(([name, node]) => compareNodes(node, found.members.get(name) ?? NOTHING, kept, `${at}.${name}`))];
}

/**
 * Matches a text in which `…` stands for any text, or that is a `$NAME` as a whole.
 * @param {string} said
 * @param {string} found
 * @param {Map<string, string>} kept
 */
export function matchText(said, found, kept) {
  if (/^\$[A-Z_]+$/.test(said)) {
    kept.set(said.slice(1), found);
    return true;
  }
  const pattern = said.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*');
  return new RegExp(`^${pattern}$`).test(found);
}

/** @param {Node} node */
function show(node) {
  return node.kind === 'plain' ? node.text : node.kind === 'string' ? JSON.stringify(node.text) : node.kind;
}
