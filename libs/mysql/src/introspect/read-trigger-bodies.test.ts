import { expect, it } from 'vitest';
import { readTriggerBodies, type TriggerSource } from './read-trigger-bodies.js';

const result = (name: string, statement: string, sqlMode = ''): TriggerSource => ({
  name,
  statement,
  sqlMode,
});
const fault = (errno: number): Error => Object.assign(new Error('text'), { errno, sqlState: 'HY000' });

/** Fakes a server that returns these texts or errors for SHOW CREATE TRIGGER. */
function answering(visible: Readonly<Record<string, string | Error>>): {
  readonly asked: string[];
  readonly rows: <T>(sql: string) => Promise<T[]>;
} {
  const requests: string[] = [];
  return {
    asked: requests,
    rows: async <T>(sql: string) => {
      requests.push(sql);
      const text = visible[/\.`(.*)`$/.exec(sql)?.[1] ?? ''];
      if (text instanceof Error) throw text;
      return (text === undefined ? [] : [{ 'SQL Original Statement': text }]) as T[];
    },
  };
}

it('trigger bodies are returned in order as written, without a trailing separator', async () => {
  const server = answering({
    first: String.raw`CREATE DEFINER=x TRIGGER first BEFORE INSERT ON notes FOR EACH ROW SET NEW.a = 'it\'s'`,
    'odd``name': 'CREATE TRIGGER `odd``name` AFTER UPDATE ON notes FOR EACH ROW BEGIN SET @a = 1; END ;\n',
  });
  expect(
    await readTriggerBodies(server, 'my`schema', [
      result('first', "SET NEW.a = 'it's'"),
      result('odd`name', 'BEGIN'),
    ]),
  ).toEqual([String.raw`SET NEW.a = 'it\'s'`, 'BEGIN SET @a = 1; END']);
  expect(server.asked).toEqual([
    'SHOW CREATE TRIGGER `my``schema`.`first`',
    'SHOW CREATE TRIGGER `my``schema`.`odd``name`',
  ]);
});

it('a trigger text is parsed in the SQL mode in which it was created', async () => {
  const server = answering({
    plain: String.raw`CREATE TRIGGER plain BEFORE INSERT ON "a\" FOR EACH ROW SET NEW.b = '\'`,
  });
  expect(
    await readTriggerBodies(server, 's', [result('plain', '', 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES')]),
  ).toEqual([String.raw`SET NEW.b = '\'`]);
});

it('a dropped or malformed trigger is read from information_schema', async () => {
  const server = answering({ gone: fault(1360), odd: 'CREATE EVENT odd DO SELECT 1' });
  expect(
    await readTriggerBodies(server, 's', [
      result('gone', 'SET @a = 1;'),
      result('odd', 'SET @b = 1'),
      result('silent', 'SET @c = 1'),
    ]),
  ).toEqual(['SET @a = 1', 'SET @b = 1', 'SET @c = 1']);
  await expect(
    readTriggerBodies(answering({ held: fault(1205) }), 's', [result('held', '')]),
  ).rejects.toMatchObject({ errno: 1205 });
});
