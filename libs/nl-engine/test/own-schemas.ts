import type { RawSchema } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';

const id = rawColumn('id', 'int(11)', { autoIncrement: true });
const number = (name: string): ReturnType<typeof rawColumn> => rawColumn(name, 'int(11)');
const text = (name: string): ReturnType<typeof rawColumn> => rawColumn(name, 'varchar(100)');
const money = (name: string): ReturnType<typeof rawColumn> => rawColumn(name, 'decimal(10,2)');

/** A typical schema of a small shop. */
export const SHOP_SCHEMA: RawSchema = {
  engine: 'mariadb',
  tables: [
    rawTable('categories', [id, text('name')]),
    rawTable('suppliers', [id, text('name'), text('country')]),
    rawTable(
      'products',
      [id, text('name'), number('category_id'), number('supplier_id'), money('price'), number('stock')],
      {
        foreignKeys: [
          foreignKey('products', 'category_id', 'categories'),
          foreignKey('products', 'supplier_id', 'suppliers'),
        ],
      },
    ),
    rawTable('customers', [
      id,
      text('first_name'),
      text('last_name'),
      text('email'),
      text('city'),
      text('country'),
      rawColumn('created_at', 'datetime'),
    ]),
    rawTable(
      'orders',
      [
        id,
        number('customer_id'),
        rawColumn('status', "enum('pending','paid','shipped','delivered','cancelled')"),
        money('total'),
        rawColumn('placed_at', 'datetime'),
      ],
      {
        foreignKeys: [foreignKey('orders', 'customer_id', 'customers')],
      },
    ),
    rawTable(
      'order_items',
      [id, number('order_id'), number('product_id'), number('quantity'), money('unit_price')],
      {
        foreignKeys: [
          foreignKey('order_items', 'order_id', 'orders'),
          foreignKey('order_items', 'product_id', 'products'),
        ],
      },
    ),
    rawTable(
      'reviews',
      [
        id,
        number('product_id'),
        number('customer_id'),
        number('rating'),
        text('body'),
        rawColumn('created_at', 'datetime'),
      ],
      {
        foreignKeys: [
          foreignKey('reviews', 'product_id', 'products'),
          foreignKey('reviews', 'customer_id', 'customers'),
        ],
      },
    ),
    rawTable('stores', [id, text('name'), text('city')]),
    rawTable(
      'employees',
      [
        id,
        text('name'),
        text('job_title'),
        money('salary'),
        rawColumn('hired_on', 'date'),
        number('store_id'),
      ],
      {
        foreignKeys: [foreignKey('employees', 'store_id', 'stores')],
      },
    ),
  ],
};

/**
 * A schema of a mail-order shop with warehouses. Names consist of one word, events are verbs, and words for
 * amounts are abbreviated.
 */
export const DEPOT_SCHEMA: RawSchema = {
  engine: 'mariadb',
  tables: [
    rawTable('customers', [id, text('name'), text('email'), text('city'), rawColumn('born', 'date')]),
    rawTable('products', [id, text('name'), money('price')]),
    rawTable('warehouses', [id, text('name'), text('city')]),
    rawTable('stock', [number('warehouse_id'), number('product_id'), number('on_hand')], {
      primaryKey: ['warehouse_id', 'product_id'],
      foreignKeys: [
        foreignKey('stock', 'warehouse_id', 'warehouses'),
        foreignKey('stock', 'product_id', 'products'),
      ],
    }),
    rawTable(
      'orders',
      [
        id,
        number('customer_id'),
        rawColumn('placed_at', 'datetime'),
        rawColumn('shipped_at', 'datetime', { nullable: true }),
      ],
      { foreignKeys: [foreignKey('orders', 'customer_id', 'customers')] },
    ),
    rawTable('order_items', [id, number('order_id'), number('product_id'), number('qty'), money('amount')], {
      foreignKeys: [
        foreignKey('order_items', 'order_id', 'orders'),
        foreignKey('order_items', 'product_id', 'products'),
      ],
    }),
  ],
};

/**
 * A schema of a plant nursery with the same kinds of tables under other names. It has first and last names,
 * and a single time column.
 */
export const NURSERY_SCHEMA: RawSchema = {
  engine: 'mariadb',
  tables: [
    rawTable('growers', [id, text('first_name'), text('last_name'), rawColumn('born', 'date')]),
    rawTable('plants', [id, text('name'), text('color')]),
    rawTable('greenhouses', [id, text('name')]),
    rawTable(
      'inventory',
      [id, number('greenhouse_id'), number('plant_id'), number('units'), rawColumn('counted_on', 'date')],
      {
        foreignKeys: [
          foreignKey('inventory', 'greenhouse_id', 'greenhouses'),
          foreignKey('inventory', 'plant_id', 'plants'),
        ],
      },
    ),
    rawTable('deliveries', [id, number('grower_id'), rawColumn('delivered_at', 'datetime')], {
      foreignKeys: [foreignKey('deliveries', 'grower_id', 'growers')],
    }),
    rawTable(
      'delivery_lines',
      [id, number('delivery_id'), number('plant_id'), number('amt'), money('cost')],
      {
        foreignKeys: [
          foreignKey('delivery_lines', 'delivery_id', 'deliveries'),
          foreignKey('delivery_lines', 'plant_id', 'plants'),
        ],
      },
    ),
  ],
};
