import { AppError } from '@rowhouse/errors';
import { describe, expect, it } from 'vitest';
import { splitStatements, splitStatementsSteps } from './split-statements.js';
import type { SplitOptions } from '../types.js';

const MARIADB: SplitOptions = { engine: 'mariadb', version: '10.11.19-MariaDB' };
const MYSQL: SplitOptions = { engine: 'mysql', version: '8.0.36' };

function texts(text: string, options = MARIADB): string[] {
  return splitStatements(text, options).map((statement) => statement.sql.replaceAll(/\s+/g, ' '));
}

describe('splitStatementsSteps', () => {
  it('splitStatementsSteps splits a text of 800 KB in about fifty steps', () => {
    const text = Array.from(
      { length: 1_000 },
      (_, position) =>
        `CREATE TABLE t${position} (id INT /* ${'c'.repeat(300)} */, v VARCHAR(9) COMMENT '${'x'.repeat(400)}');\n`,
    ).join('');
    const steps = splitStatementsSteps(text, { engine: 'mariadb', version: '10.11.6-MariaDB' });
    let count = 0;
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) {
        expect(step.value).toEqual(splitStatements(text, { engine: 'mariadb', version: '10.11.6-MariaDB' }));
        break;
      }
      count += 1;
    }
    expect(count).toBeGreaterThan(40);
  });
});

describe('splitStatements', () => {
  it('splitStatements splits at semicolons outside quotes and returns line numbers', () => {
    const text = "CREATE TABLE a (x INT);\n\n-- note; none\nCREATE TABLE b (\n  y VARCHAR(9) DEFAULT ';'\n);";
    expect(splitStatements(text, MARIADB)).toEqual([
      { sql: 'CREATE TABLE a (x INT)', line: 1, lineEnd: 1 },
      { sql: "CREATE TABLE b (\n  y VARCHAR(9) DEFAULT ';'\n)", line: 4, lineEnd: 6 },
    ]);
  });

  it('splitStatements accepts a last statement without a semicolon and drops empty statements', () => {
    expect(texts(';;  ; DROP TABLE a ;\n\n DROP TABLE b')).toEqual(['DROP TABLE a', 'DROP TABLE b']);
    expect(texts(' \n -- nothing \n')).toEqual([]);
  });

  it('splitStatements removes three kinds of comments outside quotes', () => {
    expect(
      texts("CREATE /* a; */ TABLE a -- b; \n (x INT # c;\n) COMMENT '-- no /* none */ # none'"),
    ).toEqual(["CREATE TABLE a (x INT ) COMMENT '-- no /* none */ # none'"]);
    expect(texts('SELECT 1--1; SELECT 2')).toEqual(['SELECT 1--1', 'SELECT 2']);
  });

  it('splitStatements keeps the line breaks of a statement', () => {
    const [statement] = splitStatements('/* one\n two */ DROP\n/* x\n*/ TABLE a', MARIADB);
    expect(statement).toEqual({ sql: 'DROP\n    \n   TABLE a', line: 2, lineEnd: 4 });
  });

  it.each<[string, SplitOptions, string[]]>([
    ['/*!40101 SET NAMES utf8 */;', MARIADB, ['SET NAMES utf8']],
    ['/*!40101 SET NAMES utf8 */;', MYSQL, ['SET NAMES utf8']],
    ['/*! SET a = 1 */', MARIADB, ['SET a = 1']],
    ['CREATE TABLE a (x INT /*!80023 INVISIBLE */)', MARIADB, ['CREATE TABLE a (x INT )']],
    ['CREATE TABLE a (x INT /*!80023 INVISIBLE */)', MYSQL, ['CREATE TABLE a (x INT INVISIBLE )']],
    ['CREATE TABLE a (x INT /*!100303 INVISIBLE */)', MARIADB, ['CREATE TABLE a (x INT INVISIBLE )']],
    ['CREATE TABLE a (x INT /*!100303 INVISIBLE */)', MYSQL, ['CREATE TABLE a (x INT )']],
    ['CREATE TABLE a (x INT /*M!100303 INVISIBLE */)', MARIADB, ['CREATE TABLE a (x INT INVISIBLE )']],
    ['CREATE TABLE a (x INT /*M! INVISIBLE */)', MYSQL, ['CREATE TABLE a (x INT )']],
    ['CREATE TABLE a (x INT /*M!120000 INVISIBLE */)', MARIADB, ['CREATE TABLE a (x INT )']],
    ['DROP /*!50701 nothing; here */ TABLE a', MARIADB, ['DROP TABLE a']],
    ["/*!50001 CREATE VIEW v AS SELECT '*/' AS x */", MARIADB, ["CREATE VIEW v AS SELECT '*/' AS x"]],
  ])('splitStatements reads the versioned comments in %s as the statements %o', (text, options, expected) => {
    expect(texts(text, options)).toEqual(expected);
  });

  it('splitStatements supports DELIMITER, even with letters or comment marks', () => {
    const body = 'CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN SET NEW.x = 1; SET NEW.y = 2; END';
    for (const delimiter of ['//', ';;', '$$', '#', '|', 'GO']) {
      const text = `DELIMITER ${delimiter}\n${body}${delimiter}\nDELIMITER ;\nDROP TABLE b;`;
      expect(texts(delimiter === 'GO' ? text.replace('ENDGO', 'END GO') : text)).toEqual([
        body,
        'DROP TABLE b',
      ]);
    }
  });

  it('splitStatements does not split the body of a routine without DELIMITER', () => {
    const procedure =
      "CREATE PROCEDURE p() BEGIN DECLARE n INT; IF n > 0 THEN SELECT CASE WHEN n = 1 THEN 'a' ELSE 'b' END; ELSE SELECT IF(n, 1, 2); END IF; l: LOOP LEAVE l; END LOOP l; WHILE n < 3 DO SET n = n + 1; END WHILE; CASE n WHEN 1 THEN SELECT 1; ELSE BEGIN END; END CASE; END";
    const trigger =
      'CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW IF NEW.x IS NULL THEN SET NEW.x = 1; SET NEW.y = 2; END IF';
    const small = 'CREATE FUNCTION f(a INT) RETURNS INT DETERMINISTIC RETURN IF(a > 1, a, 0)';
    const table = 'CREATE TABLE plan (`begin` DATE, begin DATE, `case` INT, `end` DATE)';
    const all = [
      procedure,
      trigger,
      small,
      table,
      'CREATE PROCEDURE IF NOT EXISTS q() SELECT 1',
      'DROP TABLE x',
    ];
    expect(texts(`${all.join(';\n')};`)).toEqual(all);
  });

  it('splitStatements reads the text that mysqldump writes around a trigger', () => {
    const dump = [
      '/*!50003 SET @saved_sql_mode       = @@sql_mode */ ;',
      'DELIMITER ;;',
      '/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`localhost`*/ /*!50003 TRIGGER t AFTER DELETE ON a',
      "FOR EACH ROW BEGIN INSERT INTO log VALUES ('x;'); END */;;",
      'DELIMITER ;',
      '/*!50003 SET sql_mode              = @saved_sql_mode */ ;',
    ].join('\n');
    expect(texts(dump)).toEqual([
      'SET @saved_sql_mode = @@sql_mode',
      "CREATE DEFINER=`root`@`localhost` TRIGGER t AFTER DELETE ON a FOR EACH ROW BEGIN INSERT INTO log VALUES ('x;'); END",
      'SET sql_mode = @saved_sql_mode',
    ]);
  });

  it.each([
    ["CREATE TABLE a (x INT DEFAULT 'oh)", 'schema.invalid_sql'],
    ['CREATE TABLE `a (x INT)', 'schema.invalid_sql'],
    ['CREATE TABLE a (x INT) /* open', 'schema.invalid_sql'],
    ['CREATE TABLE a (x INT) /*! open', 'schema.invalid_sql'],
    ['/*! DROP /*! TABLE */ a */', 'schema.invalid_sql'],
    ['DROP TABLE a\0b', 'schema.invalid_sql'],
    ["DROP TABLE '\ud800'", 'schema.invalid_sql'],
    ['DELIMITER \nDROP TABLE a', 'schema.invalid_sql'],
    ['DROP TABLE a;'.repeat(2001), 'schema.too_large'],
    [`-- ${'é'.repeat(600_000)}`, 'schema.too_large'],
  ])('splitStatements rejects the text %.40s', (text, code) => {
    expect(() => splitStatements(text, MARIADB)).toThrow(AppError);
    try {
      splitStatements(text, MARIADB);
    } catch (error) {
      expect((error as AppError).code).toBe(code);
    }
  });
  it('splitStatements reads a line of dashes as a comment, like the standard clients', () => {
    expect(texts('a;\n-----\nb;--x\nDELIMITER $$\n----y\nc$$\n---z;\nDELIMITER ;\nd\n--1')).toEqual([
      'a',
      'b',
      'c',
      'd --1',
    ]);
  });
});
