import { describe, expect, it } from 'vitest';
import { findObjectDatabase, withoutDatabase } from './own-database.js';

describe('withoutDatabase', () => {
  it.each([
    [
      'CREATE TABLE IF NOT EXISTS `shop`.`b` (id INT, FOREIGN KEY (id) REFERENCES `shop`.`a` (`id`))',
      'CREATE TABLE IF NOT EXISTS `b` (id INT, FOREIGN KEY (id) REFERENCES `a` (`id`))',
    ],
    [
      'CREATE VIEW Shop . v AS SELECT shop.b.id, f.x, shop.twice(2) FROM shop.b JOIN (shop.f) ON shop.b.id = f.id',
      'CREATE VIEW v AS SELECT b.id, f.x, twice(2) FROM b JOIN (f) ON b.id = f.id',
    ],
    [
      "CREATE TABLE shop (id INT, CHECK (shop.id > 0)) COMMENT 'shop.b'",
      "CREATE TABLE shop (id INT, CHECK (shop.id > 0)) COMMENT 'shop.b'",
    ],
    [
      'CREATE VIEW v AS SELECT shop.id, other.b.c FROM shop.shop, x',
      'CREATE VIEW v AS SELECT shop.id, other.b.c FROM shop, x',
    ],
    ['CREATE VIEW v AS SELECT shop.id FROM shop.a AS shop', 'CREATE VIEW v AS SELECT shop.id FROM a AS shop'],
  ])('withoutDatabase removes the database name only from names of objects: %s', (sql, expected) => {
    expect(withoutDatabase(sql, 'shop')).toBe(expected);
  });
});

describe('findObjectDatabase', () => {
  it.each([
    ['DROP TABLE IF EXISTS `a``b`.t', 'a`b'],
    ['CREATE UNIQUE INDEX i ON shop.t (a)', 'shop'],
    ['CREATE INDEX i ON t (a)', null],
    ['CREATE DEFINER=`r`@`%` TRIGGER shop.x BEFORE INSERT ON shop.t FOR EACH ROW SET @a = 1', 'shop'],
    ['CREATE TABLE t (a INT)', null],
    ["INSERT 'open", null],
  ])('findObjectDatabase returns the database of the object: %s', (sql, database) => {
    expect(findObjectDatabase(sql)).toBe(database);
  });
});
