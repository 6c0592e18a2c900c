import { AppError } from '@rowhouse/errors';
import type { IncludeNode } from '../plan/plan.js';
import { childColumns, neededColumns, parentColumns, readKeyText } from '../sql/include-keys.js';
import { wholeResults } from '../sql/include-rounds.js';
import { tagMember, type DigestCells } from './record-tag.js';
import type { Cell, ResultSet } from './result-set.js';
import { TextBuilder, type TextSink } from './text-sink.js';

/** In bytes or UTF-16 units: shared records are written once per parent, so that few rows can make a long answer. */
const ASSEMBLED_TEXT_MAX = 64 * 1024 * 1024;

/** Of text that may still be written. */
interface Budget {
  left: number;
}

/** Records of one result that stand behind each other. */
interface Range {
  readonly result: ResultSet;
  readonly from: number;
  count: number;
}

/** A node with its rows by the key of their parent. */
interface Branch {
  readonly node: IncludeNode;
  readonly head: string;
  readonly rangesByParent: ReadonlyMap<string, readonly Range[]>;
  /** Positions of the parent's key among the parent's kept cells. */
  readonly positions: readonly number[];
  readonly children: readonly Branch[];
  /** Null: its records are not tagged. */
  readonly tagOf: TagOf | null;
  /** By the one cell that leads to a record with more in it: the member as it was written. Null where a key has more cells, or leads to many. */
  readonly texts: Map<Cell, string> | null;
}

/** The version of a row as a member of its record. */
export type TagOf = (result: ResultSet, row: number) => string;

export interface Assembler {
  /** `{…}` with everything that it includes. */
  recordText(result: ResultSet, row: number): string;
  /** What stands behind the record's own members: its version, and what it includes. */
  addMembers(result: ResultSet, row: number, to: TextSink): void;
  /** Includes of which some parent had more than it was given. */
  readonly cutPaths: ReadonlySet<string>;
}

/** What the records of one answer have in common. */
interface Job {
  readonly cutPaths: Set<string>;
  readonly budget: Budget;
}

/** `tagOf`: of the records themselves. */
export function createAssembler(include: readonly IncludeNode[], results: readonly ResultSet[], digest: DigestCells, tagOf: TagOf | null = null): Assembler {
  const job: Job = { cutPaths: new Set<string>(), budget: { left: ASSEMBLED_TEXT_MAX } };
  const branches = makeBranches(include, 0, results, digest);
  return {
    cutPaths: job.cutPaths,
    recordText(result, row) {
      const to = new TextBuilder();
      writeRecord(job, result, row, branches, tagOf, to);
      return to.whole;
    },
    addMembers: (result, row, to) => writeAdded(job, result, row, branches, tagOf, to, true),
  };
}

function makeBranches(nodes: readonly IncludeNode[], keysBefore: number, results: readonly ResultSet[], digest: DigestCells): Branch[] {
  const needed = neededColumns(nodes);
  return nodes.map((node) => {
    const near = parentColumns(node.relationship);
    const own = childColumns(node.relationship).length;
    const from = own + neededColumns(node.children).length;
    const { far, kind } = node.relationship;
    const isPlain = node.children.length === 0 && !node.hasEtag;
    return {
      node,
      head: `${JSON.stringify(node.name)}:`,
      rangesByParent: groupRows(wholeResults(results, node.path), own),
      positions: near.map((column) => keysBefore + needed.indexOf(column)),
      children: makeBranches(node.children, own, results, digest),
      tagOf: node.hasEtag ? (result, row) => tagMember(far, result, row, from, digest) : null,
      texts: kind === 'to_one' && near.length === 1 && !isPlain ? new Map() : null,
    };
  });
}

/** Those of one parent mostly stand behind each other, and are one range then. */
function groupRows(results: readonly ResultSet[], keyLength: number): Map<string, Range[]> {
  const groups = new Map<string, Range[]>();
  const positions = Array.from({ length: keyLength }, (_, at) => at);
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

function writeRecord(job: Job, result: ResultSet, row: number, branches: readonly Branch[], tagOf: TagOf | null, to: TextSink): void {
  const own = result.membersText(row);
  spend(job.budget, own.length + 2);
  to.text(`{${own}`);
  writeAdded(job, result, row, branches, tagOf, to, own === '');
  to.text('}');
}

function writeAdded(job: Job, result: ResultSet, row: number, branches: readonly Branch[], tagOf: TagOf | null, to: TextSink, isFirst: boolean): void {
  let comma = isFirst ? '' : ',';
  if (tagOf !== null) {
    const tag = tagOf(result, row);
    spend(job.budget, tag.length);
    to.text(comma + tag);
    comma = ',';
  }
  for (const branch of branches) {
    to.text(comma + branch.head);
    writeMember(job, branch, result, row, to);
    comma = ',';
  }
}

/** Of a record that many lead to by the same cell, once. */
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
  let left = node.perParentMax;
  to.text('[');
  for (const [at, range] of ranges.entries()) {
    if (at > 0 && left > 0) to.text(',');
    writeRange(job, branch, range, Math.min(left, range.count), to);
    left -= range.count;
  }
  to.text(']');
  if (left < 0) job.cutPaths.add(node.path);
}

/** It stands behind the key of its parent. */
function writeCount(job: Job, { relationship }: IncludeNode, range: Range | undefined, to: TextSink): void {
  const text = range === undefined ? '0' : String(range.result.keyCell(range.from, childColumns(relationship).length));
  spend(job.budget, text.length);
  to.text(text);
}

/** The first `count` of them. What is as the database gave it goes in one piece. */
function writeRange(job: Job, { children, tagOf }: Branch, { result, from }: Range, count: number, to: TextSink): void {
  if (count <= 0) return;
  if (children.length === 0 && tagOf === null) return spend(job.budget, to.records(result, from, count));
  for (let row = from; row < from + count; row += 1) {
    if (row > from) to.text(',');
    writeRecord(job, result, row, children, tagOf, to);
  }
}
