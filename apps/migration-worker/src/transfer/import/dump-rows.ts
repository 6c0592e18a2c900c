import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { introspectSchema } from '@rowhouse/mysql';
import {
  openInsert,
  type InsertHead,
  type InsertValue,
  type OpenInsert,
  type RawStatement,
} from '@rowhouse/query-engine';
import { decodeText } from './dump-bytes.js';
import type { DumpCharsets } from './dump-charsets.js';
import type { DumpDatabase } from './dump-database.js';
import type { DumpTarget } from './dump-definitions.js';
import { RowWriter, VERBS, type KnownColumns } from './row-writer.js';

/** The maximum number of cached tables, including missing ones. */
const COLUMNS_KNOWN_MAX = 5_000;

const ROWS_OF = /\bINTO\s+`?([^`\s(]{1,64})/i;

/** The number of rows that are written before other tasks get time to run. */
const ROWS_PER_SLICE = 5_000;

/** The columns of a table; null for a missing table. */
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

/** Writes the rows of a dump's INSERT and REPLACE statements to the file of an import. */
export class DumpRows {
  /** Triggers on INSERT that the dump creates before it inserts into their tables. */
  readonly actingTriggers = new Set<string>();
  /** Whether the dump's SQL mode stores 0 unchanged in AUTO_INCREMENT columns. */
  keepsZero = false;
  private lastInsert = '';
  private columns = new Map<string, Columns>();

  constructor(
    private readonly target: DumpTarget,
    private readonly charsets: DumpCharsets,
    private readonly database: DumpDatabase,
  ) {}

  /** Clears the cached columns, because a statement may have changed tables. */
  clearColumns(): void {
    this.columns.clear();
  }

  /** Writes the rows of a statement and reports the rows that are omitted. */
  async write(raw: RawStatement): Promise<void> {
    const { report } = this.target;
    if (raw.isCut)
      return report.problem(
        raw.line,
        '',
        'An INSERT can have at most 32 MiB. Create the dump with --net-buffer-length=1M.',
      );
    const insert = openInsert(raw.text);
    const head = insert.head === null ? null : this.decodeHead(insert.head);
    const name = head?.table ?? ROWS_OF.exec(raw.text.slice(0, 300))?.[1] ?? '';
    const other = head?.database ?? this.database.findOther();
    if (typeof head?.database !== 'string' && other !== null) return report.skipOther(raw.line, other);
    const statementFault = head === null ? null : await findStatementFault(raw.text);
    if (head !== null && statementFault === null) await this.writeRows(raw.line, head, this.listRows(insert));
    const fault = statementFault ?? insert.fault();
    const ending =
      fault?.isWholeStatement === true || head === null ? '' : ' The rest of the statement was omitted.';
    if (fault !== null)
      report.problem(raw.line + countLines(raw.text, fault.offset), name, `${fault.reason}${ending}`);
  }

  /** Decodes names. They are in the dump's character set, but were read byte by byte. */
  private decodeHead({ verb, database, table, columns }: InsertHead): InsertHead {
    const decode = (name: string): string => decodeText(name, this.charsets.text) ?? name;
    return {
      verb,
      database: database === null ? null : decode(database),
      table: decode(table),
      columns: columns?.map(decode) ?? null,
    };
  }

  /** Yields rows one by one, because a statement may have more rows than fit in memory. */
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
        'The table does not exist. Import the file that creates it first',
        await countRows(rows),
      );
    const names = (head.columns ?? columns.all).map(
      (name) => columns.spelled.get(name.toLowerCase()) ?? name,
    );
    const unknown = names.find((name) => !columns.known.has(name));
    if (unknown !== undefined)
      return report.leaveOut(line, head.table, `The table has no column ${unknown}`, await countRows(rows));
    for (const trigger of columns.triggers) this.actingTriggers.add(trigger);
    const row = new RowWriter(head, names, columns, {
      charset: this.charsets.text,
      keepsZero: this.keepsZero,
    });
    for await (const values of inSlices(rows)) {
      if (values.length !== names.length)
        report.leaveOut(line, head.table, `A row has ${values.length} values for ${names.length} columns`, 1);
      else if (this.charsets.isDecoded && row.findDamaged(values) !== undefined)
        report.leaveOut(
          line,
          head.table,
          `${row.findDamaged(values)} has bytes that a file in ${this.charsets.name} cannot contain. ` +
            'Create the dump with --hex-blob --default-character-set=utf8mb4 --result-file=dump.sql',
          1,
        );
      else if (row.findNoText(values) !== undefined)
        report.leaveOut(
          line,
          head.table,
          `${row.findNoText(values)} has text that is not in the dump's character set ` +
            `(${this.charsets.name}). Add SET NAMES with the correct one, such as latin1, at the start ` +
            'of the file',
          1,
        );
      else await this.writeRow(head, row, values);
    }
  }

  private async writeRow(head: InsertHead, row: RowWriter, values: readonly InsertValue[]): Promise<void> {
    const { writer } = this.target;
    const insert = row.insertOf(values);
    // The writer groups rows by the beginning of their INSERT, which may change the order. The order matters
    // for rows that get their AUTO_INCREMENT number from the server, and for rows that may change other rows.
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
            // An INSERT without a list of columns has no values for invisible columns.
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
}

/**
 * Returns why all rows of the statement are omitted. Returns null when rows can be written while they are
 * read.
 */
async function findStatementFault(text: string): Promise<ReturnType<OpenInsert['fault']>> {
  if (!/\bON\s+DUPLICATE\s/i.test(text)) return null;
  const trial = openInsert(text);
  await countRows({
    *[Symbol.iterator]() {
      for (let row = trial.next(); row !== null; row = trial.next()) yield row;
    },
  });
  const fault = trial.fault();
  return fault?.isWholeStatement === true ? fault : null;
}

/** Returns the number of line breaks before an offset. */
export function countLines(text: string, to: number): number {
  let lines = 0;
  for (let index = text.indexOf('\n'); index !== -1 && index < to; index = text.indexOf('\n', index + 1))
    lines += 1;
  return lines;
}

async function* inSlices<T>(rows: Iterable<T>): AsyncGenerator<T, void> {
  let seen = 0;
  for (const row of rows) {
    yield row;
    seen += 1;
    if (seen % ROWS_PER_SLICE === 0) await yieldToEventLoop();
  }
}

async function countRows(rows: Iterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _row of inSlices(rows)) count += 1;
  return count;
}
