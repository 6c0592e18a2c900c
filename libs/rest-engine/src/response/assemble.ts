import { AppError } from '@rowhouse/errors';
import type { IncludeNode } from '../plan/plan-parts.js';
import { childColumns, neededColumns, parentColumns, readKeyText } from '../sql/read/include-keys.js';
import { wholeResults } from '../sql/read/include-rounds.js';
import { tagMember } from './record-tag.js';
import type { ResultSet, TextSink } from '../sql/statement.js';
import { TextBuilder } from './row-sink.js';
import type { Cell, DigestCells } from '../values/cell.js';

/**
 * The maximum size of a response in bytes or UTF-16 units. A shared record is written once for each parent,
 * so a few rows can produce a long response.
 */
const ASSEMBLED_TEXT_MAX = 64 * 1024 * 1024;

/** The amount of text that a response may still contain. */
interface Budget {
  left: number;
}

/** Consecutive rows of one result. */
interface Range {
  readonly result: ResultSet;
  readonly from: number;
  count: number;
}

/** The members that are written after the columns of a record. */
interface Additions {
  readonly children: readonly Branch[];
  /** Computes the `_etag` member of a record. Null if the records have no such member. */
  readonly tagOf: RowVersionOf | null;
}

/** A node of the include tree, with its rows grouped by the key of their parent record. */
interface Branch extends Additions {
  readonly node: IncludeNode;
  readonly head: string;
  readonly rangesByParent: ReadonlyMap<string, readonly Range[]>;
  /** The positions of the key columns among the retained cells of the parent record. */
  readonly positions: readonly number[];
  /**
   * The JSON of each target record, by the single cell that refers to it, so that a record shared by many
   * parents is written once. Used for records that have nested members or an `_etag`. Null for composite
   * keys, to-many relationships and plain records.
   */
  readonly texts: Map<Cell, string> | null;
}

/** Returns the version of a row as the member `_etag` of its record. */
export type RowVersionOf = (result: ResultSet, row: number) => string;

export interface Assembler {
  /** Returns a record with its includes as a JSON object. */
  recordText(result: ResultSet, row: number): string;
  /** Writes the members after a record's columns: its `_etag` and its includes. */
  addMembers(result: ResultSet, row: number, to: TextSink): void;
  /** The paths of the includes for which a parent record had more related records than the limit. */
  readonly cutPaths: ReadonlySet<string>;
}

/** The state that all records of one response share. */
interface Job {
  readonly cutPaths: Set<string>;
  readonly budget: Budget;
}

/**
 * Creates an assembler for records with includes. `tagOf` computes the `_etag` of the records at the top
 * level.
 */
export function createAssembler(
  include: readonly IncludeNode[],
  results: readonly ResultSet[],
  digest: DigestCells,
  tagOf: RowVersionOf | null = null,
): Assembler {
  const job: Job = { cutPaths: new Set<string>(), budget: { left: ASSEMBLED_TEXT_MAX } };
  const additions: Additions = { children: makeBranches(include, 0, results, digest), tagOf };
  return {
    cutPaths: job.cutPaths,
    recordText(result, row) {
      const to = new TextBuilder();
      writeRecord(job, result, row, additions, to);
      return to.whole;
    },
    addMembers: (result, row, to) => writeAdded(job, result, row, additions, to, true),
  };
}

function makeBranches(
  nodes: readonly IncludeNode[],
  keysBefore: number,
  results: readonly ResultSet[],
  digest: DigestCells,
): Branch[] {
  const needed = neededColumns(nodes);
  return nodes.map((node) => {
    const source = parentColumns(node.relationship);
    const own = childColumns(node.relationship).length;
    const from = own + neededColumns(node.children).length;
    const { target, kind } = node.relationship;
    const isPlain = node.children.length === 0 && !node.hasEtag;
    return {
      node,
      head: `${JSON.stringify(node.name)}:`,
      rangesByParent: groupRows(wholeResults(results, node.path), own),
      positions: source.map((column) => keysBefore + needed.indexOf(column)),
      children: makeBranches(node.children, own, results, digest),
      tagOf: node.hasEtag ? (result, row) => tagMember(target, result, row, from, digest) : null,
      texts: kind === 'to_one' && source.length === 1 && !isPlain ? new Map() : null,
    };
  });
}

/** Groups rows by parent key. The rows of one parent are usually consecutive and then form one range. */
function groupRows(results: readonly ResultSet[], keyLength: number): Map<string, Range[]> {
  const groups = new Map<string, Range[]>();
  const positions = Array.from({ length: keyLength }, (_, index) => index);
  for (const result of results) {
    let lastKey: string | null = null;
    let last: Range | null = null;
    for (let row = 0; row < result.rowCount; row += 1) {
      const key = readKeyText(result, row, positions);
      if (key !== null && key === lastKey && last !== null) last.count += 1;
      else if (key === null) last = null;
      else {
        last = { result, from: row, count: 1 };
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [last]);
        else group.push(last);
      }
      lastKey = key;
    }
  }
  return groups;
}

function writeRecord(job: Job, result: ResultSet, row: number, additions: Additions, to: TextSink): void {
  const own = result.membersText(row);
  spend(job.budget, own.length + 2);
  to.text(`{${own}`);
  writeAdded(job, result, row, additions, to, own === '');
  to.text('}');
}

function writeAdded(
  job: Job,
  result: ResultSet,
  row: number,
  { children, tagOf }: Additions,
  to: TextSink,
  isFirst: boolean,
): void {
  let comma = isFirst ? '' : ',';
  if (tagOf !== null) {
    const tag = tagOf(result, row);
    spend(job.budget, tag.length);
    to.text(comma + tag);
    comma = ',';
  }
  for (const branch of children) {
    to.text(comma + branch.head);
    writeMember(job, branch, result, row, to);
    comma = ',';
  }
}

/** Writes the member for an include. A record to which many parents refer is converted to JSON only once. */
function writeMember(job: Job, branch: Branch, result: ResultSet, row: number, to: TextSink): void {
  const { texts, positions } = branch;
  if (texts === null) return writeBranch(job, branch, readKeyText(result, row, positions), to);
  const cell = result.keyCell(row, positions[0] ?? 0);
  const known = texts.get(cell);
  if (known !== undefined) {
    spend(job.budget, known.length);
    return to.text(known);
  }
  const built = new TextBuilder();
  writeBranch(job, branch, readKeyText(result, row, positions), built);
  texts.set(cell, built.whole);
  to.text(built.whole);
}

function spend(budget: Budget, units: number): void {
  budget.left -= units;
  if (budget.left < 0) throw new AppError('limit.response_size');
}

function writeBranch(job: Job, branch: Branch, key: string | null, to: TextSink): void {
  const { node } = branch;
  const ranges = (key === null ? undefined : branch.rangesByParent.get(key)) ?? [];
  if (node.isCount) return writeCount(job, node, ranges[0], to);
  if (node.relationship.kind === 'to_one') {
    if (ranges[0] === undefined) to.text('null');
    else writeRange(job, branch, ranges[0], 1, to);
    return;
  }
  let remaining = node.perParentMax;
  to.text('[');
  for (const [index, range] of ranges.entries()) {
    if (index > 0 && remaining > 0) to.text(',');
    writeRange(job, branch, range, Math.min(remaining, range.count), to);
    remaining -= range.count;
  }
  to.text(']');
  if (remaining < 0) job.cutPaths.add(node.path);
}

/** Writes the number of related records. It is in the cell after the parent's key. */
function writeCount(job: Job, { relationship }: IncludeNode, range: Range | undefined, to: TextSink): void {
  const text =
    range === undefined ? '0' : String(range.result.keyCell(range.from, childColumns(relationship).length));
  spend(job.budget, text.length);
  to.text(text);
}

/** Writes the first `count` records of a range. Records without additional members are copied together. */
function writeRange(job: Job, branch: Branch, { result, from }: Range, count: number, to: TextSink): void {
  if (count <= 0) return;
  if (branch.children.length === 0 && branch.tagOf === null)
    return spend(job.budget, to.records(result, from, count));
  for (let row = from; row < from + count; row += 1) {
    if (row > from) to.text(',');
    writeRecord(job, result, row, branch, to);
  }
}
