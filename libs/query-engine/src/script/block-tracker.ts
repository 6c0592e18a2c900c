import { wordSet } from '../lexer/sql-words.js';
export type BlockUnit = 'word' | 'name' | 'text' | 'mark';

const HEADER_WORDS: ReadonlySet<string> = wordSet('PROCEDURE FUNCTION TRIGGER EVENT PACKAGE');
const OTHER_OBJECTS: ReadonlySet<string> = wordSet('TABLE VIEW INDEX DATABASE SCHEMA USER ROLE');
/** Tokens after which a statement begins. */
const BEFORE_STATEMENT: ReadonlySet<string> = wordSet('BEGIN THEN ELSE DO LOOP REPEAT ROW ; :');
/** Tokens after which a single statement may begin as the body of a routine. */
const BEFORE_BODY: ReadonlySet<string> = wordSet(') DETERMINISTIC SQL DATA INVOKER DEFINER');
const OPENERS: ReadonlySet<string> = wordSet('IF LOOP WHILE REPEAT FOR');
const BEHIND_END: ReadonlySet<string> = wordSet('IF CASE LOOP WHILE REPEAT FOR');

/**
 * Tracks whether the tokens of a statement are inside BEGIN … END, IF … END IF or a similar block of a
 * routine, trigger or event. A semicolon inside a block does not end the statement.
 */
export class BlockTracker {
  private isCompound = false;
  private isDecided = false;
  private depth = 0;
  private previous = '';
  private isBehindEnd = false;

  isInside(): boolean {
    return this.isCompound && this.depth > 0;
  }

  take(unit: BlockUnit, value: string): void {
    const word = unit === 'word' ? value : '';
    if (!this.isDecided) this.decide(word);
    if (this.isCompound && word !== '') this.takeWord(word);
    else this.isBehindEnd = false;
    this.previous = unit === 'word' || unit === 'mark' ? value : unit;
  }

  /**
   * Decides by the first word after CREATE whether the statement has a body. A column of `CREATE TABLE` may
   * be named `begin`.
   */
  private decide(word: string): void {
    if (HEADER_WORDS.has(word)) {
      this.isCompound = true;
      this.isDecided = true;
    } else if (OTHER_OBJECTS.has(word) || (this.previous === '' && word !== '' && word !== 'CREATE'))
      this.isDecided = true;
  }

  private takeWord(word: string): void {
    if (this.isBehindEnd && BEHIND_END.has(word)) {
      this.isBehindEnd = false;
      return;
    }
    this.isBehindEnd = false;
    if (this.previous === '.') return;
    if (word === 'END') {
      this.depth = Math.max(0, this.depth - 1);
      this.isBehindEnd = true;
    } else if (word === 'BEGIN' || word === 'CASE' || (OPENERS.has(word) && this.isAtStatement(word)))
      this.depth += 1;
  }

  private isAtStatement(word: string): boolean {
    if (BEFORE_STATEMENT.has(this.previous)) return true;
    return this.depth === 0 && word !== 'FOR' && BEFORE_BODY.has(this.previous);
  }
}
