import { expect, it } from 'vitest';
import { readShop } from '../../../test/shop-lexicon.js';

it.each<readonly [string, string, string]>([
  [
    'emails of customers with the letter a in their first name',
    'SELECT t1.`email` FROM `customers` AS t1 WHERE t1.`first_name` LIKE ?',
    '%a%',
  ],
  [
    "emails of customers whose last name has 'an' in it",
    'SELECT t1.`email` FROM `customers` AS t1 WHERE t1.`last_name` LIKE ?',
    '%an%',
  ],
  [
    'prices of products whose name contains the word lamp',
    'SELECT t1.`price` FROM `products` AS t1 WHERE t1.`name` LIKE ?',
    '%lamp%',
  ],
  [
    'first names of customers whose email ends with example.net',
    'SELECT t1.`first_name` FROM `customers` AS t1 WHERE t1.`email` LIKE ?',
    '%example.net',
  ],
  [
    "prices of products ending in 'p'",
    'SELECT t1.`price` FROM `products` AS t1 WHERE t1.`name` LIKE ?',
    '%p',
  ],
])('the question "%s" becomes its expected statement', (question, sql, param) => {
  expect(readShop(question)[0]).toMatchObject({ sql, params: [param] });
});
