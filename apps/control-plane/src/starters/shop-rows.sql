-- Sample rows of the shop. Their dates are relative to the day on which they are inserted.
INSERT INTO categories (id, name, description) VALUES
  (1, 'Coffee', 'Beans and ground coffee'),
  (2, 'Tea', 'Loose leaf tea'),
  (3, 'Equipment', 'Grinders, kettles and filters');

INSERT INTO products (id, category_id, sku, name, description, price, stock, active, created_at) VALUES
  (1, 1, 'COF-001', 'Yirgacheffe, 250 g', 'Washed, with notes of lemon', 11.90, 84, TRUE,
    NOW() - INTERVAL 5200 HOUR),
  (2, 1, 'COF-002', 'Huila, 250 g', 'Caramel and red apple', 10.50, 120, TRUE, NOW() - INTERVAL 5198 HOUR),
  (3, 1, 'COF-003', 'House blend, 1 kg', 'For espresso', 24.00, 37, TRUE, NOW() - INTERVAL 5197 HOUR),
  (4, 2, 'TEA-001', 'Sencha, 100 g', 'First harvest', 14.20, 52, TRUE, NOW() - INTERVAL 4100 HOUR),
  (5, 2, 'TEA-002', 'Assam, 100 g', NULL, 7.80, 0, TRUE, NOW() - INTERVAL 4099 HOUR),
  (6, 3, 'EQP-001', 'Hand grinder', 'Steel burrs', 89.00, 11, TRUE, NOW() - INTERVAL 3000 HOUR),
  (7, 3, 'EQP-002', 'Paper filters, 100 pieces', NULL, 4.50, 300, TRUE, NOW() - INTERVAL 2999 HOUR),
  (8, 3, 'EQP-003', 'Enamel kettle', 'No longer produced', 45.00, 0, FALSE, NOW() - INTERVAL 2998 HOUR);

INSERT INTO customers (id, name, email, phone, created_at) VALUES
  (1, 'Maria Oliveira', 'maria@example.com', '+351 555 0101', NOW() - INTERVAL 4000 HOUR),
  (2, 'Jonas Weber', 'jonas@example.com', NULL, NOW() - INTERVAL 3300 HOUR),
  (3, 'Aiko Tanaka', 'aiko@example.com', '+81 555 0103', NOW() - INTERVAL 2100 HOUR),
  (4, 'Samuel Okoye', 'samuel@example.com', NULL, NOW() - INTERVAL 900 HOUR);

INSERT INTO orders (id, customer_id, status, placed_at, created_at) VALUES
  (1, 1, 'shipped', NOW() - INTERVAL 2600 HOUR, NOW() - INTERVAL 2601 HOUR),
  (2, 2, 'shipped', NOW() - INTERVAL 1900 HOUR, NOW() - INTERVAL 1902 HOUR),
  (3, 1, 'cancelled', NOW() - INTERVAL 1500 HOUR, NOW() - INTERVAL 1500 HOUR),
  (4, 3, 'shipped', NOW() - INTERVAL 1100 HOUR, NOW() - INTERVAL 1101 HOUR),
  (5, 1, 'paid', NOW() - INTERVAL 300 HOUR, NOW() - INTERVAL 301 HOUR),
  (6, 4, 'placed', NOW() - INTERVAL 49 HOUR, NOW() - INTERVAL 50 HOUR),
  (7, 2, 'cart', NULL, NOW() - INTERVAL 5 HOUR);

INSERT INTO order_items (id, order_id, product_id, quantity, unit_price) VALUES
  (1, 1, 1, 2, 11.90), (2, 1, 7, 1, 4.50), (3, 2, 6, 1, 85.00), (4, 2, 3, 1, 24.00), (5, 3, 8, 1, 45.00),
  (6, 4, 4, 3, 14.20), (7, 4, 5, 1, 7.80), (8, 5, 2, 4, 10.50), (9, 6, 1, 1, 11.90), (10, 6, 6, 1, 89.00),
  (11, 7, 3, 2, 24.00);
