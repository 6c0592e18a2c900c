import { expect, it } from 'vitest';
import { SHOP_LEXICON } from '../../test/shop-lexicon.js';
import { listKeyColumns } from './shown-labels.js';

it('the columns that each reference another table are listed', () => {
  const find = (name: string): (typeof SHOP_LEXICON.snapshot.tables)[number] => {
    const table = SHOP_LEXICON.snapshot.tables.find((table) => table.name === name);
    if (table === undefined) throw new Error(name);
    return table;
  };
  expect(listKeyColumns(find('products'), find('categories')).map((column) => column.name)).toEqual([
    'category_id',
  ]);
  expect(listKeyColumns(find('categories'), find('products'))).toEqual([]);
});
