// @ts-check
/**
 * Returns whether two results are equivalent. The order of columns and duplicate rows never matter, and the
 * order of rows only matters when the gold query sorts them.
 * @param {string[][]} gold
 * @param {string[][]} found
 * @param {boolean} isOrdered
 */
export function isSameResult(gold, found, isOrdered) {
  const width = gold[0]?.length ?? found[0]?.length ?? 0;
  if (gold.length === 0 || found.length === 0) return gold.length === found.length;
  if (found[0]?.length !== width) return false;
  for (const order of listOrders(gold, found, width)) {
    const turned = found.map((row) => order.map((index) => row[index] ?? ''));
    if (sameRows(gold, turned, isOrdered)) return true;
  }
  return false;
}

/** @param {string[][]} gold @param {string[][]} found @param {boolean} isOrdered */
function sameRows(gold, found, isOrdered) {
  const [a, b] = [gold, found].map((rows) => [...new Set(rows.map((row) => row.join('\u0001')))]);
  if (a === undefined || b === undefined || a.length !== b.length) return false;
  if (isOrdered) return a.every((row, index) => row === b[index]);
  const known = new Set(a);
  return b.every((row) => known.has(row));
}

/**
 * Returns the column orders in which the found values could match the gold values.
 * @param {string[][]} gold
 * @param {string[][]} found
 * @param {number} width
 * @returns {number[][]}
 */
function listOrders(gold, found, width) {
  const sets = (/** @type {string[][]} */ rows) =>
    Array.from({ length: width }, (_, index) =>
      JSON.stringify([...new Set(rows.map((row) => row[index] ?? ''))].sort((a, b) => (a < b ? -1 : 1))),
    );
  const [requested, got] = [sets(gold), sets(found)];
  /** @type {number[][]} */
  let orders = [[]];
  for (let index = 0; index < width; index += 1) {
    orders = orders
      .flatMap((order) =>
        got.flatMap((set, position) =>
          set === requested[index] && !order.includes(position) ? [[...order, position]] : [],
        ),
      )
      .slice(0, 24);
  }
  return orders;
}
