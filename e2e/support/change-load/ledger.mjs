// @ts-check
/**
 * Records which writes were acknowledged. One process sends all requests and keeps the record. `checkLedger`
 * compares it with the rows in the database.
 */

/**
 * @typedef {object} Ledger
 * @property {Record<string, 'made' | 'gone' | 'unsure'>} items keyed by mark
 * @property {Record<string, 'made' | 'unsure'>} notes keyed by mark, whose first part is the mark of the item
 * @property {Record<string, 'made' | 'unsure'>} pins
 * @property {Record<string, { sure: number, unsure: number }>} hits keyed by the mark of the item
 */

/** @returns {Ledger} */
export function createLedger() {
  return { items: {}, notes: {}, pins: {}, hits: {} };
}

/** Returns the mark of the item that a note or pin belongs to. @param {string} mark */
function itemOf(mark) {
  return mark.split('/')[0] ?? mark;
}

/**
 * Lists acknowledged writes that are not in the database as expected.
 * @param {import('mysql2/promise').Connection} direct a connection to the tenant's schema
 * @param {{ table: string, pins: 'go' | 'stay' | 'alone' }} change `table` is the current name of `items`,
 *   and `pins` says what happens to a pin whose item is deleted
 * @param {Ledger} ledger
 * @returns {Promise<string[]>}
 */
export async function checkLedger(direct, { table, pins }, ledger) {
  /** @type {string[]} */
  const lost = [];
  const read = async (/** @type {string} */ sql) => {
    const [rows] = await direct.query(sql);
    return /** @type {Record<string, any>[]} */ (rows);
  };
  const items = new Map((await read(`SELECT mark, id, hits FROM ${table}`)).map((row) => [row['mark'], row]));
  for (const [mark, state] of Object.entries(ledger.items)) {
    if (state === 'made' && !items.has(mark)) lost.push(`item ${mark} was made and is not there`);
    if (state === 'gone' && items.has(mark)) lost.push(`item ${mark} was deleted and is there`);
  }
  for (const [mark, { sure, unsure }] of Object.entries(ledger.hits)) {
    const found = Number(items.get(mark)?.['hits'] ?? 0);
    if (found < sure || found > sure + unsure) lost.push(`item ${mark} has ${found} hits instead of ${sure}`);
  }
  for (const child of /** @type {const} */ (['notes', 'pins'])) {
    const rows = new Map((await read(`SELECT mark, item_id FROM ${child}`)).map((row) => [row['mark'], row]));
    for (const [mark, state] of Object.entries(ledger[child])) {
      if (state === 'made')
        lost.push(
          ...checkChild(
            pins === 'alone' ? 'alone' : child === 'notes' ? 'go' : pins,
            `${child} ${mark}`,
            rows.get(mark),
            items.get(itemOf(mark)),
            ledger.items[itemOf(mark)],
          ),
        );
    }
  }
  return lost;
}

/**
 * @param {'go' | 'stay' | 'alone'} fate what happens to the child when its item is deleted
 * @param {string} name
 * @param {Record<string, any> | undefined} row
 * @param {Record<string, any> | undefined} item
 * @param {string | undefined} state of the item, or undefined if it was seeded
 */
function checkChild(fate, name, row, item, state) {
  if (fate === 'alone') return row === undefined ? [`${name} was made and is not there`] : [];
  const isItemThere = state === undefined || state === 'made';
  if (isItemThere && row === undefined) return [`${name} was made and is not there`];
  if (isItemThere && String(row?.['item_id']) !== String(item?.['id']))
    return [`${name} has item ${row?.['item_id']} instead of ${item?.['id']}`];
  if (state !== 'gone') return [];
  if (fate === 'go') return row === undefined ? [] : [`${name} is there, and its item was deleted`];
  if (row === undefined) return [`${name} was made and is not there`];
  return row['item_id'] === null ? [] : [`${name} still has its item, which was deleted`];
}
