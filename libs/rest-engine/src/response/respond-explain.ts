import type { CompiledTable } from '@rowhouse/schema-model';
import type { ExplainPlan } from '../plan/plan.js';
import type { IncludeNode } from '../plan/plan-parts.js';
import { encodeBase64 } from '../values/base64.js';
import { explainCells, type ExplainCell } from '../sql/read/explain-program.js';
import type { BoundValue } from '../values/cell.js';
import type { PlainResponse } from './respond-many.js';
import type { ResultSet } from '../sql/statement.js';

/**
 * Returns the statements that would run, each with the server's query plan. Names that the API key may not
 * see are masked.
 */
export function respondExplain(plan: ExplainPlan, results: readonly ResultSet[]): PlainResponse {
  const { explained } = plan;
  const masked = hiddenIndexes(plan);
  const statements = results.flatMap((result) => {
    const { role } = result.statement;
    return role.kind === 'explain'
      ? [{ sql: role.of.sql, params: role.of.params.map(toJson), plan: readSteps(plan, result, masked) }]
      : [];
  });
  const include = explained.kind === 'list' ? listPaths(explained.include) : [];
  return {
    status: 200,
    body: JSON.stringify(include.length === 0 ? { statements } : { statements, include }),
    headers: {},
  };
}

function toJson(value: BoundValue): string | number | null {
  return value instanceof Uint8Array ? encodeBase64(value) : value;
}

function listPaths(nodes: readonly IncludeNode[]): string[] {
  return nodes.flatMap((node) => [node.path, ...listPaths(node.children)]);
}

function readSteps(plan: ExplainPlan, result: ResultSet, masked: ReadonlySet<string>): unknown[] {
  const names = explainCells(plan.table.schema.engine);
  return Array.from({ length: result.rowCount }, (_, row) => {
    const textOf = (name: ExplainCell): string | null => {
      const cell = result.keyCell(row, names.indexOf(name));
      return cell === null ? null : String(cell);
    };
    const numberOf = (name: ExplainCell): number | null =>
      names.includes(name) && textOf(name) !== null ? Number(textOf(name)) : null;
    const filtered = numberOf('filtered');
    return {
      id: numberOf('id'),
      select: textOf('select_type'),
      table: textOf('table'),
      access: textOf('type'),
      possible_keys: maskNames(textOf('possible_keys'), masked),
      key: maskNames(textOf('key'), masked)?.join(',') ?? null,
      ref: textOf('ref')?.split(',').map(withoutSchema) ?? null,
      rows: numberOf('rows'),
      ...(filtered === null ? {} : { filtered }),
      notes: maskNotes(textOf('Extra'), masked),
    };
  });
}

/** Removes the schema from `schema.table.column`, because callers may not see the schema's name. */
function withoutSchema(text: string): string {
  return text.replace(/^[^.]+\.(?=[^.]+\.)/, '');
}

const MASK = '(hidden)';

/** Returns the names of indexes over hidden columns, for all tables that the statements read. */
function hiddenIndexes({ table, touches }: ExplainPlan): ReadonlySet<string> {
  const tables = touches
    .map((touch) => table.schema.findByName(touch.table))
    .filter((found): found is CompiledTable => found !== null);
  const hidden = tables.flatMap((compiledTable) =>
    compiledTable.indexes.filter((index) =>
      index.columns.some((part) => part.name === null || compiledTable.findColumn(part.name) === null),
    ),
  );
  return new Set(hidden.map((index) => index.name).filter((name) => name !== 'PRIMARY'));
}

function maskNames(text: string | null, masked: ReadonlySet<string>): string[] | null {
  return text === null || text === ''
    ? null
    : text.split(',').map((name) => (masked.has(name) ? MASK : name));
}

/** Masks hidden index names in a note of EXPLAIN such as `Using where; Using union(a,b)`. */
function maskNotes(text: string | null, masked: ReadonlySet<string>): string[] {
  if (text === null || text === '') return [];
  return text.split('; ').map((note) =>
    note.replace(
      /\(([^()]*)\)/g,
      (_, names: string) =>
        `(${names
          .split(',')
          .map((name) => (masked.has(name) ? MASK : name))
          .join(',')})`,
    ),
  );
}
