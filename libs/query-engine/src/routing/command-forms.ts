import { wordSet } from '../lexer/sql-words.js';
import { foldName, isNameToken, nameOf } from '../lexer/names.js';
import { namesOf } from './schema-names.js';
import type { RouteSchema, SqlToken } from '../types.js';

type Form = (rest: readonly SqlToken[], schema: RouteSchema) => boolean;

const OBJECT_WORDS = wordSet(`
  TABLE DATABASE SCHEMA VIEW INDEX TRIGGER PROCEDURE FUNCTION USER EVENT TEMPORARY UNIQUE OR ROLE SERVER
  SEQUENCE
`);
const SHOWN_ALONE = wordSet(`
  DATABASES SCHEMAS PROCESSLIST GRANTS VARIABLES STATUS WARNINGS ERRORS PLUGINS ENGINES TABLES PRIVILEGES
`);
const SHOWN_WITH: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'CREATE',
    wordSet(`
  TABLE DATABASE SCHEMA VIEW USER PROCEDURE FUNCTION TRIGGER EVENT SEQUENCE PACKAGE SERVER
`),
  ],
  ['GLOBAL', wordSet('STATUS VARIABLES')],
  ['SESSION', wordSet('STATUS VARIABLES')],
  ['FULL', wordSet('TABLES PROCESSLIST COLUMNS FIELDS')],
  ['BINARY', wordSet('LOGS LOG STATUS')],
  ['MASTER', wordSet('STATUS LOGS')],
  ['SLAVE', wordSet('STATUS HOSTS')],
  ['REPLICA', wordSet('STATUS HOSTS')],
  ['EXPLAIN', wordSet('FOR')],
]);
const ENGINE_PARTS = wordSet('STATUS MUTEX LOGS');
/** Words that may follow the table's name in INSERT INTO. */
const BEHIND_INSERTED = wordSet('VALUES VALUE SET SELECT WITH TABLE PARTITION');
const BEHIND_SHOWN = wordSet('LIKE FOR FROM IN WHERE');

/**
 * Checks for statements other than queries, by their first word. Each checks the words that follow. For
 * example, `delete old users` is not a DELETE statement.
 */
const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['SHOW', isShow],
  ['DESCRIBE', isDescribe],
  ['DESC', isDescribe],
  ['EXPLAIN', isDescribe],
  ['INSERT', isInsert],
  ['REPLACE', isInsert],
  ['UPDATE', (rest) => hasWord(rest, 'SET') && hasOperator(rest, '=')],
  ['DELETE', isDelete],
  ['TRUNCATE', (rest, schema) => startsWith(rest, 'TABLE') || isTableAlone(rest, schema)],
  [
    'CREATE',
    (rest) =>
      startsWith(rest, OBJECT_WORDS) &&
      rest.length > 1 &&
      (hasOperator(rest, '(') || rest.length <= 3 || hasWord(rest, 'SELECT')),
  ],
  ['ALTER', (rest) => startsWith(rest, OBJECT_WORDS) && rest.length > 1],
  ['DROP', (rest) => startsWith(rest, OBJECT_WORDS) && rest.length <= 6],
  ['RENAME', (rest) => startsWith(rest, 'TABLE USER')],
  [
    'SET',
    (rest) =>
      hasOperator(rest, '=') || startsWith(rest, 'NAMES PASSWORD STATEMENT TRANSACTION GLOBAL SESSION'),
  ],
  ['USE', (rest) => rest.length === 1],
  ['CALL', (rest) => hasOperator(rest.slice(0, 4), '(') || rest.length === 1],
  ['DO', (rest) => rest[1]?.value === '(' && rest[1].start === rest[0]?.end],
  ['HANDLER', (rest) => hasWord(rest, 'OPEN') || hasWord(rest, 'READ') || hasWord(rest, 'CLOSE')],
  ['LOAD', (rest) => startsWith(rest, 'DATA XML INDEX')],
  ['LOCK', (rest) => startsWith(rest, 'TABLES TABLE')],
  ['UNLOCK', (rest) => startsWith(rest, 'TABLES TABLE')],
  ['KILL', (rest) => rest.some((token) => token.kind === 'number')],
  ['GRANT', (rest) => hasWord(rest, 'ON') && hasWord(rest, 'TO')],
  ['REVOKE', (rest) => hasWord(rest, 'ON') && hasWord(rest, 'FROM')],
  ['PREPARE', (rest) => rest[1]?.value === 'FROM' && rest[2]?.kind === 'string'],
  ['EXECUTE', (rest) => rest.length === 1 || startsWith(rest, 'IMMEDIATE')],
  ['BEGIN', (rest) => rest.length === 0 || startsWith(rest, 'NOT WORK')],
  ['COMMIT', (rest) => rest.length === 0],
  ['ROLLBACK', (rest) => rest.length === 0],
  ['SHUTDOWN', (rest) => rest.length === 0],
  ['START', (rest) => startsWith(rest, 'TRANSACTION')],
  ['FLUSH', (rest) => rest.length <= 2],
  ['TABLE', isTableAlone],
  ['ANALYZE', (rest) => startsWith(rest, 'TABLE SELECT')],
  ['OPTIMIZE', (rest) => startsWith(rest, 'TABLE')],
  ['CHECK', (rest) => startsWith(rest, 'TABLE') && rest.length <= 3],
  ['REPAIR', (rest) => startsWith(rest, 'TABLE') && rest.length <= 3],
  ['CHECKSUM', (rest) => startsWith(rest, 'TABLE')],
  ['IMPORT', (rest) => startsWith(rest, 'TABLE')],
  ['MERGE', (rest) => startsWith(rest, 'INTO')],
  ['DEALLOCATE', (rest) => startsWith(rest, 'PREPARE')],
  ['SAVEPOINT', (rest) => rest.length === 1],
  ['XA', (rest) => startsWith(rest, 'START BEGIN END PREPARE COMMIT ROLLBACK RECOVER')],
  ['INSTALL', (rest) => startsWith(rest, 'PLUGIN SONAME')],
  ['PURGE', (rest) => startsWith(rest, 'BINARY MASTER')],
  ['BINLOG', (rest) => rest[0]?.kind === 'string'],
  ['SIGNAL', (rest) => startsWith(rest, 'SQLSTATE')],
  ['RESET', (rest) => startsWith(rest, 'QUERY MASTER SLAVE REPLICA')],
]);

/** Reports whether tokens without comments have the form of a statement other than a query. */
export function isCommandForm(tokens: readonly SqlToken[], schema: RouteSchema): boolean {
  const [first, ...rest] = tokens;
  if (first?.kind !== 'word') return false;
  return FORMS.get(first.value)?.(rest, schema) ?? false;
}

function isShow(rest: readonly SqlToken[]): boolean {
  const words = rest[0]?.kind === 'word' && rest[0].value === 'FULL' ? rest.slice(1) : rest;
  const [what, following, name] = words;
  if (what?.kind !== 'word') return false;
  if (['COLUMNS', 'FIELDS', 'INDEX', 'INDEXES', 'KEYS'].includes(what.value)) {
    return (
      (following?.value === 'FROM' || following?.value === 'IN') && isNameToken(name) && words.length <= 5
    );
  }
  if (SHOWN_ALONE.has(what.value)) return following === undefined || isShowFilter(words.slice(1));
  if (words.length < 2 || words.length > 4) return false;
  const last = words.at(-1)?.value ?? '';
  return what.value === 'ENGINE'
    ? ENGINE_PARTS.has(last)
    : (SHOWN_WITH.get(what.value)?.has(following?.value ?? '') ?? false);
}

/**
 * Recognizes `INSERT [IGNORE] [INTO] name …` with a valid continuation. The sentence `insert into the blog a
 * new post` does not match.
 */
function isInsert(rest: readonly SqlToken[]): boolean {
  const behindHow = startsWith(rest, 'IGNORE LOW_PRIORITY HIGH_PRIORITY DELAYED') ? rest.slice(1) : rest;
  const isInto = startsWith(behindHow, 'INTO');
  const [name, following] = isInto ? behindHow.slice(1) : behindHow;
  if (!isNameToken(name)) return isInto && behindHow.length === 1;
  if (following === undefined) return isInto;
  return following.kind === 'operator'
    ? following.value === '(' || following.value === '.'
    : following.kind === 'word' && BEHIND_INSERTED.has(following.value);
}

function isShowFilter(rest: readonly SqlToken[]): boolean {
  const [word, value] = rest;
  if (word?.kind !== 'word' || !BEHIND_SHOWN.has(word.value)) return false;
  if (word.value === 'LIKE') return value?.kind === 'string';
  return word.value === 'WHERE' ? hasOperator(rest, '=') : rest.length === 2;
}

/** Recognizes `DESCRIBE table [column]`. If the name is not that of a table, the text is a question. */
function isDescribe(rest: readonly SqlToken[], schema: RouteSchema): boolean {
  if (rest[1]?.value === '.' && rest[1].start === rest[0]?.end) return rest.length <= 4;
  if (rest[0]?.kind === 'word' && FORMS.has(rest[0].value) && rest[0].value !== 'SHOW')
    return isCommandForm(rest, schema);
  const isTable = isTableAlone(rest.slice(0, 1), schema);
  return isTable && (rest.length === 1 || (rest.length === 2 && isColumn(rest, schema)));
}

function isColumn(rest: readonly SqlToken[], schema: RouteSchema): boolean {
  const [table, column] = rest;
  if (!isNameToken(table) || !isNameToken(column)) return false;
  const known = namesOf(schema).tables.get(foldName(nameOf(table)));
  return known?.columns.some((name) => foldName(name) === foldName(nameOf(column))) ?? false;
}

function isTableAlone(rest: readonly SqlToken[], schema: RouteSchema): boolean {
  const [token] = rest;
  if (rest.length !== 1 || !isNameToken(token)) return false;
  return token.kind === 'quoted' || namesOf(schema).tables.has(foldName(nameOf(token)));
}

/**
 * Recognizes `DELETE FROM name [WHERE …]`. The sentence `delete from the list …` does not match, because
 * another name follows the first.
 */
function isDelete(rest: readonly SqlToken[]): boolean {
  if (rest[0]?.value !== 'FROM' || !isNameToken(rest[1]))
    return hasWord(rest.slice(0, 3), 'FROM') && hasOperator(rest, '=');
  const following = rest[2];
  return (
    following === undefined ||
    following.kind === 'operator' ||
    ['WHERE', 'ORDER', 'LIMIT', 'USING'].includes(following.value)
  );
}

function startsWith(rest: readonly SqlToken[], words: string | ReadonlySet<string>): boolean {
  const set = typeof words === 'string' ? wordSet(words) : words;
  return rest[0]?.kind === 'word' && set.has(rest[0].value);
}

function hasWord(tokens: readonly SqlToken[], word: string): boolean {
  return tokens.some((token) => token.kind === 'word' && token.value === word);
}

function hasOperator(tokens: readonly SqlToken[], operator: string): boolean {
  return tokens.some((token) => token.kind === 'operator' && token.value === operator);
}
