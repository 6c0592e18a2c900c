import { setImmediate as takeTurn } from 'node:timers/promises';
import { introspectSchema, quoteName, readServerFault, type ServerFault } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { createStatementReader, openInsert, type InsertHead, type OpenInsert, type RawStatement } from '@rowhouse/query-engine';
import { cleanMessage } from '../../scratch/apply-schema-text.js';
import { mapCollation } from '../../scratch/map-collation.js';
import type { ScratchDatabase } from '../../scratch/scratch-database.js';
import type { ChunkWriter } from '../chunk-writer.js';
import { decodeText, toSqlValue, type DumpCharset } from './dump-bytes.js';
import type { ImportReport } from './import-report.js';
import { prepareStatement } from './prepare-statement.js';

/** One statement of a dump is held at a time. */
const STATEMENT_CHARS_MAX = 32 * 1024 * 1024;
const STATEMENTS_MAX = 2_000;
const SCHEMA_CHARS_MAX = 1_048_576;
/** Tables that rows were found for lately, whether or not they are there. */
const COLUMNS_KNOWN_MAX = 5_000;

const ROWS_OF = /\bINTO\s+`?([^`\s(]{1,64})/i;

export interface DumpReading {
  /** DDL that the scratch database took, in its order. */
  readonly taken: readonly string[];
}

export interface DumpTarget {
  readonly scratch: ScratchDatabase;
  readonly server: WorkerServer;
  readonly writer: ChunkWriter;
  readonly report: ImportReport;
}

/** A table as rows find it: null for one that is not there. */
type Columns = { readonly all: readonly string[]; readonly known: ReadonlySet<string>; readonly carried: ReadonlySet<string>; readonly enums: ReadonlySet<string> } | null;

/**
 * Reads a dump from start to end: its DDL into the scratch database, where the engine is the only judge, its rows into
 * the file. Nothing else of it is run anywhere.
 */
export async function readDump(parts: AsyncIterable<string>, target: DumpTarget): Promise<DumpReading> {
  const walk = new DumpWalk(target);
  const reader = createStatementReader(STATEMENT_CHARS_MAX);
  for await (const part of parts) for (const statement of reader.push(part)) await walk.take(statement);
  for (const statement of reader.end()) await walk.take(statement);
  await walk.finish();
  return { taken: walk.taken };
}

class DumpWalk {
  readonly taken: string[] = [];
  private charset: DumpCharset = 'utf8';
  /** The first database that the dump names; others are left out. */
  private home: string | null = null;
  private current: string | null = null;
  private statements = 0;
  private chars = 0;
  private columns = new Map<string, Columns>();
  private waiting: { sql: string; line: number; name: string; fault: ServerFault }[] = [];

  constructor(private readonly target: DumpTarget) {}

  async take(raw: RawStatement): Promise<void> {
    const { report, server } = this.target;
    if (/^(INSERT|REPLACE)\b/i.test(raw.text)) return this.takeRows(raw);
    for (const prepared of prepareStatement(raw, server, this.charset, report)) {
      if (prepared.kind === 'charset') this.charset = prepared.charset;
      else if (prepared.kind === 'database') this.enter(prepared.name);
      else if (this.isElsewhere()) report.skipOther(prepared.line, this.current ?? '');
      else await this.takeDdl(prepared);
    }
  }

  /** What waited for what came behind it, and keys onto tables that never came. */
  async finish(): Promise<void> {
    for (let before = -1; this.waiting.length > 0 && this.waiting.length !== before; ) {
      before = this.waiting.length;
      const again = this.waiting;
      this.waiting = [];
      for (const statement of again) await this.run(statement);
    }
    for (const { line, name, fault } of this.waiting) this.target.report.problem(line, name, this.say(fault));
    await this.dropDangling();
    await this.target.writer.flush();
  }

  private enter(name: string): void {
    this.home ??= name;
    this.current = name;
  }

  private isElsewhere(): boolean {
    return this.current !== null && this.current !== this.home;
  }

  private async takeDdl(statement: { sql: string; line: number; name: string }): Promise<void> {
    this.statements += 1;
    this.chars += statement.sql.length;
    if (this.statements > STATEMENTS_MAX || this.chars > SCHEMA_CHARS_MAX) {
      this.target.report.problem(statement.line, statement.name, 'A schema has at most 2,000 statements and 1 MiB: this one was left out.');
      return;
    }
    await this.run(statement);
  }

  private async run(statement: { sql: string; line: number; name: string }): Promise<void> {
    const { scratch, server, report } = this.target;
    // Whatever it changes, rows that come next look anew.
    this.columns.clear();
    for (let { sql } = statement; ; ) {
      try {
        await scratch.connection.run(sql);
        this.taken.push(sql);
        return;
      } catch (error) {
        const fault = readServerFault(error);
        if (fault === null || fault.isConnectionLost) throw error;
        const mapped = mapCollation(sql, fault, server.engine);
        if (mapped === null) return this.refuse(statement, fault);
        report.count(`The collation ${mapped.from} is not known to this server: ${mapped.to} is used.`);
        sql = mapped.sql;
      }
    }
  }

  private refuse(statement: { sql: string; line: number; name: string }, fault: ServerFault): void {
    // Unknown table, routine or key: it may yet come.
    if ([1005, 1146, 1215, 1305, 1824].includes(fault.errno)) this.waiting.push({ ...statement, fault });
    else this.target.report.problem(statement.line, statement.name, this.say(fault));
  }

  private say(fault: ServerFault): string {
    return cleanMessage(fault.message.replace(/ at line \d+$/, ''), this.target.scratch.schemaName);
  }

  private async takeRows(raw: RawStatement): Promise<void> {
    const { report } = this.target;
    if (this.isElsewhere()) return report.skipOther(raw.line, this.current ?? '');
    if (raw.isCut) return report.problem(raw.line, '', 'An INSERT longer than 32 MiB is not taken: dump with --net-buffer-length=1M.');
    const insert = openInsert(raw.text);
    const head = insert.head === null ? null : this.decodeHead(insert.head);
    if (head !== null) await this.writeRows(raw.line, head, this.listRows(insert));
    const fault = insert.fault();
    const name = head?.table ?? ROWS_OF.exec(raw.text.slice(0, 300))?.[1] ?? '';
    if (fault !== null) report.problem(raw.line + countLines(raw.text, fault.offset), name, `${fault.reason} The statement is left out from here on.`);
  }

  /** Names are text in the dump's character set, which was read byte by byte. */
  private decodeHead({ database, table, columns }: InsertHead): InsertHead {
    const decode = (name: string): string => decodeText(name, this.charset) ?? name;
    return { database: database === null ? null : decode(database), table: decode(table), columns: columns?.map(decode) ?? null };
  }

  /** Row by row: a statement may have more of them than there is memory for. */
  private *listRows(insert: OpenInsert): Generator<string[], void> {
    for (let row = insert.next(); row !== null; row = insert.next()) yield row.map((value) => toSqlValue(value, this.charset));
  }

  private async writeRows(line: number, head: InsertHead, rows: Iterable<string[]>): Promise<void> {
    const { report, writer } = this.target;
    if (head.database !== null && head.database !== this.home) return report.leaveOut(line, head.table, `It is in another database, ${head.database}`, await countRows(rows));
    const columns = await this.findColumns(head.table);
    if (columns === null) return report.leaveOut(line, head.table, 'The dump does not make this table, or it was not taken', await countRows(rows));
    const names = head.columns ?? columns.all;
    const unknown = names.find((name) => !columns.known.has(name));
    if (unknown !== undefined) return report.leaveOut(line, head.table, `The table has no column ${unknown}`, await countRows(rows));
    const kept = names.flatMap((name, at) => (columns.carried.has(name) ? [at] : []));
    const enums = kept.filter((at) => columns.enums.has(names[at] ?? ''));
    const into = `INTO ${quoteName(head.table)} (${kept.map((at) => quoteName(names[at] ?? '')).join(', ')}) VALUES\n`;
    for await (const row of inTurns(rows)) {
      if (row.length !== names.length) report.leaveOut(line, head.table, `A row has ${row.length} values for ${names.length} columns`, 1);
      else await writer.add(head.table, `INSERT ${enums.some((at) => isEmptyLabel(row[at])) ? 'IGNORE ' : ''}${into}`, kept.map((at) => row[at]).join(','));
    }
  }

  private async findColumns(table: string): Promise<Columns> {
    const known = this.columns.get(table);
    if (known !== undefined) return known;
    const { scratch, server } = this.target;
    const [found] = await introspectSchema(scratch.connection, scratch.schemaName, server.engine, table);
    const columns: Columns = found?.kind !== 'table' ? null : {
      // Without a list, invisible columns take no part.
      all: found.columns.filter((column) => !column.invisible).map((column) => column.name),
      known: new Set(found.columns.map((column) => column.name)),
      carried: new Set(found.columns.filter((column) => column.generated === null).map((column) => column.name)),
      enums: new Set(found.columns.filter((column) => column.type === 'enum').map((column) => column.name)),
    };
    if (this.columns.size >= COLUMNS_KNOWN_MAX) this.columns.clear();
    this.columns.set(table, columns);
    return columns;
  }

  private async dropDangling(): Promise<void> {
    const { scratch, server, report } = this.target;
    const tables = await introspectSchema(scratch.connection, scratch.schemaName, server.engine);
    const present = new Map(tables.map((table) => [table.name, new Set(table.columns.map((column) => column.name))]));
    for (const table of tables) {
      for (const key of table.foreignKeys) {
        if (key.referencedColumns.every((name) => present.get(key.referencedTable)?.has(name))) continue;
        await scratch.connection.run(`ALTER TABLE ${quoteName(table.name)} DROP FOREIGN KEY ${quoteName(key.name)}`);
        report.problem(1, table.name, `The foreign key ${key.name} leads to ${key.referencedTable}, which is not there: it was left out.`);
      }
    }
  }
}

/** The empty value of legacy data, which a strict session takes by INSERT IGNORE only. */
function isEmptyLabel(value: string | undefined): boolean {
  return value === "''" || value === '0';
}

function countLines(text: string, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** Whoever sends many rows leaves others a turn between them. */
const ROWS_PER_TURN = 5_000;

async function* inTurns<T>(rows: Iterable<T>): AsyncGenerator<T, void> {
  let seen = 0;
  for (const row of rows) {
    yield row;
    seen += 1;
    if (seen % ROWS_PER_TURN === 0) await takeTurn();
  }
}

async function countRows(rows: Iterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _row of inTurns(rows)) count += 1;
  return count;
}
