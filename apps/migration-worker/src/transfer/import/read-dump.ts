import { setImmediate as takeTurn } from 'node:timers/promises';
import { AppError } from '@rowhouse/errors';
import { introspectSchema, quoteName, readServerFault, type ServerFault } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import {
  createStatementReader,
  openInsert,
  stripCommentsSteps,
  type InsertHead,
  type InsertValue,
  type OpenInsert,
  type RawStatement,
} from '@rowhouse/query-engine';
import { runStepsInSlices } from '@rowhouse/schema-model';
import { cleanMessage } from '../../scratch/apply-schema-text.js';
import { mapCollation } from '../../scratch/map-collation.js';
import type { ScratchDatabase } from '../../scratch/scratch-database.js';
import { checkCharacters } from '../../scratch/unstorable-characters.js';
import type { ChunkWriter } from '../chunk-writer.js';
import { readNextNumber } from '../../snapshots/read-next-number.js';
import { DumpChunks, type DumpPart } from './decode-dump.js';
import { decodeText, type DumpCharset } from './dump-bytes.js';
import { DumpDatabase } from './dump-database.js';
import type { ImportReport } from './import-report.js';
import { prepareStatement } from './prepare-statement.js';
import { RowWriter, VERBS, type KnownColumns } from './row-writer.js';
import { isWide, lostCharacters } from './wide-charsets.js';

/** The maximum size of a statement. Only one is in memory at a time. */
const STATEMENT_CHARS_MAX = 32 * 1024 * 1024;
const STATEMENTS_MAX = 2_000;
const SCHEMA_CHARS_MAX = 1_048_576;
/** The maximum number of cached tables, including missing ones. */
const COLUMNS_KNOWN_MAX = 5_000;

const ROWS = /^(INSERT|REPLACE)\b/i;
/** Matches an INSERT inside a comment that a server may run. */
const WRAPPED_ROWS = /^\/\*m?!\d*\s*(INSERT|REPLACE)\b/i;
const ROWS_OF = /\bINTO\s+`?([^`\s(]{1,64})/i;

export interface ParsedDump {
  /** The DDL that the scratch database accepted, in order. */
  readonly taken: readonly string[];
  /** By table: the next AUTO_INCREMENT number of the dump. */
  readonly nextNumbers: ReadonlyMap<string, string>;
  /**
   * Triggers on INSERT that the dump creates before it inserts into their tables,
   * so that they act on its rows.
   */
  readonly actingTriggers: readonly string[];
}

export interface DumpTarget {
  readonly scratch: ScratchDatabase;
  readonly server: WorkerServer;
  readonly writer: ChunkWriter;
  readonly report: ImportReport;
}

/** A table for rows, or null for a missing one. */
type Columns = KnownColumns | null;

const TEXT_TYPES: ReadonlySet<string> = new Set([
  'char',
  'varchar',
  'tinytext',
  'text',
  'mediumtext',
  'longtext',
  'enum',
  'set',
  'json',
]);

/**
 * Reads a dump from start to end. Its DDL goes into the scratch database, where only the engine decides, and
 * its rows go into the file. Nothing else is run.
 */
export async function readDump(parts: AsyncIterable<DumpPart>, target: DumpTarget): Promise<ParsedDump> {
  const walk = new DumpWalk(target);
  const reader = createStatementReader(STATEMENT_CHARS_MAX);
  const chunks = new DumpChunks(() => walk.lineCharset);
  const takeAll = async (statements: readonly RawStatement[]): Promise<void> => {
    for (const statement of statements) await walk.take(statement);
  };
  for await (const { text, isUnicode } of parts) {
    walk.isUnicode = isUnicode;
    for (const chunk of chunks.push(text)) await takeAll(reader.push(chunk));
  }
  for (const chunk of chunks.end()) await takeAll(reader.push(chunk));
  await takeAll(reader.end());
  await walk.finish();
  return {
    taken: walk.taken,
    nextNumbers: await walk.readNextNumbers(),
    actingTriggers: [...walk.actingTriggers],
  };
}

class DumpWalk {
  readonly taken: string[] = [];
  readonly actingTriggers = new Set<string>();
  /**
   * True when the file is UTF-16. The character sets that it names belong to the
   * file that it was converted from.
   */
  isUnicode = false;
  private charset: DumpCharset = 'utf8';
  private namesCharset: DumpCharset = 'utf8';
  /** An unsupported character set of the dump. Statements beyond ASCII are left out. */
  private unreadCharset: string | null = null;
  private readonly database = new DumpDatabase();
  private lastInsert = '';
  /** By the database's name in lower case. */
  private readonly defaults = new Map<string, { readonly options: string; readonly line: number }>();
  private keepsZero = false;
  private statements = 0;
  private chars = 0;
  private columns = new Map<string, Columns>();
  private waiting: { sql: string; line: number; name: string; fault: ServerFault }[] = [];

  constructor(private readonly target: DumpTarget) {}

  async take(statement: RawStatement): Promise<void> {
    const { report, server } = this.target;
    const raw = await this.unwrapRows(statement);
    if (raw === null) return;
    if (this.unreadCharset !== null && /[^\0-\x7f]/.test(raw.text))
      return report.count(`Statements with texts in ${this.unreadCharset} were left out.`);
    if (ROWS.test(raw.text)) return this.takeRows(raw);
    if (this.isDecoded && lostCharacters(raw.text))
      return report.problem(
        raw.line,
        '',
        `The statement holds bytes that are no text in ${this.isUnicode ? 'UTF-16' : this.charset}. Dump with --default-character-set=utf8mb4.`,
      );
    for (const prepared of prepareStatement(
      raw,
      { server, charset: this.textCharset, database: this.database },
      report,
    )) {
      if (prepared.kind === 'mode') this.keepsZero = prepared.keepsZero;
      else if (prepared.kind === 'charset') this.changeCharset(prepared);
      else if (prepared.kind === 'unread') this.refuseCharset(prepared);
      else if (prepared.kind === 'defaults')
        this.defaults.set(
          prepared.database?.toLowerCase() ?? this.database.name?.toLowerCase() ?? '',
          prepared,
        );
      else await this.takeDdl(prepared);
    }
  }

  /**
   * Returns an INSERT with executable comments as this engine would run it, or null if it is only a comment.
   */
  private async unwrapRows(raw: RawStatement): Promise<RawStatement | null> {
    if (raw.isCut || !/\/\*m?!/i.test(raw.text) || !(ROWS.test(raw.text) || WRAPPED_ROWS.test(raw.text)))
      return raw;
    const { engine, engineVersion: version } = this.target.server;
    try {
      const text = await runStepsInSlices(stripCommentsSteps(raw.text, { engine, version }), () =>
        takeTurn(),
      );
      const start = text.search(/\S/);
      return start === -1
        ? null
        : { ...raw, text: text.slice(start), line: raw.line + countLines(text, start) };
    } catch (error) {
      this.target.report.problem(
        raw.line,
        '',
        error instanceof Error ? error.message : 'The statement cannot be read.',
      );
      return null;
    }
  }

  /** The character set for the next lines. */
  get lineCharset(): string {
    return this.unreadCharset ?? this.charset;
  }

  /** The character set of statements as they arrive. Statements in wide character sets are already UTF-8. */
  private get textCharset(): DumpCharset {
    return isWide(this.charset) ? 'utf8' : this.charset;
  }

  private get isDecoded(): boolean {
    return this.isUnicode || isWide(this.charset);
  }

  private changeCharset(change: { readonly charset: DumpCharset | null; readonly isNames?: boolean }): void {
    if (this.isUnicode) return;
    this.charset = change.charset ?? this.namesCharset;
    if (change.isNames !== true) return;
    this.namesCharset = this.charset;
    this.unreadCharset = null;
  }

  private refuseCharset({ charset, line }: { readonly charset: string; readonly line: number }): void {
    if (this.isUnicode) return;
    this.unreadCharset = charset.toLowerCase();
    this.target.report.problem(
      line,
      charset,
      'Texts of this character set are not read. Dump with --default-character-set=utf8mb4, or save the file as UTF-8 and change SET NAMES to utf8mb4.',
    );
  }

  /** Retries statements that waited for later ones, and handles keys to tables that never came. */
  async finish(): Promise<void> {
    for (let before = -1; this.waiting.length > 0 && this.waiting.length !== before;) {
      before = this.waiting.length;
      const again = this.waiting;
      this.waiting = [];
      for (const statement of again) await this.run(statement);
    }
    for (const { line, name, fault } of this.waiting) this.target.report.problem(line, name, this.say(fault));
    await this.dropDangling();
    await this.target.writer.flush();
  }

  async readNextNumbers(): Promise<Map<string, string>> {
    const { scratch } = this.target;
    const numbers = new Map<string, string>();
    const counted = `SELECT TABLE_NAME AS name FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND EXTRA LIKE '%auto_increment%'`;
    for (const { name } of await scratch.connection.rows<{ name: string }>(counted, [scratch.schemaName])) {
      const next = await readNextNumber(scratch.connection, quoteName(name));
      if (next !== null) numbers.set(name, next);
    }
    return numbers;
  }

  private async takeDdl(statement: { sql: string; line: number; name: string }): Promise<void> {
    this.statements += 1;
    this.chars += statement.sql.length;
    if (this.statements > STATEMENTS_MAX || this.chars > SCHEMA_CHARS_MAX) {
      this.target.report.problem(
        statement.line,
        statement.name,
        'A schema has at most 2,000 statements and 1 MiB: this one was left out.',
      );
      return;
    }
    await this.applyDefaults();
    await this.run(statement);
  }

  /** Tables get the character set of their database unless they name one. */
  private async applyDefaults(): Promise<void> {
    const name = this.database.name?.toLowerCase() ?? '';
    const defaults = this.defaults.get(name);
    if (defaults === undefined) return;
    this.defaults.delete(name);
    const { scratch, server, report } = this.target;
    for (let sql = `ALTER DATABASE ${quoteName(scratch.schemaName)} ${defaults.options}`; ;) {
      try {
        await scratch.connection.run(sql);
        return;
      } catch (error) {
        const fault = readServerFault(error);
        if (fault === null || fault.isConnectionLost) throw error;
        const mapped = mapCollation(sql, fault, server.engine);
        if (mapped === null) return report.problem(defaults.line, this.database.name ?? '', this.say(fault));
        sql = mapped.sql;
      }
    }
  }

  private async run(statement: { sql: string; line: number; name: string }): Promise<void> {
    const { scratch, server, report } = this.target;
    this.reportCharacters(statement);
    // The statement may change tables, so rows read their columns again.
    this.columns.clear();
    for (let { sql } = statement; ;) {
      try {
        await scratch.connection.run(sql);
        this.taken.push(sql);
        return;
      } catch (error) {
        const fault = readServerFault(error);
        if (fault === null || fault.isConnectionLost) throw error;
        const mapped = mapCollation(sql, fault, server.engine);
        if (mapped === null) return this.reject(statement, fault);
        report.count(`The collation ${mapped.from} is not known to this server: ${mapped.to} is used.`);
        sql = mapped.sql;
      }
    }
  }

  /**
   * Reports characters that the server would lose. An import accepts the definition anyway: a table with `?`
   * in one label still keeps its other rows.
   */
  private reportCharacters({ sql, line, name }: { sql: string; line: number; name: string }): void {
    try {
      for (const note of checkCharacters(sql, this.target.server.engine, line)) this.target.report.note(note);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.target.report.problem(line, name, error.detail);
    }
  }

  private reject(statement: { sql: string; line: number; name: string }, fault: ServerFault): void {
    // The missing table, routine or key may follow later.
    if ([1005, 1146, 1215, 1305, 1824].includes(fault.errno)) this.waiting.push({ ...statement, fault });
    else this.target.report.problem(statement.line, statement.name, this.say(fault));
  }

  private say(fault: ServerFault): string {
    return cleanMessage(fault.message.replace(/ at line \d+$/, ''), this.target.scratch.schemaName);
  }

  private async takeRows(raw: RawStatement): Promise<void> {
    const { report } = this.target;
    if (raw.isCut)
      return report.problem(
        raw.line,
        '',
        'An INSERT longer than 32 MiB is not taken: dump with --net-buffer-length=1M.',
      );
    const insert = openInsert(raw.text);
    const head = insert.head === null ? null : this.decodeHead(insert.head);
    const name = head?.table ?? ROWS_OF.exec(raw.text.slice(0, 300))?.[1] ?? '';
    const other = head?.database ?? this.database.findOther();
    if (typeof head?.database !== 'string' && other !== null) return report.skipOther(raw.line, other);
    const whole = head === null ? null : await findWholeFault(raw.text);
    if (head !== null && whole === null) await this.writeRows(raw.line, head, this.listRows(insert));
    const fault = whole ?? insert.fault();
    const ending =
      fault?.isComplete === true || head === null ? '' : ' The statement is left out from here on.';
    if (fault !== null)
      report.problem(raw.line + countLines(raw.text, fault.offset), name, `${fault.reason}${ending}`);
  }

  /** Decodes names, which are in the dump's character set and were read byte by byte. */
  private decodeHead({ verb, database, table, columns }: InsertHead): InsertHead {
    const decode = (name: string): string => decodeText(name, this.textCharset) ?? name;
    return {
      verb,
      database: database === null ? null : decode(database),
      table: decode(table),
      columns: columns?.map(decode) ?? null,
    };
  }

  /** Yields rows one by one, since a statement may have more than fit in memory. */
  private *listRows(insert: OpenInsert): Generator<InsertValue[], void> {
    for (let row = insert.next(); row !== null; row = insert.next()) yield row;
  }

  private async writeRows(line: number, head: InsertHead, rows: Iterable<InsertValue[]>): Promise<void> {
    const { report } = this.target;
    if (head.database !== null && !this.database.adopt(head.database))
      return report.leaveOut(
        line,
        head.table,
        `It is in another database, ${head.database}`,
        await countRows(rows),
      );
    const columns = await this.findColumns(head.table);
    if (columns === null)
      return report.leaveOut(
        line,
        head.table,
        'There is no such table: import the file that creates it first, in one text with this one or before it',
        await countRows(rows),
      );
    const names = (head.columns ?? columns.all).map(
      (name) => columns.spelled.get(name.toLowerCase()) ?? name,
    );
    const unknown = names.find((name) => !columns.known.has(name));
    if (unknown !== undefined)
      return report.leaveOut(line, head.table, `The table has no column ${unknown}`, await countRows(rows));
    for (const trigger of columns.triggers) this.actingTriggers.add(trigger);
    const row = new RowWriter(head, names, columns, { charset: this.textCharset, keepsZero: this.keepsZero });
    for await (const values of inSlices(rows)) {
      if (values.length !== names.length)
        report.leaveOut(line, head.table, `A row has ${values.length} values for ${names.length} columns`, 1);
      else if (this.isDecoded && row.findDamaged(values) !== undefined)
        report.leaveOut(
          line,
          head.table,
          `${row.findDamaged(values)} holds bytes that a file in ${this.isUnicode ? 'UTF-16' : this.charset} does not keep. Dump with --hex-blob --default-character-set=utf8mb4 --result-file=dump.sql`,
          1,
        );
      else if (row.findNoText(values) !== undefined)
        report.leaveOut(
          line,
          head.table,
          `${row.findNoText(values)} holds a text that is not in the dump's character set (${this.charset}). Put SET NAMES with the right one, such as latin1, at the start of the file`,
          1,
        );
      else await this.writeRow(head, row, values);
    }
  }

  private async writeRow(head: InsertHead, row: RowWriter, values: readonly InsertValue[]): Promise<void> {
    const { writer } = this.target;
    const insert = row.insertOf(values);
    // The writer groups rows by their INSERT.
    // Rows that take the next number, or may change others, keep their order.
    if (
      insert !== this.lastInsert &&
      (row.takesNumber(values) || head.verb !== 'insert' || !this.lastInsert.startsWith(VERBS.insert))
    )
      await writer.flush();
    this.lastInsert = insert;
    await writer.add(head.table, insert, row.valuesOf(values));
  }

  private async findColumns(table: string): Promise<Columns> {
    const known = this.columns.get(table);
    if (known !== undefined) return known;
    const { scratch, server } = this.target;
    const [found] = await introspectSchema(scratch.connection, scratch.schemaName, server.engine, table);
    const columns: Columns =
      found?.kind !== 'table'
        ? null
        : {
            // Without a column list, invisible columns are not included.
            all: found.columns.filter((column) => !column.invisible).map((column) => column.name),
            known: new Set(found.columns.map((column) => column.name)),
            carried: new Set(
              found.columns.filter((column) => column.generated === null).map((column) => column.name),
            ),
            enums: new Set(
              found.columns.filter((column) => column.type === 'enum').map((column) => column.name),
            ),
            texts: new Set(
              found.columns.filter((column) => TEXT_TYPES.has(column.type)).map((column) => column.name),
            ),
            spelled: new Map(found.columns.map((column) => [column.name.toLowerCase(), column.name])),
            counted: found.columns.find((column) => column.autoIncrement)?.name,
            triggers: (found.triggers ?? [])
              .filter((trigger) => trigger.event === 'INSERT')
              .map((trigger) => trigger.name),
          };
    if (this.columns.size >= COLUMNS_KNOWN_MAX) this.columns.clear();
    this.columns.set(table, columns);
    return columns;
  }

  private async dropDangling(): Promise<void> {
    const { scratch, server, report } = this.target;
    const tables = await introspectSchema(scratch.connection, scratch.schemaName, server.engine);
    const present = new Map(
      tables.map((table) => [table.name, new Set(table.columns.map((column) => column.name))]),
    );
    for (const table of tables) {
      for (const key of table.foreignKeys) {
        if (key.referencedColumns.every((name) => present.get(key.referencedTable)?.has(name))) continue;
        await scratch.connection.run(
          `ALTER TABLE ${quoteName(table.name)} DROP FOREIGN KEY ${quoteName(key.name)}`,
        );
        report.problem(
          1,
          table.name,
          `The foreign key ${key.name} leads to ${key.referencedTable}, which is not there: it was left out.`,
        );
      }
    }
  }
}

/**
 * Returns why all rows of the statement are left out, or null when rows can be written while they are read.
 */
async function findWholeFault(text: string): Promise<ReturnType<OpenInsert['fault']>> {
  if (!/\bON\s+DUPLICATE\s/i.test(text)) return null;
  const trial = openInsert(text);
  await countRows({
    *[Symbol.iterator]() {
      for (let row = trial.next(); row !== null; row = trial.next()) yield row;
    },
  });
  const fault = trial.fault();
  return fault?.isComplete === true ? fault : null;
}

function countLines(text: string, to: number): number {
  let lines = 0;
  for (let index = text.indexOf('\n'); index !== -1 && index < to; index = text.indexOf('\n', index + 1))
    lines += 1;
  return lines;
}

/** The number of rows after which other tasks may run. */
const ROWS_PER_TURN = 5_000;

async function* inSlices<T>(rows: Iterable<T>): AsyncGenerator<T, void> {
  let seen = 0;
  for (const row of rows) {
    yield row;
    seen += 1;
    if (seen % ROWS_PER_TURN === 0) await takeTurn();
  }
}

async function countRows(rows: Iterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _row of inSlices(rows)) count += 1;
  return count;
}
