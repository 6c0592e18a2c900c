/**
 * Splits a TypeScript or JavaScript source into its comments and its identifiers. Strings, templates and
 * regular expressions are skipped. Consecutive `//` lines form one comment.
 *
 * @param {string} source
 * @returns {{ comments: string[], identifiers: Set<string> }} comments without their markers, in order
 */
export function readSource(source) {
  /** @type {string[]} */
  const comments = [];
  const identifiers = new Set();
  let lastLineCommentEnd = -1;
  for (const { kind, text, start, end } of tokens(source)) {
    if (kind === 'identifier') identifiers.add(text);
    else if (kind === 'block') comments.push(cleanBlock(text));
    else if (kind === 'line') {
      const body = text.replace(/^\/\/+\s?/, '');
      if (lastLineCommentEnd >= 0 && /^[ \t\r]*\n[ \t]*$/.test(source.slice(lastLineCommentEnd, start)))
        comments.push(`${comments.pop() ?? ''} ${body}`);
      else comments.push(body);
      lastLineCommentEnd = end;
    }
  }
  return {
    comments: comments.map((text) =>
      text
        .replace(/\{?@\w+[^}\s]*\}?/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    ),
    identifiers,
  };
}

const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"|[A-Za-z_$][\w$]*|\d[\w.]*|`|\/|[{}]|[^\s]/g;

/**
 * @param {string} source
 * @returns {Generator<{ kind: 'identifier' | 'block' | 'line', text: string, start: number, end: number }>}
 */
function* tokens(source) {
  const pattern = new RegExp(TOKEN);
  /** Depths of braces at which a template continues. @type {number[]} */
  const templates = [];
  let depth = 0;
  let previous = '';
  const skipTemplate = () => {
    const rest = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(`|\$\{)/y;
    rest.lastIndex = pattern.lastIndex;
    const match = rest.exec(source);
    pattern.lastIndex = match === null ? source.length : rest.lastIndex;
    if (match?.[1] === '${') templates.push((depth += 1));
  };
  for (let match = pattern.exec(source); match !== null; match = pattern.exec(source)) {
    const text = match[0];
    const start = match.index;
    if (text.startsWith('//')) yield { kind: 'line', text, start, end: pattern.lastIndex };
    else if (text.startsWith('/*')) yield { kind: 'block', text, start, end: pattern.lastIndex };
    else {
      if (text === '`') skipTemplate();
      else if (text === '{') depth += 1;
      else if (text === '}') {
        if (templates.at(-1) === depth) {
          templates.pop();
          depth -= 1;
          skipTemplate();
        } else depth -= 1;
      } else if (text === '/' && startsRegex(previous)) skipRegex(source, pattern);
      else if (/^[A-Za-z_$]/.test(text)) yield { kind: 'identifier', text, start, end: pattern.lastIndex };
      previous = text;
    }
  }
}

/** @param {string} previous the token before a slash */
function startsRegex(previous) {
  return (
    previous === '' ||
    /^[(,=:[!&|?{};+\-*%<>~^]$/.test(previous) ||
    /^(?:return|typeof|case|in|of|await|yield|new|delete|void)$/.test(previous)
  );
}

/**
 * @param {string} source
 * @param {RegExp} pattern moved past the regular expression that starts before its `lastIndex`
 */
function skipRegex(source, pattern) {
  const rest = /(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
  rest.lastIndex = pattern.lastIndex;
  if (rest.test(source)) pattern.lastIndex = rest.lastIndex;
}

/** @param {string} text a comment with its markers */
function cleanBlock(text) {
  return text.slice(2, -2).replace(/^\s*\*+ ?/gm, ' ');
}

/**
 * @param {string} markdown
 * @returns {string[]} the sentences of at least four words; code blocks, tables and headings are left out
 */
export function readSentences(markdown) {
  const text = markdown
    .replace(/```[\s\S]*?```/g, '\n\n')
    .replace(/^\s*(?:\||#).*$/gm, '\n')
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/`[^`]*`/g, 'code')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(?:[-*+]|\d+\.)\s+/gm, '\n\n')
    .replace(/[*_>]/g, ' ');
  return text
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.replace(/\s+/g, ' ').split(/(?<=[.!?:])\s+(?=[A-Z"'(])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => countWords(sentence) >= 4);
}

/** @param {string} text */
export function countWords(text) {
  return text.split(/\s+/).filter((word) => /[A-Za-z]/.test(word)).length;
}

/**
 * @param {string} name
 * @returns {string[]} the words of an identifier in lower case: `ConsolePagePath` -> room, path
 */
export function splitIdentifier(name) {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
}
