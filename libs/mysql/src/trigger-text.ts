/**
 * A comment or white space; a quoted text or name; a word; any other character. Quoted as the session reads it that the text
 * was written for: see `makeUnits`.
 */
type Unit = { readonly kind: 'gap' | 'quoted' | 'word' | 'mark'; readonly text: string; readonly end: number };

const GAP = String.raw`[\t-\r ]+|#[^\n]*|--(?=[\x00-\x20\x7f]|$)[^\n]*|\/\*[\s\S]*?\*\/`;
const WORD = String.raw`[\w$\u0080-\uffff]+`;
const BACKQUOTED = '`(?:[^`]|``)*`';
const ESCAPED = { single: String.raw`'(?:[^'\\]|''|\\[\s\S])*'`, double: String.raw`"(?:[^"\\]|""|\\[\s\S])*"` };
const PLAIN = { single: `'(?:[^']|'')*'`, double: `"(?:[^"]|"")*"` };

interface Quoting {
  /** `"` quotes names (ANSI_QUOTES). */
  readonly isAnsi: boolean;
  /** A backslash in a text means itself (NO_BACKSLASH_ESCAPES). */
  readonly isPlain: boolean;
}

function readQuoting(sqlMode: string): Quoting {
  const modes = new Set(sqlMode.split(','));
  return { isAnsi: modes.has('ANSI_QUOTES'), isPlain: modes.has('NO_BACKSLASH_ESCAPES') };
}

function* makeUnits(text: string, { isAnsi, isPlain }: Quoting): Generator<Unit> {
  const single = isPlain ? PLAIN.single : ESCAPED.single;
  // A name knows no escapes.
  const double = isPlain || isAnsi ? PLAIN.double : ESCAPED.double;
  const units = new RegExp(`(${GAP})|(${BACKQUOTED}|${single}|${double})|(${WORD})|[\\s\\S]`, 'gy');
  for (let found = units.exec(text); found !== null; found = units.exec(text)) {
    const kind = found[1] !== undefined ? 'gap' : found[2] !== undefined ? 'quoted' : found[3] !== undefined ? 'word' : 'mark';
    yield { kind, text: found[0], end: units.lastIndex };
  }
}

/**
 * What stands behind FOR EACH ROW, and behind FOLLOWS or PRECEDES, in the text that SHOW CREATE TRIGGER gives; null for a text
 * that is no trigger's.
 */
export function cutTriggerBody(definition: string, sqlMode: string): string | null {
  const units = [...makeUnits(definition, readQuoting(sqlMode))].filter((unit) => unit.kind !== 'gap');
  const isWord = (at: number, word: string): boolean => units[at]?.kind === 'word' && units[at]?.text.toUpperCase() === word;
  // FOR is a reserved word: no name before it is one.
  const start = units.findIndex((_unit, at) => isWord(at, 'FOR') && isWord(at + 1, 'EACH') && isWord(at + 2, 'ROW'));
  if (start < 0) return null;
  // Before a colon it is the label of a block.
  const hasOrder = (isWord(start + 3, 'FOLLOWS') || isWord(start + 3, 'PRECEDES')) && units[start + 4]?.text !== ':';
  return definition.slice(units[start + (hasOrder ? 4 : 2)]?.end).trim();
}

/**
 * The body of a trigger that was made under `sqlMode` with its texts and names quoted as a session without ANSI_QUOTES and
 * NO_BACKSLASH_ESCAPES reads them: text that is kept or given out is read under no other.
 */
export function respellBody(body: string, sqlMode: string): string {
  const quoting = readQuoting(sqlMode);
  if (!quoting.isAnsi && !quoting.isPlain) return body;
  return [...makeUnits(body, quoting)].map(({ kind, text }) => (kind === 'quoted' ? respell(text, quoting) : text)).join('');
}

function respell(quoted: string, { isAnsi, isPlain }: Quoting): string {
  const quote = quoted.charAt(0);
  if (quote === '`') return quoted;
  if (quote === '"' && isAnsi) return `\`${quoted.slice(1, -1).replaceAll('""', '"').replaceAll('`', '``')}\``;
  return isPlain ? quoted.replaceAll('\\', '\\\\') : quoted;
}
