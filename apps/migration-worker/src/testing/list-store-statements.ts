import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AdminPool } from '@rowhouse/mysql';
import * as stores from '@rowhouse/platform-store';

const SOURCES = fileURLToPath(new URL('../../../../libs/platform-store/src', import.meta.url));
/**
 * If a method has sent this number of statements, it is stopped. Some methods repeat a statement until it
 * changes nothing.
 */
const STATEMENTS_PER_CALL_MAX = 100;

/**
 * A value that is used for all arguments and all rows. It acts as an object, as a list with one item, and as
 * the number 1.
 */
const anything: unknown = new Proxy(() => anything, {
  apply: () => anything,
  get(_target, name) {
    if (name === 'then') return undefined;
    if (name === Symbol.toPrimitive || name === 'toJSON') return () => 1;
    // The stores compare these members with a number that they have read.
    if (name === 'base' || name === 'afterNumber') return 1;
    const items = [anything];
    const member = (items as unknown as Record<PropertyKey, unknown>)[name];
    if (member === undefined) return anything;
    return typeof member === 'function' ? (member as () => unknown).bind(items) : member;
  },
});

/** The arguments of the calls. Fewer arguments let a session default to the pool. */
const ARGUMENTS: readonly (readonly unknown[])[] = [
  [anything],
  [anything, anything],
  [anything, anything, anything],
  [anything, anything, anything, anything],
  [anything, 'published', null],
];

/** Decides, by the number of a statement within a call, whether it finds or changes rows. */
type Script = (statementNo: number) => boolean;

/** Scripts that make the calls take different branches. */
const SCRIPTS: readonly Script[] = [
  () => true,
  () => false,
  ...[1, 2, 3, 4].flatMap((no): Script[] => [
    (statementNo) => statementNo !== no,
    (statementNo) => statementNo === no,
    (statementNo) => statementNo > no,
    (statementNo) => statementNo <= no,
  ]),
];

/**
 * Calls every function of the platform stores with a pool that records statements. Returns the statements.
 * Errors of the calls are ignored, because the arguments and rows are not real.
 */
export async function listStoreStatements(): Promise<string[]> {
  const statements = new Set<string>();
  for (const script of SCRIPTS) await callStores(script, statements);
  return [...statements];
}

async function callStores(script: Script, statements: Set<string>): Promise<void> {
  let statementNo = 0;
  /** Records a statement and returns whether it finds or changes a row. */
  const record = (sql: string): boolean => {
    statementNo += 1;
    if (statementNo > STATEMENTS_PER_CALL_MAX) throw new Error('the call sends too many statements');
    statements.add(sql);
    return script(statementNo);
  };
  const pool = {
    rows: async (sql: string) => (record(sql) ? [anything] : []),
    run: async (sql: string) => ({ affectedRows: record(sql) ? 1 : 0, insertId: 1 }),
    transaction: (callback: (session: unknown) => Promise<unknown>) => callback(pool),
    close: async () => undefined,
  } as AdminPool;
  const call = async (run: () => unknown): Promise<unknown> => {
    statementNo = 0;
    try {
      return await run();
    } catch {
      return null;
    }
  };
  for (const [name, value] of Object.entries(stores)) {
    if (typeof value !== 'function' || /Error$/.test(name)) continue;
    const store = await call(() =>
      (value as (...args: unknown[]) => unknown)(pool, anything, anything, anything),
    );
    if (!name.startsWith('create') || typeof store !== 'object' || store === null) continue;
    for (const method of Object.values(store as Record<string, unknown>))
      if (typeof method === 'function')
        for (const args of ARGUMENTS) await call(() => (method as (...args: unknown[]) => unknown)(...args));
  }
}

/** Returns the beginning of each statement in the sources, up to its first expression. */
export function listStatementBeginnings(): string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  return files.flatMap((file) =>
    [
      ...readFileSync(join(SOURCES, file), 'utf8').matchAll(
        /[`'"]\s*((?:SELECT|INSERT|UPDATE|DELETE|REPLACE|WITH)\s[^`'"$]{12,})/g,
      ),
    ].map(([, sql]) => normalize(sql ?? '')),
  );
}

/** Returns the text with single spaces. */
export function normalize(sql: string): string {
  return sql.replaceAll(/\s+/g, ' ').trim();
}
