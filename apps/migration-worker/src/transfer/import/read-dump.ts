import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { createStatementReader, stripCommentsSteps, type RawStatement } from '@rowhouse/query-engine';
import { runStepsInSlices } from '@rowhouse/schema-model';
import { DumpChunks, type DumpPart } from './decode-dump.js';
import { DumpCharsets } from './dump-charsets.js';
import { DumpDatabase } from './dump-database.js';
import { DumpDefinitions, type DumpTarget } from './dump-definitions.js';
import { countLines, DumpRows } from './dump-rows.js';
import { prepareStatement } from './prepare-statement.js';
import { lostCharacters } from './wide-charsets.js';

/** The maximum size of a statement in characters. Only one statement is in memory at a time. */
const STATEMENT_CHARS_MAX = 32 * 1024 * 1024;

const ROWS = /^(INSERT|REPLACE)\b/i;
/** Matches an INSERT or REPLACE inside an executable comment. */
const WRAPPED_ROWS = /^\/\*m?!\d*\s*(INSERT|REPLACE)\b/i;

export interface ParsedDump {
  /** The DDL that the scratch database accepted, in order. */
  readonly accepted: readonly string[];
  /** The next AUTO_INCREMENT number in the dump, by table. */
  readonly nextNumbers: ReadonlyMap<string, string>;
  /**
   * Triggers on INSERT that the dump creates before it inserts into their tables. Such triggers act on the
   * dump's rows.
   */
  readonly actingTriggers: readonly string[];
}

/**
 * Reads a dump from start to end. Its DDL runs in the scratch database, where only the engine decides what is
 * valid, and its rows are written to the file. No other statement is run.
 */
export async function readDump(parts: AsyncIterable<DumpPart>, target: DumpTarget): Promise<ParsedDump> {
  const dump = new DumpReader(target);
  const reader = createStatementReader(STATEMENT_CHARS_MAX);
  const chunks = new DumpChunks(() => dump.charsets.line);
  const takeAll = async (statements: readonly RawStatement[]): Promise<void> => {
    for (const statement of statements) await dump.take(statement);
  };
  for await (const { text, isUnicode } of parts) {
    dump.charsets.isUnicode = isUnicode;
    for (const chunk of chunks.push(text)) await takeAll(reader.push(chunk));
  }
  for (const chunk of chunks.end()) await takeAll(reader.push(chunk));
  await takeAll(reader.end());
  await dump.definitions.finish();
  await target.writer.flush();
  return {
    accepted: dump.definitions.accepted,
    nextNumbers: await dump.definitions.readNextNumbers(),
    actingTriggers: [...dump.rows.actingTriggers],
  };
}

/** Passes each statement of a dump to the class that handles it. */
class DumpReader {
  readonly charsets: DumpCharsets;
  readonly rows: DumpRows;
  readonly definitions: DumpDefinitions;
  private readonly database = new DumpDatabase();

  constructor(private readonly target: DumpTarget) {
    this.charsets = new DumpCharsets(target.report);
    this.rows = new DumpRows(target, this.charsets, this.database);
    this.definitions = new DumpDefinitions(target, this.database, () => this.rows.clearColumns());
  }

  async take(statement: RawStatement): Promise<void> {
    const { report, server } = this.target;
    const raw = await this.unwrapRows(statement);
    if (raw === null) return;
    if (this.charsets.unsupported !== null && /[^\0-\x7f]/.test(raw.text))
      return report.count(`Statements with text in ${this.charsets.unsupported} were omitted.`);
    if (ROWS.test(raw.text)) return this.rows.write(raw);
    if (this.charsets.isDecoded && lostCharacters(raw.text))
      return report.problem(
        raw.line,
        '',
        `The statement contains bytes that are not valid text in ${this.charsets.name}. Create the ` +
          'dump with --default-character-set=utf8mb4.',
      );
    for (const prepared of prepareStatement(
      raw,
      { server, charset: this.charsets.text, database: this.database },
      report,
    )) {
      if (prepared.kind === 'mode') this.rows.keepsZero = prepared.keepsZero;
      else if (prepared.kind === 'charset') this.charsets.change(prepared);
      else if (prepared.kind === 'unread') this.charsets.reject(prepared);
      else if (prepared.kind === 'defaults') this.definitions.setDefaults(prepared);
      else await this.definitions.apply(prepared);
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
        yieldToEventLoop(),
      );
      const start = text.search(/\S/);
      return start === -1
        ? null
        : { ...raw, text: text.slice(start), line: raw.line + countLines(text, start) };
    } catch (error) {
      this.target.report.problem(
        raw.line,
        '',
        error instanceof Error ? error.message : 'The statement is not valid SQL.',
      );
      return null;
    }
  }
}
