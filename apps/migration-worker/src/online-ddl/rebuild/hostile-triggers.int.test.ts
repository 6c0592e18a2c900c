import { openAdminConnection, type AdminConnection } from '@rowhouse/mysql';
import { getTestServers, makeUniqueName } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness, type TestDb } from '../../testing/worker-harness.js';

/** The table has more rows than the limit up to which a table may be copied with writes blocked. */
const ROWS = 2_000;

interface HostileTrigger {
  readonly name: string;
  readonly body: string;
  /** The trigger body as the owner's client sends it, after these settings. */
  readonly direct: { readonly settings: string; readonly body: string };
}

/**
 * Returns trigger bodies that contain a string. With other session settings, the server would end this string
 * early and run the characters after it as a statement, with the rights of a platform account.
 */
function listHostile(canary: string): HostileTrigger[] {
  const following = (index: number): string => `; END IF; CREATE DATABASE ${canary}${index}; -- `;
  return [
    // In Windows latin1, the byte 0x99 is the character ™. Truncating its code U+2122 to one byte gives a
    // double quote.
    {
      name: 'cut',
      body: `SET NEW.one = "™${following(1)}"`,
      direct: { settings: 'SET NAMES latin1', body: `SET NEW.one = "\u0099${following(1)}"` },
    },
    // Whether the quotes count as escaped depends on the session's settings.
    {
      name: 'unescaped',
      body: `SET NEW.two = 'x''${following(2)}'`,
      direct: { settings: 'SET NAMES utf8mb4', body: `SET NEW.two = 'x''${following(2)}'` },
    },
    {
      name: 'plain',
      body: String.raw`SET NEW.three = '\\', NEW.four = '${following(3)}'`,
      direct: {
        settings: `SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES'`,
        body: String.raw`SET NEW.three = '\', NEW.four = '${following(3)}'`,
      },
    },
    {
      name: 'ansi',
      body: "SET NEW.`five` = 'it\"s'",
      direct: { settings: `SET SESSION sql_mode = 'ANSI_QUOTES'`, body: `SET NEW."five" = 'it"s'` },
    },
  ];
}

describe.each(getTestServers().engines)('triggers of a hostile owner on $engine', (mysql) => {
  let harness: WorkerHarness;
  const canary = makeUniqueName('canary', 14);
  const hostile = listHostile(canary);
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    await harness.startWorker();
  });
  afterAll(() => harness.close());

  /** Creates the trigger as the database's owner, from a client with the given settings. */
  async function makeDirect(
    database: TestDb,
    { name, direct }: HostileTrigger,
    owner: string,
  ): Promise<void> {
    const { host, port } = harness.mysql;
    const session = await openAdminConnection({
      host,
      port,
      user: owner,
      password: owner,
      database: database.schemaName,
    });
    await session.run(direct.settings);
    await session.run(`DROP TRIGGER ${name}`);
    await session.run(`CREATE TRIGGER ${name} BEFORE INSERT ON notes FOR EACH ROW ${direct.body}`);
    await session.close();
  }

  /** Reads the triggers, without the text that MySQL adds from the message that created them. */
  async function readTriggers(root: AdminConnection, database: TestDb): Promise<unknown[]> {
    const rows = await root.rows<{ statement: string }>(
      'SELECT TRIGGER_NAME AS name, ACTION_ORDER AS place, DEFINER AS definer, SQL_MODE AS mode, ACTION_STATEMENT AS statement FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ? ORDER BY ACTION_ORDER',
      [database.schemaName],
    );
    return rows.map((row) => ({ ...row, statement: row.statement.replace(/[;\s]+$/, '') }));
  }

  it(
    'triggers of a hostile owner behave the same during a rebuild and are unchanged afterwards',
    { timeout: 120_000 },
    async () => {
      const triggers = hostile
        .map(({ name, body }) => `CREATE TRIGGER ${name} BEFORE INSERT ON notes FOR EACH ROW ${body};`)
        .join('\n');
      const columns = ['one', 'two', 'three', 'four', 'five']
        .map((name) => `${name} varchar(100)`)
        .join(', ');
      const database = await harness.make(
        `CREATE TABLE notes (id int AUTO_INCREMENT PRIMARY KEY, title varchar(50), ${columns});\n${triggers}`,
      );
      await harness.fill(database, 'INSERT INTO notes (title)', `CONCAT('t', i)`, ROWS);
      const owner = makeUniqueName('o', 20);
      await harness.withRoot(database, async (root) => {
        await root.run(`CREATE USER '${owner}'@'%' IDENTIFIED BY '${owner}'`);
        await root.run(`GRANT ALL ON ${database.schemaName}.* TO '${owner}'@'%'`);
      });
      for (const trigger of hostile) await makeDirect(database, trigger, owner);
      const before = await harness.withRoot(database, (root) => readTriggers(root, database));
      const { row, plan } = await harness.deploy(database, 'ALTER TABLE notes MODIFY title varchar(200);');
      await harness.withRoot(database, async (root) => {
        expect(
          await root.rows(
            'SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA WHERE SCHEMA_NAME LIKE ?',
            [`${canary}%`],
          ),
        ).toEqual([]);
        expect(row).toMatchObject({ state: 'published', error: null });
        expect(plan.steps.map((step) => step.strategy)).toEqual(['rebuild']);
        expect(await harness.listLeftovers(database)).toEqual([]);
        expect(await readTriggers(root, database)).toEqual(before);
        const { insertId } = await root.run(`INSERT INTO notes (title) VALUES ('last')`);
        const [last] = await root.rows('SELECT one, two, three, four, five FROM notes WHERE id = ?', [
          insertId,
        ]);
        expect(last).toEqual({
          one: `™; END IF; CREATE DATABASE ${canary}1; -- `,
          two: `x'; END IF; CREATE DATABASE ${canary}2; -- `,
          three: '\\',
          four: `; END IF; CREATE DATABASE ${canary}3; -- `,
          five: 'it"s',
        });
        await root.run(`DROP USER '${owner}'@'%'`);
      });
    },
  );
});
