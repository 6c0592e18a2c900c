import { AppError } from '@rowhouse/errors';
import type { IncludeNode } from '../plan/plan.js';
import { childColumns, keyText, neededColumns, parentColumns, readKey } from '../sql/include-keys.js';
import { wholeResults } from '../sql/include-rounds.js';
import { tagMember, type DigestCells } from './record-tag.js';
import type { Cell, ResultSet } from './result-set.js';

/** In UTF-16 units: shared records are written once per parent, so that few rows can make a long answer. */
export const ASSEMBLED_TEXT_MAX = 64 * 1024 * 1024;

/** Of text that may still be written, in UTF-16 units. */
interface Budget {
  left: number;
}

interface RowRef {
  readonly result: ResultSet;
  readonly row: number;
}

/** A node with its rows by the key of their parent. */
interface Branch {
  readonly node: IncludeNode;
  readonly head: string;
  readonly rowsByParent: ReadonlyMap<string, readonly RowRef[]>;
  /** Positions of the parent's key among the parent's kept cells. */
  readonly positions: readonly number[];
  readonly children: readonly Branch[];
  /** Null: its records are not tagged. */
  readonly tagOf: TagOf | null;
  /** By the one cell that leads to a record: the member as it was written. Null where a key has more cells, or leads to many. */
  readonly texts: Map<Cell, string> | null;
}

/** The version of a row as a member of its record. */
export type TagOf = (result: ResultSet, row: number) => string;

export interface Assembler {
  /** `{…}` with everything that it includes. */
  recordText(result: ResultSet, row: number): string;
  /** What stands behind the record's own members: its version, and what it includes. */
  addedText(result: ResultSet, row: number): string;
  /** Includes of which some parent had more than it was given. */
  readonly cutPaths: ReadonlySet<string>;
}

/** `tagOf`: of the records themselves. */
export function createAssembler(include: readonly IncludeNode[], results: readonly ResultSet[], digest: DigestCells, tagOf: TagOf | null = null): Assembler {
  const cutPaths = new Set<string>();
  const budget = { left: ASSEMBLED_TEXT_MAX };
  const branches = makeBranches(include, 0, results, digest);
  return {
    cutPaths,
    recordText: (result, row) => writeRecord({ result, row }, branches, tagOf, cutPaths, budget),
    addedText: (result, row) => writeAdded({ result, row }, branches, tagOf, cutPaths, budget),
  };
}

function makeBranches(nodes: readonly IncludeNode[], keysBefore: number, results: readonly ResultSet[], digest: DigestCells): Branch[] {
  const needed = neededColumns(nodes);
  return nodes.map((node) => {
    const near = parentColumns(node.relationship);
    const own = childColumns(node.relationship).length;
    const from = own + neededColumns(node.children).length;
    const { far } = node.relationship;
    return {
      node,
      head: `${JSON.stringify(node.relationship.name)}:`,
      rowsByParent: groupRows(wholeResults(results, node.path), own),
      positions: near.map((column) => keysBefore + needed.indexOf(column)),
      children: makeBranches(node.children, own, results, digest),
      tagOf: node.hasEtag ? (result, row) => tagMember(far, result, row, from, digest) : null,
      texts: node.relationship.kind === 'to_one' && near.length === 1 ? new Map() : null,
    };
  });
}

function groupRows(results: readonly ResultSet[], keyLength: number): Map<string, RowRef[]> {
  const groups = new Map<string, RowRef[]>();
  const positions = Array.from({ length: keyLength }, (_, at) => at);
  for (const result of results) {
    for (let row = 0; row < result.rowCount; row += 1) {
      const key = readKey(result, row, positions);
      if (key === null) continue;
      const group = groups.get(keyText(key));
      if (group === undefined) groups.set(keyText(key), [{ result, row }]);
      else group.push({ result, row });
    }
  }
  return groups;
}

function writeRecord(ref: RowRef, branches: readonly Branch[], tagOf: TagOf | null, cutPaths: Set<string>, budget: Budget): string {
  const own = ref.result.membersText(ref.row);
  spend(budget, own.length + 2);
  const added = writeAdded(ref, branches, tagOf, cutPaths, budget);
  return `{${own}${own === '' || added === '' ? '' : ','}${added}}`;
}

function writeAdded({ result, row }: RowRef, branches: readonly Branch[], tagOf: TagOf | null, cutPaths: Set<string>, budget: Budget): string {
  let text = '';
  if (tagOf !== null) {
    text = tagOf(result, row);
    spend(budget, text.length);
  }
  for (const branch of branches) {
    const member = writeMember(branch, result, row, cutPaths, budget);
    text = text === '' ? member : `${text},${member}`;
  }
  return text;
}

/** Of a record that many lead to by the same cell, once. */
function writeMember(branch: Branch, result: ResultSet, row: number, cutPaths: Set<string>, budget: Budget): string {
  const { texts, positions } = branch;
  const cell = texts === null ? null : result.keyCell(row, positions[0] ?? 0);
  const known = texts?.get(cell);
  if (known !== undefined) {
    spend(budget, known.length);
    return known;
  }
  const text = `${branch.head}${writeBranch(branch, readKey(result, row, positions), cutPaths, budget)}`;
  texts?.set(cell, text);
  return text;
}

function spend(budget: Budget, units: number): void {
  budget.left -= units;
  if (budget.left < 0) throw new AppError('limit.response_size');
}

function writeBranch(branch: Branch, key: ReturnType<typeof readKey>, cutPaths: Set<string>, budget: Budget): string {
  const { node } = branch;
  const rows = (key === null ? undefined : branch.rowsByParent.get(keyText(key))) ?? [];
  const write = (ref: RowRef): string => writeRecord(ref, branch.children, branch.tagOf, cutPaths, budget);
  const first = rows[0];
  if (node.relationship.kind === 'to_one') return first === undefined ? 'null' : write(first);
  if (rows.length > node.perParentMax) cutPaths.add(node.path);
  return `[${rows.slice(0, node.perParentMax).map(write).join(',')}]`;
}
