import { describe, expect, it } from 'vitest';
import { checkCharacters } from './unstorable-characters.js';

describe('checkCharacters', () => {
  it('checkCharacters reports every comment that would lose an emoji', () => {
    const sql = "CREATE TABLE t (a int COMMENT 'one 🚀', KEY k (a) COMMENT 'two 🎉') COMMENT='three 🐘'";
    expect(checkCharacters(sql, 'mariadb', 4)).toHaveLength(3);
    expect(checkCharacters(sql, 'mysql', 4)[0]).toContain("Line 4: 'one 🚀'");
  });
  it.each([
    ['mariadb', "CREATE TABLE t (a varchar(9) DEFAULT '🚀')"],
    ['mariadb', "ALTER TABLE t ADD a varchar(9) DEFAULT ('🚀')"],
    ['mariadb', "CREATE TABLE t (a enum('x', '🚀'))"],
    ['mysql', "CREATE TABLE t (a set('🚀'))"],
    ['mysql', "CREATE TABLE t (a text, CHECK (a <> '🚀'))"],
    ['mysql', "CREATE TABLE t (a text DEFAULT (concat('🚀')))"],
  ] as const)('text that %s would lose is rejected: %s', (engine, sql) => {
    expect(() => checkCharacters(sql, engine, 1)).toThrow(
      expect.objectContaining({ code: 'schema.statement_not_allowed' }),
    );
  });
  it.each([
    ['mysql', "CREATE TABLE t (a varchar(9) DEFAULT '🚀')"],
    ['mariadb', "CREATE TABLE t (a text, CHECK (a <> '🚀'))"],
    ['mariadb', "CREATE VIEW v AS SELECT '🚀' AS a"],
    ['mysql', "CREATE TABLE t (a int COMMENT 'ünï 日本')"],
  ] as const)('text that %s preserves is accepted: %s', (engine, sql) => {
    expect(checkCharacters(sql, engine, 1)).toEqual([]);
  });
});
