import type { AdminSession, AdminValue } from '@rowhouse/mysql';
import { toMarks, toRowMarks } from '../sql-values.js';

/** A question with its result, for the history of questions. */
export interface QuestionRow {
  readonly id: string;
  readonly databaseId: string;
  readonly keyId: string;
  /** The time in UTC, in the form `YYYY-MM-DD HH:MM:SS.mmm`. */
  readonly at: string;
  readonly question: string;
  /** The generated SQL. Null if the question was not translated. */
  readonly sql: string | null;
  /** How the SQL was created: `rules`, `llm` or `cache`. Empty without SQL. */
  readonly source: string;
  /** The code of the error. Empty without an error. */
  readonly code: string;
  readonly durationMs: number;
  readonly tokens: number;
  readonly repairs: number;
  readonly requestId: string;
}

/** The use of the language model for one question. */
export interface ModelUse {
  readonly projectId: string;
  readonly databaseId: string;
  readonly requests: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly repairs: number;
  /** The number of failures. It is 1 for a question without a result. */
  readonly failures: number;
}

/** The questions that a gateway stores and reads. The day is determined by the platform database. */
export interface GatewayQuestions {
  append(rows: readonly QuestionRow[]): Promise<void>;
  /** Returns the questions about a database whose SQL was accepted, with the newest first. */
  listAccepted(databaseId: string, rowsMax: number): Promise<{ question: string; sql: string }[]>;
  addModelUse(use: ModelUse): Promise<void>;
  /**
   * Returns the number of input and output tokens that a project has used today for all of its databases
   * together.
   */
  readModelTokens(projectId: string): Promise<number>;
}

const QUESTION_CHARACTERS_MAX = 4_000;
const SQL_CHARACTERS_MAX = 16_384;

export function createGatewayQuestions(pool: AdminSession, cellId: string): GatewayQuestions {
  return {
    async append(rows) {
      if (rows.length === 0) return;
      const values = rows.flatMap((row): AdminValue[] => [
        row.id,
        cellId,
        row.databaseId,
        row.keyId,
        row.at,
        row.question.slice(0, QUESTION_CHARACTERS_MAX),
        row.sql?.slice(0, SQL_CHARACTERS_MAX) ?? null,
        row.source,
        row.code,
        Math.round(row.durationMs),
        row.tokens,
        row.repairs,
        row.requestId.slice(0, 64),
      ]);
      await pool.run(
        `INSERT INTO question_log (id, cell_id, database_id, key_id, at, question, sql_text, source, code, duration_ms, tokens, repairs, request_id)
         VALUES ${toRowMarks(rows, toMarks(13))}`,
        values,
      );
    },
    listAccepted: (databaseId, rowsMax) =>
      pool.rows<{ question: string; sql: string }>(
        'SELECT question, sql_text AS `sql` FROM accepted_question WHERE database_id = ? AND cell_id = ? ORDER BY created_at DESC, id LIMIT ?',
        [databaseId, cellId, rowsMax],
      ),
    async addModelUse(use) {
      await pool.run(
        `INSERT INTO model_use_day (cell_id, project_id, database_id, day, questions, requests, tokens_in, tokens_out, repairs, failures)
         VALUES (?, ?, ?, UTC_DATE(), 1, ?, ?, ?, ?, ?)
         ON DUPLICATE KEY UPDATE questions = questions + 1, requests = requests + VALUES(requests), tokens_in = tokens_in + VALUES(tokens_in),
           tokens_out = tokens_out + VALUES(tokens_out), repairs = repairs + VALUES(repairs), failures = failures + VALUES(failures)`,
        [
          cellId,
          use.projectId,
          use.databaseId,
          use.requests,
          use.tokensIn,
          use.tokensOut,
          use.repairs,
          use.failures,
        ],
      );
    },
    async readModelTokens(projectId) {
      const [row] = await pool.rows<{ tokens: number | null }>(
        'SELECT SUM(tokens_in + tokens_out) AS tokens FROM model_use_day WHERE project_id = ? AND cell_id = ? AND day = UTC_DATE()',
        [projectId, cellId],
      );
      return Number(row?.tokens ?? 0);
    },
  };
}
