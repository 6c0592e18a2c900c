import type { WorkerServer } from '@rowhouse/platform-store';
import type { Snapshot } from '@rowhouse/schema-model';
import { sha256 } from '../snapshots/fingerprints.js';

import { type MigrationStep, type PlannedStep, type TestedAlgorithm } from '@rowhouse/ddl-plan';

/**
 * A step of a plan, the algorithm with which the server accepted it on an empty copy, and the most expensive
 * of its statements.
 */
export interface TestedStep {
  readonly step: PlannedStep;
  readonly algorithm: TestedAlgorithm;
  readonly side: MigrationStep['side'];
}

const NAME = '`[A-Za-z0-9_$]+`';

const TYPE = String.raw`(?:tiny|small|medium|big)?int(?:\(\d+\))?(?: unsigned)?|decimal\(\d+,\d+\)(?: unsigned)?|double|float|(?:var)?char\(\d+\)|(?:tiny|medium|long)?text|(?:tiny|medium|long)?blob|(?:var)?binary\(\d+\)|date|datetime(?:\(\d\))?|timestamp(?:\(\d\))?|time(?:\(\d\))?|json`;

const VALUE = String.raw`NULL|-?\d+(?:\.\d+)?|'[A-Za-z0-9_ .,:;/@-]*'|current_timestamp(?:\(\d?\))?`;

const CHARSET = '(?: CHARACTER SET utf8mb4)?(?: COLLATE utf8mb4_[a-z0-9_]+)?';

const COLUMN = String.raw`${NAME} (?:${TYPE})${CHARSET}(?: NOT NULL| NULL)?(?: DEFAULT (?:${VALUE}))?(?: ON UPDATE current_timestamp(?:\(\d?\))?)?(?: AUTO_INCREMENT)?(?: COMMENT '[A-Za-z0-9_ .,:;/@-]*')?(?: CHECK \(json_valid\(${NAME}\)\))?`;

const NAMES = String.raw`\(${NAME}(?:,${NAME})*\)`;

const KEY = `(?:PRIMARY KEY|UNIQUE KEY ${NAME}|KEY ${NAME}) ${NAMES}`;

const ACTION = 'CASCADE|SET NULL|NO ACTION|RESTRICT';

const FOREIGN_KEY = String.raw`CONSTRAINT ${NAME} FOREIGN KEY \(${NAME}(?:, ${NAME})*\) REFERENCES ${NAME} \(${NAME}(?:, ${NAME})*\)(?: ON (?:DELETE|UPDATE) (?:${ACTION}))*`;

const PLAIN_LINE = new RegExp(`^  (?:${COLUMN}|${KEY}|${FOREIGN_KEY}),?$`, 'i');

const PLAIN_HEAD = new RegExp(`^CREATE TABLE ${NAME} \\($`);

const PLAIN_TAIL = /^\) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4(?: COLLATE=utf8mb4_[a-z0-9_]+)?$/;

/** Matches zero dates, whose meaning depends on a session's mode. */
const ZERO_DATE = /'\d{4}-00|-00[ ']|'0000/;

/**
 * The maximum numbers of cached drafts and tested plans. A few hundred of each are in use at a time, and an
 * entry is small.
 */
const DRAFTS_MAX = 500;
const TRIED_MAX = 200;
const STATEMENTS_MAX = 20_000;

type ServerIdentity = Pick<WorkerServer, 'id' | 'engine' | 'engineVersion'>;
type TestedSteps = readonly Pick<TestedStep, 'algorithm' | 'side'>[];

/**
 * A cache of what servers have reported about schemas. These reports depend only on the texts and the version
 * of the server, so an unchanged draft can be planned again without a scratch database. The cache is empty
 * after a start.
 */
export interface PlanCache {
  /** Returns whether the server has printed this draft unchanged. */
  knows(server: ServerIdentity, draft: Snapshot): boolean;
  remember(server: ServerIdentity, draft: Snapshot): void;
  /**
   * Returns whether the server accepts this CREATE statement and prints it unchanged, from experience or
   * because it certainly would.
   */
  accepts(server: ServerIdentity, sql: string): boolean;
  rememberAccepted(server: ServerIdentity, sql: string): void;
  /**
   * Returns how the server accepted these statements on this deployed schema. `key` identifies both the
   * statements and the schema.
   */
  readTried(server: ServerIdentity, key: string): TestedSteps | undefined;
  rememberTried(server: ServerIdentity, key: string, tried: TestedSteps): void;
}

export function createPlanCache(): PlanCache {
  const drafts = new Map<string, true>();
  const tried = new Map<string, TestedSteps>();
  const accepted = new Map<string, true>();
  const draftKey = (server: ServerIdentity, draft: Snapshot): string =>
    sha256(`${nameServer(server)} ${JSON.stringify([draft.engine, draft.tables, draft.routines ?? []])}`);
  const triedKey = (server: ServerIdentity, key: string): string => `${nameServer(server)} ${key}`;
  return {
    knows: (server, draft) => read(drafts, draftKey(server, draft)) === true,
    remember: (server, draft) => write(drafts, draftKey(server, draft), true, DRAFTS_MAX),
    accepts: (server, sql) =>
      isPlainDefinition(sql) || read(accepted, sha256(`${nameServer(server)} ${sql}`)) === true,
    rememberAccepted: (server, sql) =>
      write(accepted, sha256(`${nameServer(server)} ${sql}`), true, STATEMENTS_MAX),
    readTried: (server, key) => read(tried, triedKey(server, key)),
    rememberTried: (server, key, outcome) => write(tried, triedKey(server, key), outcome, TRIED_MAX),
  };
}

function nameServer({ id, engine, engineVersion }: ServerIdentity): string {
  return `${id} ${engine} ${engineVersion}`;
}

/** Returns an entry and moves it to the end, so that the least recently used entry is evicted first. */
function read<T>(entries: Map<string, T>, key: string): T | undefined {
  const value = entries.get(key);
  if (value !== undefined) write(entries, key, value, Number.POSITIVE_INFINITY);
  return value;
}

function write<T>(entries: Map<string, T>, key: string, value: T, entriesMax: number): void {
  entries.delete(key);
  entries.set(key, value);
  for (const oldest of entries.keys()) {
    if (entries.size <= entriesMax) return;
    entries.delete(oldest);
  }
}

/**
 * Returns whether a server's description of a table contains only common types, values, names and keys. All
 * servers accept these in the form in which they print them, so the table does not have to be tested again.
 */
export function isPlainDefinition(createSql: string): boolean {
  const lines = createSql.split('\n');
  const [head = '', tail = ''] = [lines[0], lines.at(-1)];
  return (
    PLAIN_HEAD.test(head) &&
    PLAIN_TAIL.test(tail) &&
    lines.slice(1, -1).every((line) => PLAIN_LINE.test(line) && !ZERO_DATE.test(line))
  );
}
