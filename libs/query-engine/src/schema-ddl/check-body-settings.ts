import { wordSet } from '../lexer/sql-words.js';
import { isNameToken, nameOf } from '../lexer/names.js';
import { notInSchemas, type RejectedDdlError } from './rejected-ddl.js';
import { SESSION_VARIABLES } from './session-variables.js';
import type { SqlToken } from '../types.js';

const HINT =
  'Deployed routines cannot change system variables, because the change stays in a session that opens a view. ' +
  'Declare local variables with DECLARE, and change settings in your own session.';
/**
 * Words after SET that change session settings, unless the statement assigns a value to a variable of this
 * name.
 */
const SETTING_WORDS: ReadonlySet<string> = wordSet(
  'SESSION LOCAL NAMES CHARACTER CHAR CHARSET TRANSACTION RESOURCE',
);
const DIRECTIONS: ReadonlySet<string> = new Set(['IN', 'OUT', 'INOUT']);
const ROW_NAMES: ReadonlySet<string> = new Set(['NEW', 'OLD']);
/** Words after a name in DECLARE which show that the name is not a variable. */
const OTHER_DECLARATIONS: ReadonlySet<string> = new Set(['CURSOR', 'CONDITION', 'HANDLER']);
/** Words that begin a block, and words after which an inner block may begin. */
const BEFORE_INNER_BLOCKS: ReadonlySet<string> = wordSet('BEGIN THEN ELSE DO LOOP REPEAT');

/** The names of variables and parameters that a body declares, in lower case. */
export interface DeclaredNames {
  /**
   * The parameters and the variables of the outermost block. In the whole body, they hide system variables
   * with the same names.
   */
  readonly everywhere: ReadonlySet<string>;
  readonly somewhere: ReadonlySet<string>;
}

/**
 * Rejects a SET that assigns a value to a system variable in the body of a routine or trigger.
 *
 * @param index the first token of the assignment, after SET or a comma
 * @throws RejectedDdlError when the name is not a user variable, a row's column or declared in this body
 */
export function checkSetting(tokens: readonly SqlToken[], index: number, declared: DeclaredNames): void {
  const token = tokens[index] as SqlToken;
  const next = tokens[index + 1];
  if (token.kind === 'variable') {
    if (token.text.startsWith('@@')) throw rejected(token.text, token);
    return;
  }
  if (!isNameToken(token)) return;
  const isAssigned = next?.kind === 'operator' && (next.value === '=' || next.value === ':=');
  const isDotted = next?.kind === 'operator' && next.value === '.';
  if (token.kind === 'word' && !isAssigned && !isDotted && SETTING_WORDS.has(token.value))
    throw rejected(token.value, token);
  if (!isAssigned && !isDotted) return;
  const name = nameOf(token).toLowerCase();
  if (isDotted && ROW_NAMES.has(name.toUpperCase())) return;
  if (declared.everywhere.has(name)) return;
  if (declared.somewhere.has(name) && !SESSION_VARIABLES.has(name.toUpperCase())) return;
  throw rejected(nameOf(token), token);
}

/** Returns the parameters and local variables in a CREATE statement for a routine or trigger. */
export function readDeclaredNames(tokens: readonly SqlToken[]): DeclaredNames {
  const everywhere = new Set(readParameters(tokens));
  const somewhere = new Set<string>();
  const outermost = findOutermost(tokens);
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word') continue;
    if (token.value === 'DECLARE') {
      for (const name of readVariables(tokens, index + 1))
        (index < outermost ? everywhere : somewhere).add(name);
    } else if (token.value === 'FOR' && isNameToken(tokens[index + 1]) && isWord(tokens[index + 2], 'IN')) {
      // In MariaDB, `FOR i IN 1..10 DO` declares the loop variable.
      somewhere.add(nameOf(tokens[index + 1] as SqlToken).toLowerCase());
    }
  }
  return { everywhere, somewhere };
}

/**
 * Returns the names in a declaration such as `DECLARE a, b INT`. Returns an empty list for a cursor, a
 * condition or a handler.
 */
function readVariables(tokens: readonly SqlToken[], start: number): string[] {
  const names: string[] = [];
  for (let position = start; ; position += 2) {
    const [name, next] = [tokens[position], tokens[position + 1]];
    if (!isNameToken(name)) return names;
    if (next?.kind === 'word' && OTHER_DECLARATIONS.has(next.value)) return [];
    names.push(nameOf(name).toLowerCase());
    if (next?.kind !== 'operator' || next.value !== ',') return names;
  }
}

/**
 * Returns the index at which the declarations of the outermost block end: before its first handler or
 * statement. Returns 0 if the body is not a block.
 */
function findOutermost(tokens: readonly SqlToken[]): number {
  const first = tokens.findIndex(
    (token) => isKeyword(token) && BEFORE_INNER_BLOCKS.has(token.value.toUpperCase()),
  );
  const opener = tokens[first];
  if (opener === undefined || opener.value.toUpperCase() !== 'BEGIN') return 0;
  let position = first + 1;
  while (isWord(tokens[position], 'DECLARE') && !isWord(tokens[position + 2], 'HANDLER')) {
    while (position < tokens.length && tokens[position]?.value !== ';') position += 1;
    position += 1;
  }
  return position;
}

/** Reports whether a token may be a keyword. In `label:BEGIN`, the lexer reads the keyword as a parameter. */
function isKeyword(token: SqlToken): boolean {
  return token.kind === 'word' || token.kind === 'parameter';
}

function readParameters(tokens: readonly SqlToken[]): string[] {
  const object = tokens.findIndex(
    (token) => isWord(token, 'PROCEDURE') || isWord(token, 'FUNCTION') || isWord(token, 'TRIGGER'),
  );
  if (object === -1 || isWord(tokens[object], 'TRIGGER')) return [];
  const names: string[] = [];
  let depth = 0;
  for (
    let position = tokens.findIndex(
      (token, index) => index > object && token.kind === 'operator' && token.value === '(',
    );
    position !== -1 && position < tokens.length;
    position += 1
  ) {
    const token = tokens[position] as SqlToken;
    if (token.kind !== 'operator') continue;
    if (token.value === '(') depth += 1;
    else if (token.value === ')') depth -= 1;
    if (depth === 0) break;
    if (depth > 1 || (token.value !== '(' && token.value !== ',')) continue;
    const first = tokens[position + 1];
    const hasDirection =
      first?.kind === 'word' && DIRECTIONS.has(first.value) && isNameToken(tokens[position + 2]);
    const name = hasDirection ? tokens[position + 2] : first;
    if (isNameToken(name)) names.push(nameOf(name).toLowerCase());
  }
  return names;
}

function isWord(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.value === word;
}

function rejected(setting: string, token: SqlToken): RejectedDdlError {
  return notInSchemas(`A deployed routine or trigger cannot contain SET ${setting}.`, token, HINT);
}
