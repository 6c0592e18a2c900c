import { listCreateObjects, type CreateObject } from '@rowhouse/ddl-plan';
import type { Snapshot } from '@rowhouse/schema-model';
import { endStatement } from './end-statement.js';
import { toCommentLine } from './file-frame.js';
import { toFileStatement } from './to-file-statement.js';

export interface LeftOut {
  readonly object: CreateObject['object'];
  readonly name: string;
  readonly reason: string;
}

export interface WrittenSchema {
  /** Statements without the frame of a file, in an order that loads into an empty database; empty without tables. */
  readonly sql: string;
  /** Objects that have no safe text. The file names them in comments. */
  readonly leftOut: readonly LeftOut[];
  /** Names of objects whose comments are not in the text. */
  readonly uncommented: readonly string[];
}

/** Writes a whole schema as statements that command-line clients and imports read. */
export function writeSchema(snapshot: Snapshot, takes: (object: CreateObject['object']) => boolean = () => true): WrittenSchema {
  const parts: string[] = [];
  const leftOut: LeftOut[] = [];
  const uncommented: string[] = [];
  for (const { object, name, sql } of listCreateObjects(snapshot)) {
    if (!takes(object)) continue;
    const statement = toFileStatement(sql, snapshot.engine);
    if (statement.kind === 'written') {
      parts.push(endStatement(statement.sql));
      if (statement.hasComments) uncommented.push(name);
    } else {
      leftOut.push({ object, name, reason: statement.reason });
      parts.push(toCommentLine(`Left out: ${object} ${name}: ${statement.reason}`));
    }
  }
  return { sql: parts.join('\n'), leftOut, uncommented };
}

/** Returns the statements alone. */
export function renderSchemaSql(snapshot: Snapshot): string {
  return writeSchema(snapshot).sql;
}
