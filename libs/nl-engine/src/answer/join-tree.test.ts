import { expect, it } from 'vitest';
import { PathBudget } from '../resolve/table-graph.js';
import { SHOP_LEXICON } from '../../test/shop-lexicon.js';
import { JoinTree } from './join-tree.js';

const { graph, snapshot } = SHOP_LEXICON;
const find = (name: string): (typeof snapshot.tables)[number] => {
  const table = snapshot.tables.find((table) => table.name === name);
  if (table === undefined) throw new Error(name);
  return table;
};
const pathOf = (from: string, to: string): Parameters<JoinTree['addPath']>[1] =>
  graph.findPaths(find(from), find(to), new PathBudget())[0] ?? [];

it('JoinTree removes a table that only provides its join key from either end of a path', () => {
  const joins = new JoinTree(graph);
  joins.add('0', find('orders'));
  joins.addPath('0', pathOf('orders', 'customers'), '1');
  expect(joins.toText()).toBe('');
  joins.use('1', find('customers').columns.find((column) => column.name === 'city') ?? null);
  expect(joins.toText()).toBe('customers.id=orders.customer_id');
});

it('JoinTree retains a table that may have no or several rows for each joined row', () => {
  const joins = new JoinTree(graph);
  joins.add('0', find('customers'));
  joins.use('0', null);
  joins.addPath('0', pathOf('customers', 'orders'), '1');
  expect(joins.toText()).toBe('customers.id=orders.customer_id');
});

it('JoinTree moves a condition on the key of a removed table to the foreign key', () => {
  const joins = new JoinTree(graph);
  joins.add('0', find('order_items'));
  joins.addPath('0', pathOf('order_items', 'orders'), '1');
  joins.addPath('1', pathOf('orders', 'customers'), '2');
  expect(joins.toText()).toBe('');
  joins.use('2', find('customers').columns.find((column) => column.name === 'id') ?? null);
  expect(joins.toText()).toBe('order_items.order_id=orders.id');
});
