import { listCreateObjects, type CreateObject } from '@rowhouse/ddl-plan';
import { doSteps, type Snapshot, type Steps } from '@rowhouse/schema-model';
import { toCommentLine } from './file-frame.js';
import { toFileStatement, endStatement } from './file-statement.js';

/** The number of characters in each slice, which takes about a millisecond. */
const STEP_CHARACTERS = 16 * 1024;

export interface OmittedObject {
  readonly object: CreateObject['object'];
  readonly name: string;
  readonly reason: string;
}

export interface WrittenSchema {
  /**
   * The statements without the first and last lines of a file. In their order, they can be run in an empty
   * database. Empty for an empty schema.
   */
  readonly sql: string;
  /** The objects that cannot be written safely. The file names them in comments. */
  readonly omitted: readonly OmittedObject[];
  /** The names of objects whose comments were removed from the text. */
  readonly uncommented: readonly string[];
}

type Takes = (object: CreateObject['object']) => boolean;

/** Writes a complete schema as statements that command-line clients and imports accept. */
export function writeSchema(snapshot: Snapshot, takes?: Takes): WrittenSchema {
  return doSteps(writeSchemaSteps(snapshot, takes));
}

/** Writes a schema like `writeSchema`, with one part of the text in each step. */
export function* writeSchemaSteps(snapshot: Snapshot, takes: Takes = () => true): Steps<WrittenSchema> {
  const parts: string[] = [];
  const omitted: OmittedObject[] = [];
  const uncommented: string[] = [];
  let characters = 0;
  for (const { object, name, sql } of listCreateObjects(snapshot)) {
    if (!takes(object)) continue;
    characters += sql.length;
    if (characters >= STEP_CHARACTERS) {
      characters = 0;
      yield;
    }
    const statement = toFileStatement(sql, snapshot.engine);
    if (statement.kind === 'written') {
      parts.push(endStatement(statement.sql));
      if (statement.hasComments) uncommented.push(name);
    } else {
      omitted.push({ object, name, reason: statement.reason });
      parts.push(toCommentLine(`Omitted: ${object} ${name}: ${statement.reason}`));
    }
  }
  return { sql: parts.join('\n'), omitted, uncommented };
}

/** Returns only the statements of a schema. */
export function renderSchemaSql(snapshot: Snapshot): string {
  return writeSchema(snapshot).sql;
}

/** Returns the statements like `renderSchemaSql`, with one part of the text in each step. */
export function* renderSchemaSqlSteps(snapshot: Snapshot): Steps<string> {
  return (yield* writeSchemaSteps(snapshot)).sql;
}
