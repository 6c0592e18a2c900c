import { describe, expect, it } from 'vitest';
import { createStatementReader } from './statement-reader.js';

const DUMP = `-- a dump; of one
/*!40101 SET NAMES utf8mb4 */;
/* plain; 'comment */ CREATE TABLE \`a;b\` (id int, note varchar(9) DEFAULT 'x;''y\\';'); # tail; here
INSERT INTO t VALUES (1,'a;
b'),(2,"c;d");
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=\`r\`@\`%\`*/ /*!50003 TRIGGER x BEFORE INSERT ON t FOR EACH ROW BEGIN SET @a = 1; END */;;
DELIMITER ;
CREATE PROCEDURE p() BEGIN SELECT 1; IF 1 THEN SELECT 2; END IF; END;
select 1--1;
drop table last -- no end`;

function read(text: string, size: number, charsMax = 10_000) {
  const reader = createStatementReader(charsMax);
  const found = [];
  for (let position = 0; position < text.length; position += size)
    found.push(...reader.push(text.slice(position, position + size)));
  return [...found, ...reader.end()];
}

describe('createStatementReader', () => {
  it('createStatementReader returns the same statements however the text is divided', () => {
    const whole = read(DUMP, DUMP.length);
    expect(
      whole.map((rawStatement) => [
        rawStatement.line,
        rawStatement.text.slice(0, 24),
        rawStatement.delimiter,
      ]),
    ).toEqual([
      [2, '/*!40101 SET NAMES utf8m', ';'],
      [3, 'CREATE TABLE `a;b` (id i', ';'],
      [4, 'INSERT INTO t VALUES (1,', ';'],
      [7, '/*!50003 CREATE*/ /*!500', ';;'],
      [9, 'CREATE PROCEDURE p() BEG', ';'],
      [10, 'select 1--1', ';'],
      [11, 'drop table last -- no en', ';'],
    ]);
    expect(whole[2]?.text.endsWith('(2,"c;d")')).toBe(true);
    for (let size = 1; size < 40; size += 1)
      expect({ size, found: read(DUMP, size) }).toEqual({ size, found: whole });
  });
  it('createStatementReader returns a statement as soon as its delimiter has arrived', () => {
    const reader = createStatementReader(1_000);
    const found = ['SET NAMES gbk;', '\n/*!40101 SET NAMES gbk */;', '\nDELIMITER $$\n', 'a $', '$'].map(
      (part) => reader.push(part).map(({ text }) => text),
    );
    expect(found).toEqual([['SET NAMES gbk'], ['/*!40101 SET NAMES gbk */'], [], [], ['a']]);
  });
  it('createStatementReader skips a statement that is too long and continues after it', () => {
    const text = `a;\nINSERT INTO t VALUES ('${'x'.repeat(5_000)};');\nb;`;
    expect(
      read(text, 100, 1_000).map((rawStatement) => [
        rawStatement.line,
        rawStatement.text.slice(0, 11),
        rawStatement.isCut,
      ]),
    ).toEqual([
      [1, 'a', false],
      [2, 'INSERT INTO', true],
      [3, 'b', false],
    ]);
  });
  it('createStatementReader returns the last statement without a delimiter at the end', () => {
    expect(read(`insert 'open; text`, 5).map((rawStatement) => rawStatement.text)).toEqual([
      `insert 'open; text`,
    ]);
    expect(read('a /* open', 3).map((rawStatement) => rawStatement.text)).toEqual(['a /* open']);
    expect(read('  \n-- nothing\n', 3)).toEqual([]);
  });
  it('createStatementReader reads a line of dashes as a comment, like the standard clients', () => {
    const text = '\u00ef\u00bb\u00bfa;\r\n-----\r\n--x;y\r\nb;\r\n-------------\r\nselect 2\n--1; --z';
    for (const size of [1, 2, 7, 100])
      expect(read(text, size).map((rawStatement) => [rawStatement.line, rawStatement.text])).toEqual([
        [1, 'a'],
        [4, 'b'],
        [6, 'select 2\n--1'],
      ]);
  });
});
