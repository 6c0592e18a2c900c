import { wordSet } from '../lexer/sql-words.js';
import { isNameToken, nameOf } from '../lexer/names.js';
import { notInSchemas, reject } from './rejected-ddl.js';
import type { DdlVerb, SqlToken } from '../types.js';

/** Words after which the next word is the name of a column, an index or a table. */
const BEFORE_COLUMN: ReadonlySet<string> = wordSet(`
  ADD COLUMN MODIFY CHANGE DROP ALTER AFTER RENAME EXISTS TO INDEX KEY CONSTRAINT TABLE ON REFERENCES
`);
const REJECTED_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['CONNECTION', 'Tables on other servers (CONNECTION) are not supported.'],
  ['TABLESPACE', 'Tablespaces are not supported.'],
  ['UNION', 'Merged tables (UNION) are not supported.'],
  ['SEQUENCE', 'Sequences are not supported.'],
]);

const REDEFINE =
  'Drop the partition to lose its rows, or define all partitions with ALTER TABLE … PARTITION BY, which moves rows.';
/**
 * Words before PARTITION in ALTER TABLE. These changes do not affect the schema, or move rows in a way that a
 * migration plan cannot represent. The value is the hint for the error.
 */
const REJECTED_PARTITION_CHANGES: ReadonlyMap<string, string> = new Map([
  ['TRUNCATE', 'Delete the rows with the API or a direct connection.'],
  ['EXCHANGE', 'Copy the rows with the API or a direct connection.'],
  ['CONVERT', REDEFINE],
  ['ANALYZE', 'Rowhouse maintains the tables.'],
  ['CHECK', 'Rowhouse maintains the tables.'],
  ['OPTIMIZE', 'Rowhouse maintains the tables.'],
  ['REBUILD', 'Rowhouse maintains the tables.'],
  ['REPAIR', 'Rowhouse maintains the tables.'],
]);

/**
 * The maximum number of items in a table's definition. No engine allows as many columns (4,096) or partitions
 * (8,192).
 */
const PARTS_MAX = 10_000;

/**
 * Checks CREATE, ALTER, DROP and RENAME of tables and indexes. These statements must not contain rows or name
 * files, another engine or another database.
 */
export function checkTable(tokens: readonly SqlToken[], tableName: string, verb: DdlVerb): void {
  const walk = new TableWalk(tokens, tableName, verb);
  for (let index = 0; index < tokens.length; index += 1) walk.check(index);
}

class TableWalk {
  private depth = 0;
  private isInPartitions = false;
  private tableWords = 0;
  private parts = 0;

  constructor(
    private readonly tokens: readonly SqlToken[],
    private readonly tableName: string,
    private readonly verb: DdlVerb,
  ) {}

  check(index: number): void {
    const token = this.tokens[index];
    if (token === undefined) return;
    if (token.kind === 'variable') throw reject('Variables (@) are not allowed.', token);
    if (token.kind === 'operator') this.checkOperator(index, token);
    else if (token.kind === 'word' && !this.isOperator(index - 1, '.')) this.checkWord(index, token);
  }

  private checkOperator(index: number, token: SqlToken): void {
    if (token.value === '(') this.depth += 1;
    else if (token.value === ')') this.depth -= 1;
    else if (token.value === ',') this.checkParts(index, token);
    else if (token.value === ';') throw reject('One statement at a time.', token);
    else if (token.value === '.') this.checkDot(index, token);
  }

  /**
   * Limits the number of columns, keys and changes in a statement. A server compares each name with all
   * previous names before it rejects too many, which can take a minute of CPU time. A string literal after a
   * comma is a label of an ENUM or SET, and is not counted.
   */
  private checkParts(index: number, token: SqlToken): void {
    if (this.depth > 1 || this.tokens[index + 1]?.kind === 'string') return;
    this.parts += 1;
    if (this.parts >= PARTS_MAX)
      throw notInSchemas(
        `A statement has at most ${PARTS_MAX} columns, keys or changes.`,
        token,
        'Split it into several statements.',
      );
  }

  /** Checks a qualified name. Inside an expression, the table's own name may qualify a column. */
  private checkDot(index: number, token: SqlToken): void {
    const before = this.tokens[index - 1];
    const isOwn = this.depth > 0 && isNameToken(before) && nameOf(before) === this.tableName;
    if (isOwn && !this.isWord(index - 2, 'REFERENCES')) return;
    throw reject(
      'Names must not contain a database.',
      before ?? token,
      'Remove the database and the dot. The statements run in this database.',
    );
  }

  private checkWord(index: number, token: SqlToken): void {
    const word = token.value;
    if (word === 'SELECT')
      throw notInSchemas(
        'CREATE TABLE … AS SELECT is not supported, because a schema contains no rows.',
        token,
        'Name the columns.',
      );
    if (word === 'TABLE') this.checkTableWord(token);
    if (word === 'VALUES' && !this.isWord(index + 1, 'LESS') && !this.isWord(index + 1, 'IN')) {
      throw notInSchemas(
        'VALUES is not supported, because a schema contains no rows.',
        token,
        'Name the columns.',
      );
    }
    if ((word === 'DATA' || word === 'INDEX') && this.isWord(index + 1, 'DIRECTORY')) {
      throw notInSchemas(
        `${word} DIRECTORY is not supported, because Rowhouse chooses the location of files.`,
        token,
        'Remove it.',
      );
    }
    if (
      (word === 'SYSTEM' && this.isWord(index + 1, 'VERSIONING')) ||
      (word === 'PERIOD' && this.isWord(index + 1, 'FOR'))
    ) {
      throw notInSchemas(
        'System-versioned and period tables are not supported by the data API.',
        token,
        'Remove it.',
      );
    }
    if (word === 'PARTITION' && this.depth === 0) this.checkPartition(index, token);
    if (word === 'ENGINE') this.checkEngine(index, token);
    if (word === 'AUTOEXTEND_SIZE') this.checkExtension(index, token);
    const rejection = this.depth === 0 && !this.isColumnHere(index) ? REJECTED_OPTIONS.get(word) : undefined;
    if (rejection !== undefined) throw notInSchemas(rejection, token, 'Remove it.');
  }

  private checkPartition(index: number, token: SqlToken): void {
    this.isInPartitions = true;
    const before = this.tokens[index - 1];
    if (this.verb !== 'alter' || before?.kind !== 'word') return;
    const isConverted =
      before.value === 'TO' &&
      this.tokens.some((other, position) => other.value === 'CONVERT' && this.isWord(position + 1, 'TABLE'));
    const remedy = isConverted ? REDEFINE : REJECTED_PARTITION_CHANGES.get(before.value);
    if (remedy !== undefined)
      throw notInSchemas(
        `${isConverted ? 'CONVERT TABLE … TO' : before.value} PARTITION is not supported.`,
        token,
        remedy,
      );
    if (before.value === 'REORGANIZE' && this.mergesPartitions(index))
      throw notInSchemas('REORGANIZE PARTITION must not reduce the number of partitions.', token, REDEFINE);
  }

  private mergesPartitions(index: number): boolean {
    const into = this.tokens.findIndex(
      (other, position) => position > index && other.kind === 'word' && other.value === 'INTO',
    );
    if (into < 0) return false;
    const names = this.tokens
      .slice(index + 1, into)
      .filter((_token, position) => !this.isOperator(index + 1 + position, ','));
    return (
      this.tokens.slice(into).filter((other) => other.kind === 'word' && other.value === 'PARTITION').length <
      names.length
    );
  }

  /** Rejects a second TABLE. In MySQL, `CREATE TABLE a TABLE b` copies rows. */
  private checkTableWord(token: SqlToken): void {
    this.tableWords += 1;
    if (this.verb === 'create' && this.tableWords > 1)
      throw notInSchemas('TABLE … is not supported, because a schema contains no rows.', token);
  }

  private checkEngine(index: number, token: SqlToken): void {
    if (this.depth > 0 && !this.isInPartitions) return;
    const hasEquals = this.isOperator(index + 1, '=');
    if (!hasEquals && this.isColumnHere(index)) return;
    const value = this.tokens[index + (hasEquals ? 2 : 1)];
    const engine = value === undefined ? '' : value.kind === 'word' ? value.text : value.value;
    if (engine.toLowerCase() === 'innodb') return;
    throw notInSchemas(
      `The engine ${engine} is not supported. Tables use InnoDB.`,
      token,
      'Remove ENGINE, or use ENGINE=InnoDB.',
    );
  }

  /**
   * Rejects this option. With it, MySQL takes up to 4 GiB of disk space for each partition when it creates
   * the table.
   */
  private checkExtension(index: number, token: SqlToken): void {
    if (this.depth > 0 || this.isColumnHere(index)) return;
    const value = this.tokens[this.isOperator(index + 1, '=') ? index + 2 : index + 1];
    if (value?.kind === 'number' && /^0+$/.test(value.text)) return;
    throw notInSchemas(
      'AUTOEXTEND_SIZE is not supported, because a table would reserve disk space that its rows do not need.',
      token,
      'Remove it.',
    );
  }

  /**
   * Reports whether the word at `index` of an ALTER TABLE is the name of a column, as in `ADD engine` or
   * `CHANGE old engine`.
   */
  private isColumnHere(index: number): boolean {
    const before = this.tokens[index - 1];
    if (before?.kind === 'word' && BEFORE_COLUMN.has(before.value)) return true;
    return this.isWord(index - 2, 'CHANGE') || this.isWord(index - 3, 'CHANGE');
  }

  private isWord(index: number, word: string): boolean {
    const token = this.tokens[index];
    return token?.kind === 'word' && token.value === word;
  }

  private isOperator(index: number, operator: string): boolean {
    const token = this.tokens[index];
    return token?.kind === 'operator' && token.value === operator;
  }
}
