import { NO_SUCH_TABLE } from '@rowhouse/errors';
import { quoteName, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { EngineKind } from '@rowhouse/schema-model';
import { openChangeSequence } from '@rowhouse/schema-model/testing';
import { readContents, type Contents } from './read-contents.js';

/**
 * Statements that a server accepted one after the other. They are grouped into parts that are deployed
 * separately.
 */
export interface TakenSequence {
  readonly seed: number;
  readonly prefix: string;
  readonly base: readonly string[];
  readonly baseRows: readonly string[];
  /** `rows` are inserted once the part's statements are deployed. */
  readonly parts: readonly { readonly statements: readonly string[]; readonly rows: readonly string[] }[];
}

export interface PlainServer {
  readonly connection: AdminConnection;
  readonly schemaName: string;
  readonly engine: EngineKind;
}

/** The statements that a plain server accepted, and the resulting contents. */
export interface PlainRun {
  readonly sequence: TakenSequence;
  readonly contents: Contents;
}

/** Observes the statements of a sequence while the plain server runs them. */
export interface SequenceObserver {
  ran(sql: string): void;
  /** Called after the first tables and after each part. */
  endPart(): Promise<void>;
}

export const UNOBSERVED: SequenceObserver = { ran: () => undefined, endPart: () => Promise.resolve() };

/** Thrown when the server itself has failed, so that its result cannot be compared. */
export class UnsoundError extends Error {}

/**
 * The kinds of statements and clauses that sequences leave out, separated by commas. By default, this is the
 * AUTO_INCREMENT number, because a deploy does not transfer it.
 */
const WITHOUT = (process.env['SCHEMA_CHANGES_WITHOUT'] ?? 'counter').split(',');
const STATEMENTS = 22;
const PARTS = 3;

/** Generates a sequence and removes the statements that the server rejects. The tables are not dropped. */
export async function takeSequence(
  plain: PlainServer,
  seed: number,
  prefix: string,
  observer: SequenceObserver,
): Promise<PlainRun & { readonly refused: number }> {
  const source = openChangeSequence({ engine: plain.engine, seed, prefix, without: WITHOUT });
  for (const { create, rows } of source.base) {
    await plain.connection.run(create);
    await plain.connection.run(rows);
    observer.ran(create);
  }
  await observer.endPart();
  const parts = Array.from({ length: PARTS }, () => ({ statements: [] as string[], rows: [] as string[] }));
  let rejected = 0;
  for (const [index, part] of parts.entries()) {
    const bound = Math.round((STATEMENTS * (index + 1)) / PARTS) - Math.round((STATEMENTS * index) / PARTS);
    for (let attempts = 0; part.statements.length < bound && attempts < 40; attempts += 1) {
      const proposed = source.next();
      if (await isTaken(plain, proposed.sql)) {
        proposed.accept();
        observer.ran(proposed.sql);
        part.statements.push(proposed.sql);
      } else rejected += 1;
    }
    await observer.endPart();
    if (index < PARTS - 1)
      for (const row of source.rows()) if (await isTaken(plain, row)) part.rows.push(row);
  }
  const base = source.base.map(({ create }) => create);
  const sequence = { seed, prefix, base, baseRows: source.base.map(({ rows }) => rows), parts };
  return {
    sequence,
    refused: rejected,
    contents: await readContents(plain.connection, plain.schemaName, prefix),
  };
}

async function isTaken({ connection }: PlainServer, sql: string): Promise<boolean> {
  try {
    await connection.run(sql);
    return true;
  } catch (error) {
    const fault = readServerFault(error);
    if (fault === null || fault.isConnectionLost) throw error;
    // MySQL 9.7 returns this error for some ALTERs that it applies anyway.
    if (fault.errno === NO_SUCH_TABLE && sql.startsWith('ALTER')) throw new UnsoundError(sql);
    return false;
  }
}

/**
 * Returns the result of the sequence on the server, and the statements that the server accepted. With
 * `isLater`, rows are inserted between the parts.
 */
export async function runPlain(
  plain: PlainServer,
  sequence: TakenSequence,
  isLater: boolean,
): Promise<PlainRun> {
  await dropTables(plain, sequence.prefix);
  const keepTaken = async (statements: readonly string[]): Promise<string[]> => {
    const taken: string[] = [];
    for (const sql of statements) if (await isTaken(plain, sql)) taken.push(sql);
    return taken;
  };
  const base = await keepTaken(sequence.base);
  const baseRows = await keepTaken(sequence.baseRows);
  const parts: { statements: string[]; rows: string[] }[] = [];
  for (const part of sequence.parts) {
    const statements = await keepTaken(part.statements);
    parts.push({ statements, rows: isLater ? await keepTaken(part.rows) : [] });
  }
  const contents = await readContents(plain.connection, plain.schemaName, sequence.prefix);
  return { sequence: { ...sequence, base, baseRows, parts }, contents };
}

export async function dropTables({ connection, schemaName }: PlainServer, prefix: string): Promise<void> {
  const tables = await connection.rows<{ name: string }>(
    'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND LEFT(TABLE_NAME, ?) = ?',
    [schemaName, String(prefix.length), prefix],
  );
  if (tables.length === 0) return;
  await connection.run('SET SESSION foreign_key_checks = 0');
  await connection.run(`DROP TABLE ${tables.map(({ name }) => quoteName(name)).join(', ')}`);
  await connection.run('SET SESSION foreign_key_checks = 1');
}
