import { AppError } from '@rowhouse/errors';
import { introspectSchema, quoteName, readServerFault, type ServerFault } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { cleanMessage, mapCollation } from '../../scratch/apply-schema-text.js';
import { checkCharacters } from '../../scratch/unstorable-characters.js';
import type { ScratchDatabase } from '../../scratch/scratch-database.js';
import type { ChunkWriter } from '../chunk-writer.js';
import { readNextNumber } from '../../snapshots/table-statistics.js';
import type { DumpDatabase } from './dump-database.js';
import type { ImportReport } from './import-report.js';

const STATEMENTS_MAX = 2_000;
const SCHEMA_CHARS_MAX = 1_048_576;
/** Errors for a missing table, routine or key. The dump may create the missing object later. */
const MISSING_OBJECT_ERRORS: readonly number[] = [1005, 1146, 1215, 1305, 1824];

/** The destinations of a dump's definitions, rows and problems. */
export interface DumpTarget {
  readonly scratch: ScratchDatabase;
  readonly server: WorkerServer;
  readonly writer: ChunkWriter;
  readonly report: ImportReport;
}

export interface Definition {
  readonly sql: string;
  readonly line: number;
  /** The name of the defined object, or an empty string. */
  readonly name: string;
}

/** Applies the DDL of a dump to the scratch database, where only the engine decides what is valid. */
export class DumpDefinitions {
  /** The statements that the scratch database accepted, in order. */
  readonly accepted: string[] = [];
  /** The default options of each database, by the database's name in lower case. */
  private readonly defaults = new Map<string, { readonly options: string; readonly line: number }>();
  private statements = 0;
  private chars = 0;
  private waiting: (Definition & { readonly fault: ServerFault })[] = [];

  constructor(
    private readonly target: DumpTarget,
    private readonly database: DumpDatabase,
    private readonly onChange: () => void,
  ) {}

  /** Sets the options of a database, or of the current one if `database` is null. */
  setDefaults(defaults: {
    readonly database: string | null;
    readonly options: string;
    readonly line: number;
  }): void {
    this.defaults.set(defaults.database?.toLowerCase() ?? this.database.name?.toLowerCase() ?? '', defaults);
  }

  /** Applies a statement, or reports why it is omitted. */
  async apply(statement: Definition): Promise<void> {
    this.statements += 1;
    this.chars += statement.sql.length;
    if (this.statements > STATEMENTS_MAX || this.chars > SCHEMA_CHARS_MAX) {
      this.target.report.problem(
        statement.line,
        statement.name,
        'A schema can have at most 2,000 statements and 1 MiB. This statement was omitted.',
      );
      return;
    }
    await this.applyDefaults();
    await this.run(statement);
  }

  /**
   * Tries statements again that failed because they depend on later ones. It also handles foreign keys to
   * tables that the dump did not create.
   */
  async finish(): Promise<void> {
    for (let previousCount = -1; this.waiting.length > 0 && this.waiting.length !== previousCount;) {
      previousCount = this.waiting.length;
      const retried = this.waiting;
      this.waiting = [];
      for (const statement of retried) await this.run(statement);
    }
    for (const { line, name, fault } of this.waiting)
      this.target.report.problem(line, name, this.format(fault));
    await this.dropDanglingKeys();
  }

  /** Returns the next AUTO_INCREMENT number by table. */
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

  /**
   * Applies the character set of a database to its tables. A table that names a character set is not changed.
   */
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
        if (mapped === null)
          return report.problem(defaults.line, this.database.name ?? '', this.format(fault));
        sql = mapped.sql;
      }
    }
  }

  private async run(statement: Definition): Promise<void> {
    const { scratch, server, report } = this.target;
    this.reportCharacters(statement);
    this.onChange();
    for (let { sql } = statement; ;) {
      try {
        await scratch.connection.run(sql);
        this.accepted.push(sql);
        return;
      } catch (error) {
        const fault = readServerFault(error);
        if (fault === null || fault.isConnectionLost) throw error;
        const mapped = mapCollation(sql, fault, server.engine);
        if (mapped === null) return this.reject(statement, fault);
        report.count(
          `The server does not support the collation ${mapped.from}. It uses ${mapped.to} instead.`,
        );
        sql = mapped.sql;
      }
    }
  }

  /**
   * Reports characters that the server would lose. The definition is imported anyway, because a table with
   * `?` in one label can still hold its rows.
   */
  private reportCharacters({ sql, line, name }: Definition): void {
    try {
      for (const note of checkCharacters(sql, this.target.server.engine, line)) this.target.report.note(note);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.target.report.problem(line, name, error.detail);
    }
  }

  private reject(statement: Definition, fault: ServerFault): void {
    if (MISSING_OBJECT_ERRORS.includes(fault.errno)) this.waiting.push({ ...statement, fault });
    else this.target.report.problem(statement.line, statement.name, this.format(fault));
  }

  private format(fault: ServerFault): string {
    return cleanMessage(fault.message.replace(/ at line \d+$/, ''), this.target.scratch.schemaName);
  }

  private async dropDanglingKeys(): Promise<void> {
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
          `The foreign key ${key.name} was omitted, because ${key.referencedTable} does not exist.`,
        );
      }
    }
  }
}
