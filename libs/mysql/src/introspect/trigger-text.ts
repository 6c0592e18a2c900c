/**
 * An account as SHOW CREATE writes it: in backquotes, or in double quotes when the object was created under
 * ANSI_QUOTES.
 */
const ACCOUNT_PART = '(?:`(?:[^`]|``)*`|"(?:[^"]|"")*")';

const DEFINER = new RegExp(
  `^(CREATE\\s+(?:OR\\s+REPLACE\\s+)?(?:ALGORITHM=\\w+\\s+)?)DEFINER=${ACCOUNT_PART}@${ACCOUNT_PART}\\s+`,
);
/**
 * A token of the text: white space or a comment, a quoted text or name, a word, or any other character. Which
 * quotes are recognized depends on the SQL mode in which the text was created. See `makeUnits`.
 */
type Unit = {
  readonly kind: 'gap' | 'quoted' | 'word' | 'mark';
  readonly text: string;
  readonly end: number;
};

const GAP = String.raw`[\t-\r ]+|#[^\n]*|--(?=[\x00-\x20\x7f]|$)[^\n]*|\/\*[\s\S]*?\*\/`;
const WORD = String.raw`[\w$\u0080-\uffff]+`;
const BACKQUOTED = '`(?:[^`]|``)*`';
const ESCAPED = {
  single: String.raw`'(?:[^'\\]|''|\\[\s\S])*'`,
  double: String.raw`"(?:[^"\\]|""|\\[\s\S])*"`,
};
const PLAIN = { single: `'(?:[^']|'')*'`, double: `"(?:[^"]|"")*"` };

interface Quoting {
  /** Whether `"` encloses names (ANSI_QUOTES) instead of texts. */
  readonly isAnsi: boolean;
  /** Whether a backslash in a text has no special meaning (NO_BACKSLASH_ESCAPES). */
  readonly isPlain: boolean;
}

function readQuoting(sqlMode: string): Quoting {
  const modes = new Set(sqlMode.split(','));
  return { isAnsi: modes.has('ANSI_QUOTES'), isPlain: modes.has('NO_BACKSLASH_ESCAPES') };
}

function* makeUnits(text: string, { isAnsi, isPlain }: Quoting): Generator<Unit> {
  const single = isPlain ? PLAIN.single : ESCAPED.single;
  // Under ANSI_QUOTES, double quotes enclose names, and names have no backslash escapes.
  const double = isPlain || isAnsi ? PLAIN.double : ESCAPED.double;
  const units = new RegExp(`(${GAP})|(${BACKQUOTED}|${single}|${double})|(${WORD})|[\\s\\S]`, 'gy');
  for (let found = units.exec(text); found !== null; found = units.exec(text)) {
    const kind =
      found[1] !== undefined
        ? 'gap'
        : found[2] !== undefined
          ? 'quoted'
          : found[3] !== undefined
            ? 'word'
            : 'mark';
    yield { kind, text: found[0], end: units.lastIndex };
  }
}

/**
 * Returns the body of a trigger from its SHOW CREATE TRIGGER text: the part after FOR EACH ROW, and after
 * FOLLOWS or PRECEDES if there is one. Returns null for any other text.
 */
export function cutTriggerBody(definition: string, sqlMode: string): string | null {
  const units = [...makeUnits(definition, readQuoting(sqlMode))].filter((unit) => unit.kind !== 'gap');
  const isWord = (index: number, word: string): boolean =>
    units[index]?.kind === 'word' && units[index]?.text.toUpperCase() === word;
  // The first word FOR starts the clause, because FOR is reserved and no unquoted name can be FOR.
  const start = units.findIndex(
    (_unit, index) => isWord(index, 'FOR') && isWord(index + 1, 'EACH') && isWord(index + 2, 'ROW'),
  );
  if (start < 0) return null;
  // If a colon follows, FOLLOWS or PRECEDES is not an order clause but the label of a block.
  const hasOrder =
    (isWord(start + 3, 'FOLLOWS') || isWord(start + 3, 'PRECEDES')) && units[start + 4]?.text !== ':';
  return definition.slice(units[start + (hasOrder ? 4 : 2)]?.end).trim();
}

/**
 * Rewrites the body of a trigger that was created under `sqlMode`. Its quotes then suit a session without
 * ANSI_QUOTES and NO_BACKSLASH_ESCAPES, which is how all stored and exported SQL is parsed.
 */
export function respellBody(body: string, sqlMode: string): string {
  const quoting = readQuoting(sqlMode);
  if (!quoting.isAnsi && !quoting.isPlain) return body;
  return [...makeUnits(body, quoting)]
    .map(({ kind, text }) => (kind === 'quoted' ? respell(text, quoting) : text))
    .join('');
}

function respell(quoted: string, { isAnsi, isPlain }: Quoting): string {
  const quote = quoted.charAt(0);
  if (quote === '`') return quoted;
  if (quote === '"' && isAnsi)
    return `\`${quoted.slice(1, -1).replaceAll('""', '"').replaceAll('`', '``')}\``;
  return isPlain ? quoted.replaceAll('\\', '\\\\') : quoted;
}

/** Removes the DEFINER clause from a view, trigger or routine as SHOW CREATE returns it. */
export function cutDefiner(createSql: string): string {
  return createSql.replace(DEFINER, '$1');
}
