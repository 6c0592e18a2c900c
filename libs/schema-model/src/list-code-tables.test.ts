import { expect, it } from 'vitest';
import { listCodeTables } from './list-code-tables.js';
import type { Snapshot } from './types.js';

const trigger = (body: string): object => ({
  name: 't',
  kind: 'table',
  createSql: '',
  triggers: [
    {
      name: 'r',
      timing: 'BEFORE',
      event: 'INSERT',
      createSql: `CREATE TRIGGER \`r\` BEFORE INSERT ON \`t\` FOR EACH ROW ${body}`,
    },
  ],
});
const view = (select: string): object => ({
  name: 'v',
  kind: 'view',
  createSql: `CREATE VIEW \`v\` AS ${select}`,
});
const list = (...tables: object[]): readonly string[] =>
  listCodeTables({
    format: 1,
    engine: 'mariadb',
    tables: [{ name: 'plain', kind: 'table', createSql: '' }, ...tables],
  } as unknown as Snapshot);

it.each([
  trigger('SET NEW.`at` = current_timestamp()'),
  trigger('SET NEW.word = UPPER(NEW.word), NEW.body = concat(NEW.body, 1)'),
  trigger('BEGIN UPDATE tallies SET total = total + NEW.amount, n = n + 1 WHERE id = NEW.tally_id; END'),
  trigger("BEGIN SET NEW.a = concat('SET @x := 1', NEW.b); IF NEW.c IS NULL THEN SET NEW.c = 1; END IF; END"),
  view("select `plain`.`a` AS `a`,count(0) AS `n` from `plain` where `plain`.`b` = 'get_lock'"),
])('listCodeTables ignores a harmless view or trigger: %j', (table) => {
  expect(list(table)).toEqual([]);
});

it.each([
  trigger("SET NEW.a = GET_LOCK('a', 0)"),
  trigger('SET @a = 1'),
  trigger("SET sql_mode = ''"),
  trigger("SET NEW.a = 1, sql_mode = ''"),
  trigger("IF (SELECT `update` FROM t) THEN SET sql_mode = ''; END IF"),
  trigger("BEGIN SET NEW.a = 1; SET/**/sql_mode = ''; END"),
  trigger('SET NEW.a = own_function(1)'),
  trigger('SET NEW.a = `own`(1)'),
  trigger('CALL p()'),
  trigger('SET SESSION sort_buffer_size = 1'),
  view("select get_lock('a',0) AS `a`"),
  view('select `db`.`own_function`(1) AS `a`'),
])('listCodeTables returns a view or trigger that may change its session: %j', (table) => {
  expect(list(table)).toEqual([(table as { name: string }).name]);
});

it('listCodeTables returns every view and trigger table if one trigger is risky', () => {
  expect(list(trigger('SET @a = 1'), view('select 1 AS `a`'))).toEqual(['t', 'v']);
});
