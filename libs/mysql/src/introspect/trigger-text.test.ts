import { describe, expect, it } from 'vitest';
import { cutTriggerBody, respellBody } from './trigger-text.js';

describe('cutTriggerBody', () => {
  it.each([
    [
      "CREATE DEFINER=`u`@`%` TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET NEW.b = 'it''s'",
      "SET NEW.b = 'it''s'",
    ],
    [
      'CREATE DEFINER=`u`@`%` TRIGGER `FOR EACH ROW`\nBEFORE INSERT ON `a``b` /* FOR EACH ROW */ for -- x\neach # y\nrow BEGIN END',
      'BEGIN END',
    ],
    ['CREATE TRIGGER t AFTER UPDATE ON a FOR EACH ROW FOLLOWS `other one` SET @a = 1', 'SET @a = 1'],
    ['CREATE TRIGGER t AFTER UPDATE ON a FOR EACH ROW precedes u SET @a = 1', 'SET @a = 1'],
    ['CREATE TRIGGER t AFTER UPDATE ON a FOR EACH ROW follows: BEGIN END', 'follows: BEGIN END'],
    [
      "CREATE TRIGGER t AFTER UPDATE ON a FOR EACH ROW SET @a = ' FOR EACH ROW '",
      "SET @a = ' FOR EACH ROW '",
    ],
  ])('cutTriggerBody returns the body of %j', (definition, body) => {
    expect(cutTriggerBody(definition, 'STRICT_TRANS_TABLES')).toBe(body);
  });

  it('cutTriggerBody parses quotes in the SQL mode of the trigger', () => {
    const definition = String.raw`CREATE TRIGGER "a\" BEFORE INSERT ON "FOR EACH ROW" FOR EACH ROW SET NEW.b = '\'`;
    expect(cutTriggerBody(definition, 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES')).toBe(String.raw`SET NEW.b = '\'`);
  });

  it('cutTriggerBody returns null for a text that is not a trigger', () => {
    expect(cutTriggerBody('CREATE PROCEDURE p() SELECT 1', '')).toBeNull();
  });
});

describe('respellBody', () => {
  it.each([
    [
      'NO_BACKSLASH_ESCAPES',
      String.raw`SET NEW.a = '\', NEW.b = "it's \n"`,
      String.raw`SET NEW.a = '\\', NEW.b = "it's \\n"`,
    ],
    [
      'ANSI_QUOTES',
      String.raw`SET NEW."a""b\" = 'it\'s "', @c = ${'`d``"`'}`,
      String.raw`SET NEW.${'`a"b\\`'} = 'it\'s "', @c = ${'`d``"`'}`,
    ],
    [
      'REAL_AS_FLOAT,ANSI_QUOTES,NO_BACKSLASH_ESCAPES',
      String.raw`SET NEW."a${'`'}" = '\' -- "it's`,
      String.raw`SET NEW.${'`a```'} = '\\' -- "it's`,
    ],
  ])('respellBody converts the quotes of a body written for %s', (mode, body, expected) => {
    expect(respellBody(body, mode)).toBe(expected);
  });

  it('respellBody keeps a text that every SQL mode parses alike', () => {
    const body = String.raw`BEGIN SET NEW.a = 'it\'s', NEW.b = "x"; /* " */ END`;
    expect(respellBody(body, 'STRICT_TRANS_TABLES,PIPES_AS_CONCAT')).toBe(body);
  });
});
