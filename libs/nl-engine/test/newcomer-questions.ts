/**
 * Short questions of new users about a small schema, each with SQL that answers it. The current date is
 * November 21, 2026.
 */
export const DEPOT_QUESTIONS: readonly (readonly [question: string, sql: string])[] = [
  ['newest order', 'SELECT id FROM orders ORDER BY placed_at DESC LIMIT 1'],
  ['the 3 oldest orders', 'SELECT id FROM orders ORDER BY placed_at LIMIT 3'],
  ['total amount per order', 'SELECT order_id, SUM(amount) FROM order_items GROUP BY order_id'],
  [
    'stock of red lamp',
    "SELECT SUM(s.on_hand) FROM stock s JOIN products p ON p.id = s.product_id WHERE p.name = 'red lamp'",
  ],
  [
    'total stock per warehouse',
    'SELECT w.name, SUM(s.on_hand) FROM stock s JOIN warehouses w ON w.id = s.warehouse_id GROUP BY w.id, w.name',
  ],
  [
    'sum of qty per product',
    'SELECT p.name, SUM(i.qty) FROM order_items i JOIN products p ON p.id = i.product_id GROUP BY p.id, p.name',
  ],
  [
    'orders of Ann',
    "SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.name = 'Ann'",
  ],
  ['customers born before 2000', "SELECT name FROM customers WHERE born < '2000-01-01'"],
  [
    'how many orders does Ann have?',
    "SELECT COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.name = 'Ann'",
  ],
  ['orders that have not been shipped', 'SELECT id FROM orders WHERE shipped_at IS NULL'],
  [
    'stock per product',
    'SELECT p.name, SUM(s.on_hand) FROM stock s JOIN products p ON p.id = s.product_id GROUP BY p.id, p.name',
  ],
  ['qty per order', 'SELECT order_id, SUM(qty) FROM order_items GROUP BY order_id'],
  [
    'products with stock below 25',
    'SELECT p.name FROM products p WHERE (SELECT SUM(s.on_hand) FROM stock s WHERE s.product_id = p.id) < 25',
  ],
];

export const NURSERY_QUESTIONS: readonly (readonly [question: string, sql: string])[] = [
  ['newest delivery', 'SELECT id FROM deliveries ORDER BY delivered_at DESC LIMIT 1'],
  ['total cost per delivery', 'SELECT delivery_id, SUM(cost) FROM delivery_lines GROUP BY delivery_id'],
  [
    'inventory of Blue Fern',
    "SELECT SUM(i.units) FROM inventory i JOIN plants p ON p.id = i.plant_id WHERE p.name = 'Blue Fern'",
  ],
  [
    'total inventory per greenhouse',
    'SELECT g.name, SUM(i.units) FROM inventory i JOIN greenhouses g ON g.id = i.greenhouse_id GROUP BY g.id, g.name',
  ],
  [
    'sum of amt per plant',
    'SELECT p.name, SUM(l.amt) FROM delivery_lines l JOIN plants p ON p.id = l.plant_id GROUP BY p.id, p.name',
  ],
  [
    'deliveries of Gina',
    "SELECT d.id FROM deliveries d JOIN growers g ON g.id = d.grower_id WHERE g.first_name = 'Gina'",
  ],
  [
    'inventory per greenhouse',
    'SELECT g.name, SUM(i.units) FROM inventory i JOIN greenhouses g ON g.id = i.greenhouse_id GROUP BY g.id, g.name',
  ],
  [
    'plants with an inventory above 50',
    'SELECT p.name FROM plants p WHERE (SELECT SUM(i.units) FROM inventory i WHERE i.plant_id = p.id) > 50',
  ],
  ['growers born after 1980', "SELECT first_name, last_name FROM growers WHERE born >= '1981-01-01'"],
];
