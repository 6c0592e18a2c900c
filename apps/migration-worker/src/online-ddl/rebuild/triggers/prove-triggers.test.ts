import type { AdminConnection } from '@rowhouse/mysql';
import { expect, it } from 'vitest';
import type { Run } from '../../run-state.js';
import { proveTriggers } from './prove-triggers.js';
import type { UserTrigger } from '@rowhouse/platform-store';

const TRIGGER: UserTrigger = {
  table: 'notes',
  name: 'shout',
  timing: 'BEFORE',
  event: 'INSERT',
  body: 'SET NEW.a = 1',
  definer: '`u`@`%`',
  sqlMode: 'ANSI_QUOTES',
  collation: 'utf8mb4_bin',
  databaseCollation: 'utf8mb4_bin',
};

interface Proof {
  /** The statements that the scratch account has sent. */
  readonly stated: string[];
  /** The number of sessions that are still open. */
  readonly open: number;
  readonly error: unknown;
}

/**
 * Runs `proveTriggers` for triggers of tables with the columns `a` and `b`. The server returns the error
 * `fault` for statements that contain `rejected`.
 */
async function prove(
  triggers: readonly UserTrigger[],
  rejected?: { readonly text: string; readonly fault: object },
): Promise<Proof> {
  const messages: string[] = [];
  let open = 0;
  let name = '';
  const connect = (note: (sql: string) => void): Promise<AdminConnection> => {
    open += 1;
    const run = (sql: string): Promise<void> => {
      note(sql);
      if (rejected === undefined || !sql.includes(rejected.text)) return Promise.resolve();
      return Promise.reject(
        Object.assign(new Error('refused'), { sqlMessage: `error in ${name}.notes`, ...rejected.fault }),
      );
    };
    return Promise.resolve({
      run,
      rows: () => Promise.resolve([]),
      close: async () => void (open -= 1),
    } as unknown as AdminConnection);
  };
  const access = {
    openProvisioner: () => connect(() => undefined),
    openForTables: (_server: unknown, user: string) => {
      name = user;
      return connect((sql) => messages.push(sql));
    },
  };
  const connection = { rows: () => Promise.resolve([{ name: 'a' }, { name: 'b`c' }]) };
  const run = {
    ctx: { access, failPoint: () => undefined },
    server: { engine: 'mariadb', tls: 'off', capabilities: null },
    connection,
    database: { schemaName: 'pabc' },
  } as unknown as Run;
  const error: unknown = await proveTriggers(run, triggers).then(
    () => null,
    (error: unknown) => error,
  );
  return { stated: messages.map((sql) => sql.replaceAll(name, 'scratch')), open, error };
}

it('proveTriggers sends nothing to the server for a table without triggers', async () => {
  expect(await prove([])).toEqual({ stated: [], open: 0, error: null });
});

it('proveTriggers tests each trigger with an account that can only use an empty schema', async () => {
  const {
    stated: messages,
    open,
    error,
  } = await prove([TRIGGER, { ...TRIGGER, name: 'other', timing: 'AFTER', body: 'SET @a = 1' }]);
  expect(error).toBeNull();
  expect(open).toBe(0);
  expect(messages).toEqual([
    'USE `scratch`',
    'CREATE TABLE `notes` (`a` int, `b``c` int, PRIMARY KEY (`a`))',
    "SET SESSION sql_mode = 'ANSI_QUOTES', collation_connection = utf8mb4_bin",
    'CREATE TRIGGER t0 BEFORE INSERT ON `notes` FOR EACH ROW SET NEW.a = 1',
    "SET SESSION sql_mode = 'ANSI_QUOTES', collation_connection = utf8mb4_bin",
    'CREATE TRIGGER t1 AFTER INSERT ON `notes` FOR EACH ROW SET @a = 1',
  ]);
});

it('a rebuild is rejected when the server rejects a trigger', async () => {
  const { error, open } = await prove([{ ...TRIGGER, body: 'SET NEW.a = 1; DROP TABLE x' }], {
    text: 'DROP TABLE x',
    fault: { errno: 1064, code: 'ER_PARSE_ERROR', sqlState: '42000' },
  });
  expect(error).toMatchObject({
    code: 'schema.broken_object',
    detail:
      'The trigger shout of notes cannot be created again from the definition that the server returns: error in notes',
    extra: { trigger: 'shout', table: 'notes', errno: 1064 },
  });
  expect(open).toBe(0);
});

it('a session that is lost during the trigger test does not count as a rejection', async () => {
  const { error } = await prove([TRIGGER], {
    text: 'CREATE TRIGGER',
    fault: { code: 'ECONNRESET', fatal: true },
  });
  expect(error).toMatchObject({ code: 'ECONNRESET' });
});
