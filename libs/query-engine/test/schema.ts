/** The schema of the test cases. */
export const CASE_SCHEMA_SQL: readonly string[] = [
  'CREATE TABLE users (id INT AUTO_INCREMENT PRIMARY KEY, username VARCHAR(50) NOT NULL, email VARCHAR(255) NOT NULL, bio TEXT, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, KEY idx_username (username), FULLTEXT KEY ft_bio (bio))',
  'CREATE TABLE posts (id INT AUTO_INCREMENT PRIMARY KEY, title VARCHAR(255) NOT NULL, content TEXT NOT NULL, user_id INT NOT NULL, published BOOLEAN DEFAULT FALSE, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, KEY idx_user (user_id), KEY idx_created (created_at))',
  'CREATE TABLE comments (id INT AUTO_INCREMENT PRIMARY KEY, content TEXT NOT NULL, user_id INT NOT NULL, post_id INT NOT NULL, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)',
  'CREATE TABLE tags (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(100) NOT NULL, description TEXT)',
  'CREATE TABLE post_tags (post_id INT NOT NULL, tag_id INT NOT NULL, PRIMARY KEY (post_id, tag_id))',
  'CREATE TABLE products (id INT PRIMARY KEY, name VARCHAR(80), price DECIMAL(10,2), category VARCHAR(30), attributes LONGTEXT)',
  'CREATE TABLE orders (id INT PRIMARY KEY, user_id INT, total DECIMAL(12,2), status VARCHAR(20), placed_at DATETIME, meta LONGTEXT, `offset` INT, `window` INT)',
  'CREATE TABLE order_items (order_id INT, product_id INT, quantity INT, unit_price DECIMAL(10,2), PRIMARY KEY (order_id, product_id))',
  'CREATE TABLE employees (id INT PRIMARY KEY, manager_id INT, name VARCHAR(80), salary DECIMAL(10,2), department VARCHAR(40), hired_on DATE, shift_start TIME)',
  'CREATE TABLE `order` (id INT PRIMARY KEY, `from` VARCHAR(20), `group` INT)',
  'CREATE TABLE `2fa_codes` (id INT PRIMARY KEY, code CHAR(6))',
  'CREATE TABLE secrets (id INT PRIMARY KEY, s VARCHAR(80))',
  'CREATE TABLE payroll (id INT PRIMARY KEY, amount INT)',
];

export const KNOWN_TABLES = [
  'users',
  'posts',
  'comments',
  'tags',
  'post_tags',
  'products',
  'orders',
  'order_items',
  'employees',
  'order',
  '2fa_codes',
] as const;

export const HIDDEN_TABLES = ['secrets', 'payroll'] as const;

/** Replaces `{schema}` in a test case with the name of the case's own database. */
export function fillSchemaName(sql: string, schemaName: string): string {
  return sql.replaceAll('{schema}', schemaName);
}
