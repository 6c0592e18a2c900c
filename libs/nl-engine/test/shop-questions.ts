/**
 * Typical questions about the shop schema, each with SQL that answers it. The current date is November 21,
 * 2026.
 */
export const SHOP_QUESTIONS: readonly (readonly [question: string, sql: string])[] = [
  ['How many customers do we have?', 'SELECT COUNT(*) FROM customers'],
  [
    'how many different countries do our customers come from?',
    'SELECT COUNT(DISTINCT country) FROM customers',
  ],
  ['what is the average price of all products?', 'SELECT AVG(price) FROM products'],
  ['what are the minimum and maximum prices of products?', 'SELECT MIN(price), MAX(price) FROM products'],
  ['total stock of all products', 'SELECT SUM(stock) FROM products'],
  ['names and prices of all products', 'SELECT name, price FROM products'],
  ['list products by price, cheapest first', 'SELECT name FROM products ORDER BY price'],
  ['product names ordered by stock in descending order', 'SELECT name FROM products ORDER BY stock DESC'],
  ['what is the most expensive product?', 'SELECT name FROM products ORDER BY price DESC LIMIT 1'],
  ['the 3 cheapest products', 'SELECT name FROM products ORDER BY price LIMIT 3'],
  ['five most expensive products', 'SELECT name FROM products ORDER BY price DESC LIMIT 5'],
  ['price of the product with the lowest stock', 'SELECT price FROM products ORDER BY stock LIMIT 1'],
  ['products that cost more than 100', 'SELECT name FROM products WHERE price > 100'],
  ['products with a price between 20 and 50', 'SELECT name FROM products WHERE price BETWEEN 20 AND 50'],
  ['which products are out of stock?', 'SELECT name FROM products WHERE stock = 0'],
  ['how many products have a stock below 10?', 'SELECT COUNT(*) FROM products WHERE stock < 10'],
  ['products cheaper than 15', 'SELECT name FROM products WHERE price < 15'],
  [
    'products with a price above average',
    'SELECT name FROM products WHERE price > (SELECT AVG(price) FROM products)',
  ],
  [
    'which products cost more than the average price?',
    'SELECT name FROM products WHERE price > (SELECT AVG(price) FROM products)',
  ],
  [
    'products with a higher price than the average price of products in the Books category',
    "SELECT name FROM products WHERE price > (SELECT AVG(p.price) FROM products p JOIN categories c ON c.id = p.category_id WHERE c.name = 'Books')",
  ],
  [
    'products in the category Garden',
    "SELECT p.name FROM products p JOIN categories c ON c.id = p.category_id WHERE c.name = 'Garden'",
  ],
  [
    'how many products are in each category?',
    'SELECT c.name, COUNT(*) FROM products p JOIN categories c ON c.id = p.category_id GROUP BY c.id, c.name',
  ],
  [
    'average price per category',
    'SELECT c.name, AVG(p.price) FROM products p JOIN categories c ON c.id = p.category_id GROUP BY c.id, c.name',
  ],
  [
    'which category has the most products?',
    'SELECT c.name FROM categories c JOIN products p ON p.category_id = c.id GROUP BY c.id, c.name ORDER BY COUNT(*) DESC LIMIT 1',
  ],
  [
    'categories with more than 5 products',
    'SELECT c.name FROM categories c WHERE (SELECT COUNT(*) FROM products p WHERE p.category_id = c.id) > 5',
  ],
  [
    'categories whose average product price is above 50',
    'SELECT c.name FROM categories c JOIN products p ON p.category_id = c.id GROUP BY c.id, c.name HAVING AVG(p.price) > 50',
  ],
  [
    'categories without products',
    'SELECT name FROM categories WHERE id NOT IN (SELECT category_id FROM products)',
  ],
  ['names of suppliers from Germany', "SELECT name FROM suppliers WHERE country = 'Germany'"],
  [
    'how many suppliers are in France or Italy?',
    "SELECT COUNT(*) FROM suppliers WHERE country IN ('France', 'Italy')",
  ],
  ['suppliers that are not from Germany', "SELECT name FROM suppliers WHERE country <> 'Germany'"],
  [
    'which supplier supplies the most products?',
    'SELECT s.name FROM suppliers s JOIN products p ON p.supplier_id = s.id GROUP BY s.id, s.name ORDER BY COUNT(*) DESC LIMIT 1',
  ],
  ['number of suppliers per country', 'SELECT country, COUNT(*) FROM suppliers GROUP BY country'],
  [
    'products supplied by Acme',
    "SELECT p.name FROM products p JOIN suppliers s ON s.id = p.supplier_id WHERE s.name = 'Acme'",
  ],
  ['how many customers live in Berlin?', "SELECT COUNT(*) FROM customers WHERE city = 'Berlin'"],
  [
    'first and last names of customers in Paris',
    "SELECT first_name, last_name FROM customers WHERE city = 'Paris'",
  ],
  [
    'emails of customers from Germany who live in Berlin',
    "SELECT email FROM customers WHERE country = 'Germany' AND city = 'Berlin'",
  ],
  [
    'customers who never ordered anything',
    'SELECT first_name, last_name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)',
  ],
  [
    'which customers have never placed an order?',
    'SELECT first_name, last_name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)',
  ],
  [
    'how many customers have no orders?',
    'SELECT COUNT(*) FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)',
  ],
  [
    'customers with more than 5 orders',
    'SELECT first_name, last_name FROM customers c WHERE (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.id) > 5',
  ],
  [
    'who has placed the most orders?',
    'SELECT c.first_name, c.last_name FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.first_name, c.last_name ORDER BY COUNT(*) DESC LIMIT 1',
  ],
  ['number of customers per city', 'SELECT city, COUNT(*) FROM customers GROUP BY city'],
  [
    'which city has the most customers?',
    'SELECT city FROM customers GROUP BY city ORDER BY COUNT(*) DESC LIMIT 1',
  ],
  ['cities with at least 4 customers', 'SELECT city FROM customers GROUP BY city HAVING COUNT(*) >= 4'],
  ['how many orders are pending?', "SELECT COUNT(*) FROM orders WHERE status = 'pending'"],
  ['number of orders by status', 'SELECT status, COUNT(*) FROM orders GROUP BY status'],
  [
    'how many orders were cancelled last month?',
    "SELECT COUNT(*) FROM orders WHERE status = 'cancelled' AND placed_at >= '2026-10-01' AND placed_at < '2026-11-01'",
  ],
  ['total of all paid orders', "SELECT SUM(total) FROM orders WHERE status = 'paid'"],
  ['average order total', 'SELECT AVG(total) FROM orders'],
  [
    'what is the highest order total this year?',
    "SELECT MAX(total) FROM orders WHERE placed_at >= '2026-01-01' AND placed_at < '2027-01-01'",
  ],
  [
    'how many orders were placed in 2025?',
    "SELECT COUNT(*) FROM orders WHERE placed_at >= '2025-01-01' AND placed_at < '2026-01-01'",
  ],
  [
    'orders placed in the last 7 days with a total above 200',
    "SELECT id FROM orders WHERE placed_at >= '2026-11-14' AND placed_at < '2026-11-22' AND total > 200",
  ],
  ['sum of totals per order status', 'SELECT status, SUM(total) FROM orders GROUP BY status'],
  [
    'sum of order totals for each customer',
    'SELECT c.first_name, c.last_name, SUM(o.total) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.first_name, c.last_name',
  ],
  [
    'average order total per country',
    'SELECT c.country, AVG(o.total) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.country',
  ],
  [
    'how many orders did customers from France place?',
    "SELECT COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.country = 'France'",
  ],
  [
    'average number of orders per customer',
    'SELECT AVG((SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.id)) FROM customers c',
  ],
  ['what percentage of orders are cancelled?', "SELECT 100 * AVG(status = 'cancelled') FROM orders"],
  [
    'orders that contain the product "Desk lamp"',
    "SELECT DISTINCT o.id FROM orders o JOIN order_items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id WHERE p.name = 'Desk lamp'",
  ],
  [
    'products that were never ordered',
    'SELECT name FROM products WHERE id NOT IN (SELECT product_id FROM order_items)',
  ],
  [
    'customers who bought both "Desk lamp" and "Garden hose"',
    "SELECT first_name, last_name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o JOIN order_items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id WHERE o.customer_id = c.id AND p.name = 'Desk lamp') AND EXISTS (SELECT 1 FROM orders o JOIN order_items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id WHERE o.customer_id = c.id AND p.name = 'Garden hose')",
  ],
  ['products without reviews', 'SELECT name FROM products WHERE id NOT IN (SELECT product_id FROM reviews)'],
  [
    'average rating per product',
    'SELECT p.name, AVG(r.rating) FROM products p JOIN reviews r ON r.product_id = p.id GROUP BY p.id, p.name',
  ],
  [
    'which product has the highest average rating?',
    'SELECT p.name FROM products p JOIN reviews r ON r.product_id = p.id GROUP BY p.id, p.name ORDER BY AVG(r.rating) DESC LIMIT 1',
  ],
  [
    'top 3 products by number of reviews',
    'SELECT p.name FROM products p JOIN reviews r ON r.product_id = p.id GROUP BY p.id, p.name ORDER BY COUNT(*) DESC LIMIT 3',
  ],
  [
    'products with an average rating above 4',
    'SELECT p.name FROM products p JOIN reviews r ON r.product_id = p.id GROUP BY p.id, p.name HAVING AVG(r.rating) > 4',
  ],
  ['how many reviews have a rating of 5?', 'SELECT COUNT(*) FROM reviews WHERE rating = 5'],
  ['number of reviews with a rating of 1 or 2', 'SELECT COUNT(*) FROM reviews WHERE rating IN (1, 2)'],
  [
    'how many reviews did customers from Italy write?',
    "SELECT COUNT(*) FROM reviews r JOIN customers c ON c.id = r.customer_id WHERE c.country = 'Italy'",
  ],
  ['average salary of employees', 'SELECT AVG(salary) FROM employees'],
  [
    'the name of the employee with the highest salary',
    'SELECT name FROM employees ORDER BY salary DESC LIMIT 1',
  ],
  [
    'employees who earn more than the average salary',
    'SELECT name FROM employees WHERE salary > (SELECT AVG(salary) FROM employees)',
  ],
  ['average salary per job title', 'SELECT job_title, AVG(salary) FROM employees GROUP BY job_title'],
  [
    'how many employees work in each store?',
    'SELECT s.name, COUNT(*) FROM stores s JOIN employees e ON e.store_id = s.id GROUP BY s.id, s.name',
  ],
  ['employees hired after 2020', "SELECT name FROM employees WHERE hired_on >= '2021-01-01'"],
  [
    'job titles with an average salary above 4000',
    'SELECT job_title FROM employees GROUP BY job_title HAVING AVG(salary) > 4000',
  ],
  [
    'which stores have no employees?',
    'SELECT name FROM stores WHERE id NOT IN (SELECT store_id FROM employees)',
  ],
  [
    'names of employees who work in Berlin',
    "SELECT e.name FROM employees e JOIN stores s ON s.id = e.store_id WHERE s.city = 'Berlin'",
  ],
  [
    'how many employees are there per city?',
    'SELECT s.city, COUNT(*) FROM employees e JOIN stores s ON s.id = e.store_id GROUP BY s.city',
  ],
];
