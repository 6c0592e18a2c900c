// @ts-check
import {
  canonical,
  expectDistinct,
  expectGroups,
  expectRecords,
  findRows,
  keyOf,
  showItem,
  textOf,
  toMembers,
} from './expect-answer.mjs';
import { markNumbers } from './evaluate.mjs';
import { FILTERED_WRITES } from './make-request.mjs';
import { chosenChange, chosenRow } from './send-request.mjs';

/** @typedef {import('./make-request.mjs').Request} Request */
/** @typedef {import('./make-tables.mjs').Table} Table */
/** @typedef {import('./expect-answer.mjs').Cell} Cell */
/** @typedef {import('./expect-answer.mjs').Expected} Expected */

/** @param {Request} request @param {Table} table @returns {Expected} */
export function expectResponse(request, table) {
  if (request.aggregate !== null) return expectGroups(request, table);
  if (request.distinct !== null) return expectDistinct(request, table);
  if (request.form === 'single' || request.form === 'batch') return expectOne(request, table);
  if (request.form === 'include') return expectIncluded(request, table);
  return expectRecords(request, table);
}

/** @param {Request} request @param {Table} table @returns {Expected} */
function expectOne(request, table) {
  const change = request.form === 'batch' ? chosenChange(request, table) : null;
  if (request.form === 'batch' && change === null) return { members: [], rows: [], order: 'exact' };
  const row = {
    ...chosenRow(request, table),
    ...(change === null ? {} : { [change.column.name]: change.value }),
  };
  const members =
    (request.form === 'single' ? request.select : null) ?? table.columns.map((column) => column.name);
  return {
    members: toMembers(members),
    rows: [members.map((item) => showItem(table, row, item))],
    order: 'exact',
  };
}

/** @param {Request} request @param {Table} table @returns {Expected} */
function expectIncluded(request, table) {
  const names = table.columns.map((column) => column.name);
  const expected = expectRecords(
    { ...request, select: [...new Set(['id', ...(request.select ?? names)])] },
    table,
  );
  const plain = expectRecords(request, table);
  const created = table.created[0];
  const ids = expected.rows.map((cells) => [...(cells[0] instanceof Set ? cells[0] : [])][0]);
  const include = (/** @type {string | undefined} */ id) => {
    if (created !== undefined)
      return created.table.rows
        .filter((row) => textOf(`#${row['maker_id']}`) === id)
        .slice(0, request.limit)
        .map((row) => ({ id: `#${row['id']}` }));
    const own = table.rows.find((row) => textOf(`#${row['id']}`) === id);
    const maker = table.maker?.rows.find((row) => row['id'] === own?.['maker_id']);
    return maker === undefined || table.maker === null
      ? null
      : Object.fromEntries(
          table.maker.columns.map((column) => [
            column.name,
            maker[column.name] === null ? null : column.kind.show(maker[column.name]),
          ]),
        );
  };
  const order = plain.order;
  return {
    members: [...plain.members, created?.name ?? 'maker'],
    rows: plain.rows.map((cells, index) => [...cells, new Set([textOf(include(ids[index]))])]),
    order,
  };
}

/**
 * Returns what is wrong with a response, or null when it is correct.
 * @param {Request} request
 * @param {Table} table
 * @param {import('./send-request.mjs').Reply} reply
 * @returns {string | null}
 */
export function compareResponse(request, table, reply) {
  if (reply.fault !== null) return reply.fault;
  const found = findRows(request, table).length;
  if (request.form === 'count' || FILTERED_WRITES.has(request.form))
    return reply.total === found ? null : `counts ${reply.total}, expected ${found}`;
  const expected = expectResponse(request, table);
  const total = request.aggregate !== null ? expected.rows.length : found;
  if (reply.total !== null && reply.total !== total)
    return `X-Total-Count is ${reply.total}, expected ${total}`;
  const rows = reply.csv === null ? reply.rows : parseCsv(reply.csv, expected.members);
  if (typeof rows === 'string') return rows;
  const strange = rows.find((row) => textOf(Object.keys(row)) !== textOf(expected.members));
  if (strange !== undefined)
    return `members are ${textOf(Object.keys(strange))}, expected ${textOf(expected.members)}`;
  if (rows.length !== expected.rows.length)
    return `${rows.length} rows, expected ${expected.rows.length}: ${describeDifference(rows, expected)}`;
  const medium = reply.csv !== null ? 'csv' : request.form === 'tool' ? 'tool' : 'json';
  return expected.order === 'exact'
    ? compareInOrder(rows, expected, medium)
    : compareUnordered(rows, expected, expected.order, medium);
}

/** @param {any[]} rows @param {Expected} expected */
function describeDifference(rows, { rows: expected, members }) {
  const texts = rows.map((row) => members.map((name) => textOf(canonical(row[name]))).join('|'));
  const wantedTexts = expected.map((cells) =>
    cells
      .map((cell) => (cell instanceof Set ? textOf(canonical(JSON.parse([...cell][0] ?? 'null'))) : '?'))
      .join('|'),
  );
  return `more ${texts
    .filter((text) => !wantedTexts.includes(text))
    .slice(0, 2)
    .join(' ; ')}, less ${wantedTexts
    .filter((text) => !texts.includes(text))
    .slice(0, 2)
    .join(' ; ')}`;
}

/**
 * Returns a value with each number in one notation. MCP tools return a number that a double would round as a
 * text.
 * @param {any} value
 * @returns {any}
 */
function toPlain(value) {
  if (typeof value === 'string') return canonical(`#${value.replace(/^#/, '')}`);
  if (Array.isArray(value)) return value.map(toPlain);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toPlain(item)]));
}

/** @typedef {'json' | 'csv' | 'tool'} Medium */

/** @param {any} value @param {Cell | undefined} cell @param {Medium} medium @param {string} name */
function isSame(value, cell, medium, name) {
  if (cell === undefined) return false;
  if ('near' in cell) return Math.abs(Number(String(value).replace('#', '')) - cell.near) <= cell.by;
  if (medium === 'tool')
    return [...cell].some(
      (text) => textOf(toPlain(canonical(JSON.parse(text)))) === textOf(toPlain(canonical(value))),
    );
  if (medium === 'csv' && name !== 'doc') return [...cell].some((text) => csvOf(JSON.parse(text)) === value);
  return cell.has(textOf(value)) || cell.has(textOf(canonical(value)));
}

/**
 * Returns a response value as it would appear in a CSV field, or null for an object or array.
 * @param {any} value
 * @returns {string | null}
 */
function csvOf(value) {
  if (value === null) return null;
  return Array.isArray(value) ? value.join(',') : String(value).replace(/^#/, '');
}

/** @param {any[]} rows @param {Expected} expected @param {Medium} medium */
function compareInOrder(rows, { rows: expected, members }, medium) {
  for (const [index, cells] of expected.entries()) {
    for (const [position, name] of members.entries()) {
      const cell = cells[position];
      if (!isSame(rows[index][name], cell, medium, name))
        return `row ${index} has ${name} ${textOf(rows[index][name])}, expected ${cell !== undefined && 'near' in cell ? `about ${cell.near}` : [...(cell ?? [])].join(' or ')}`;
    }
  }
  return null;
}

/**
 * @param {any[]} rows
 * @param {Expected} expected
 * @param {(a: readonly string[], b: readonly string[]) => number} order
 * @param {Medium} medium
 */
function compareUnordered(rows, { rows: expected, members }, order, medium) {
  const left = [...expected];
  /** @type {string[][]} */
  const keys = [];
  for (const row of rows) {
    const index = left.findIndex((cells) =>
      members.every((name, position) => isSame(row[name], cells[position], medium, name)),
    );
    if (index < 0) return `has ${textOf(row).slice(0, 200)} once too often`;
    keys.push((left[index] ?? []).map((cell) => keyOf([cell])));
    left.splice(index, 1);
  }
  const fault = keys.findIndex(
    (rowKeys, index) => index > 0 && order(/** @type {string[]} */ (keys[index - 1]), rowKeys) > 0,
  );
  return fault < 0 ? null : `row ${fault} comes before the row in front of it`;
}

/** @param {string} text @param {readonly string[]} members @returns {any[] | string} */
function parseCsv(text, members) {
  /** @type {string[][]} */
  const lines = [];
  let line = [];
  for (const [, field = '', end] of text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)) {
    line.push(field);
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  const [head, ...rest] = lines;
  if (textOf(head) !== textOf(members)) return `the head is ${textOf(head)}, expected ${textOf(members)}`;
  return rest.map((fields) =>
    Object.fromEntries(
      members.map((name, index) => {
        const field = fields[index] ?? '';
        const value =
          field === '' ? null : field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
        return [name, name === 'doc' && value !== null ? JSON.parse(markNumbers(value)) : value];
      }),
    ),
  );
}
