import { describe, expect, it } from 'vitest';
import { DatabaseFault } from '../faults.js';
import { makeFakeSession } from '../testing/fake-session.js';
import type { PoolAccount, ShortWrite } from '../types.js';
import { createGroupedWrites, type GroupedWrites } from './grouped-writes.js';
import { keepRows } from '../testing/keep-rows.js';
import { TEST_ACCOUNT, TEST_SERVER } from '../testing/pool-fixtures.js';
import type { WireCommand } from '../wire/driver-wire.js';
import type { PipelineHost, PipelinedConnectionBase } from '../wire/pipelined-connection.js';

const write = (sql: string): ShortWrite<unknown, unknown> => ({
  write: { sql, values: [1], makeSink: keepRows },
  read: null,
});

interface Opened {
  readonly writes: GroupedWrites;
  /** The commands that were sent, without the writes. */
  readonly commands: string[];
  readonly account: PoolAccount;
  now: number;
  /** The server's error for each write. Null for success. */
  errno: number | null;
}

function open(): Opened {
  const commands: string[] = [];
  const opened: Opened = {
    commands,
    account: { ...TEST_ACCOUNT },
    now: 0,
    errno: null,
    writes: createGroupedWrites(
      {
        acquire: (server) =>
          Promise.resolve(
            makeFakeSession({
              server,
              command: (sql: string) => Promise.resolve(void commands.push(sql)),
              openPipeline: <L extends PipelinedConnectionBase>(
                create: (host: PipelineHost) => L,
                onIdle: () => void,
              ) => create(toHost(opened, onIdle)),
            }),
          ),
        release: () => undefined,
        isAlone: () => true,
        statementMsMax: 1_000,
        usualMs: 10_000,
      },
      () => opened.now,
    ),
  };
  return opened;
}

/** Fakes the session of a pipelined connection. Its server responds immediately. */
function toHost(opened: Opened, onIdle: () => void): PipelineHost {
  const respond = (command: WireCommand): void => {
    const packet =
      opened.errno === null
        ? Buffer.from([0, 1, 0, 2, 0, 0, 0])
        : Buffer.from([0xff, opened.errno & 0xff, opened.errno >> 8, ...Buffer.from('#HY000no')]);
    command.execute({ buffer: packet, offset: 0, end: packet.length, sequenceId: 1 });
  };
  return {
    wire: {
      sequenceId: 0,
      compressedSequenceId: 0,
      _mariadbExtendedMetadata: false,
      write: () => undefined,
      addCommand(command) {
        command.execute(undefined);
        respond(command);
      },
    },
    prepare: (_sql, onReady) => onReady({ id: 1, definitions: [], layout: null }),
    forget: () => undefined,
    onLost: () => undefined,
    onIdle,
  };
}

describe('grouped writes of single records', () => {
  const run = (opened: Opened, sql: string): Promise<unknown> | null =>
    opened.writes
      .runGrouped(TEST_SERVER, opened.account, 100, write(sql))
      ?.catch((error: unknown) => error) ?? null;
  const startTwoWrites = (opened: Opened): void =>
    [1, 2].forEach(() => opened.writes.separateStarted(opened.account));

  it('a write is grouped only while two others run separately or a group is open', async () => {
    const opened = open();
    expect(run(opened, 'UPDATE t')).toBeNull();
    startTwoWrites(opened);
    expect(await run(opened, 'UPDATE t')).toMatchObject({ written: { counts: { affectedRows: 1 } } });
    // While a pipelined connection is open, all writes use it.
    [1, 2].forEach(() => opened.writes.separateEnded(opened.account));
    expect(run(opened, 'UPDATE t')).not.toBeNull();
    await expect.poll(() => opened.commands.length).toBe(2);
    expect(opened.commands[0]).toContain('innodb_lock_wait_timeout=0');
    expect(opened.commands[1]).toContain('max_statement_time=10');
    await expect.poll(() => run(opened, 'UPDATE t')).toBeNull();
  });

  it('writes are never grouped on MySQL or on a Galera cluster', () => {
    const { writes, account } = open();
    [1, 2].forEach(() => writes.separateStarted(account));
    expect(
      writes.runGrouped({ ...TEST_SERVER, engine: 'mysql' }, account, 100, write('UPDATE t')),
    ).toBeNull();
    expect(writes.runGrouped({ ...TEST_SERVER, isGalera: true }, account, 100, write('UPDATE t'))).toBeNull();
  });

  it('a write runs separately for a while after it was stopped or often met locked rows', async () => {
    const opened = open();
    startTwoWrites(opened);
    opened.errno = 1969;
    expect(await run(opened, 'UPDATE slow')).toMatchObject({ cause: expect.any(DatabaseFault) });
    expect(run(opened, 'UPDATE slow')).toBeNull();
    opened.errno = 1205;
    for (let index = 0; index < 4; index += 1)
      expect(await run(opened, 'UPDATE hot')).toMatchObject({ cause: expect.any(DatabaseFault) });
    expect(run(opened, 'UPDATE hot')).toBeNull();
    opened.now = 600;
    opened.errno = null;
    expect(await run(opened, 'UPDATE hot')).toMatchObject({ written: { counts: { affectedRows: 1 } } });
    expect(run(opened, 'UPDATE slow')).toBeNull();
    opened.now = 31_000;
    expect(run(opened, 'UPDATE slow')).not.toBeNull();
  });

  it('a write that violates a constraint is still grouped the next time', async () => {
    const opened = open();
    startTwoWrites(opened);
    opened.errno = 1062;
    for (let index = 0; index < 20; index += 1) await run(opened, 'INSERT');
    expect(run(opened, 'INSERT')).not.toBeNull();
  });
});
