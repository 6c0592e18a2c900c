// @ts-check
import { fill, insert, pick } from '../invented/rows.mjs';

const PADDLES = [11, 14, 19, 11, 23, 14, 11, 19, 14, 11, 23];

/** @type {import('../invented/rows.mjs').InventedSet} */
export const AUCTION_HOUSE = {
  name: 'auction house',
  statements: [
    'CREATE TABLE auctioneer (auctioneer_id INT PRIMARY KEY, name VARCHAR(60) NOT NULL, years_licensed INT NOT NULL)',
    'CREATE TABLE auction (auction_id INT PRIMARY KEY, title VARCHAR(60) NOT NULL, held_on DATE NOT NULL, venue VARCHAR(40) NOT NULL, auctioneer_id INT NOT NULL, FOREIGN KEY (auctioneer_id) REFERENCES auctioneer (auctioneer_id))',
    'CREATE TABLE consignor (consignor_id INT PRIMARY KEY, consignor_name VARCHAR(60) NOT NULL, country VARCHAR(30) NOT NULL, commission_pct DECIMAL(4,1) NOT NULL)',
    'CREATE TABLE lot (lot_id INT PRIMARY KEY, auction_id INT NOT NULL, consignor_id INT NOT NULL, description VARCHAR(80) NOT NULL, category VARCHAR(20) NOT NULL, estimate INT NOT NULL, reserve_price INT NULL, FOREIGN KEY (auction_id) REFERENCES auction (auction_id), FOREIGN KEY (consignor_id) REFERENCES consignor (consignor_id))',
    'CREATE TABLE bidder (paddle_no INT PRIMARY KEY, bidder_name VARCHAR(60) NOT NULL, city VARCHAR(30) NOT NULL, registered_on DATE NOT NULL)',
    'CREATE TABLE bid (bid_id INT PRIMARY KEY, lot_id INT NOT NULL, paddle_no INT NOT NULL, amount INT NOT NULL, channel VARCHAR(10) NOT NULL, FOREIGN KEY (lot_id) REFERENCES lot (lot_id), FOREIGN KEY (paddle_no) REFERENCES bidder (paddle_no))',
    insert('auctioneer', [
      [1, 'Cecil Hammond', 27],
      [2, 'Audrey Bligh', 12],
      [3, 'Marius Vane', 5],
      [4, 'Lottie Frost', 2],
    ]),
    insert('auction', [
      [1, 'Old Masters', '2025-03-14', 'Great Hall', 1],
      [2, 'Fine Watches', '2025-06-02', 'Salon Bleu', 2],
      [3, 'Country House Sale', '2025-09-21', 'Marquee', 1],
      [4, 'Modern Prints', '2026-01-30', 'Great Hall', 3],
      [5, 'Jewels', '2026-05-08', 'Salon Bleu', 1],
      [6, 'Books and Maps', '2026-10-17', 'Library Room', 2],
    ]),
    insert('consignor', [
      [1, 'Estate of Lord Pym', 'England', 12],
      [2, 'Galerie Roux', 'France', 9.5],
      [3, 'Anton Weil', 'Austria', 15],
      [4, 'Museo Piccolo', 'Italy', 8],
      [5, 'Helga Strand', 'Norway', 14],
      [6, 'Casa Duarte', 'Portugal', 11],
    ]),
    insert(
      'lot',
      [
        [1, 1, 'Dutch landscape', 'painting', 42_000, 35_000],
        [1, 2, 'Portrait of a lady', 'painting', 18_500, null],
        [1, 1, 'Still life with lemons', 'painting', 27_000, 20_000],
        [2, 3, 'Gold pocket watch', 'watch', 6_200, 4_000],
        [2, 2, 'Diver wristwatch', 'watch', 9_800, null],
        [3, 1, 'Walnut bureau', 'furniture', 3_400, 2_500],
        [3, 1, 'Persian rug', 'textile', 7_100, 5_500],
        [3, 5, 'Oak settle', 'furniture', 1_250, null],
        [4, 4, 'Etching of Venice', 'print', 2_200, 1_500],
        [4, 2, 'Lithograph in blue', 'print', 5_600, 4_800],
        [5, 3, 'Sapphire brooch', 'jewellery', 31_000, 26_000],
        [5, 5, 'Pearl necklace', 'jewellery', 12_400, 9_000],
        [5, 3, 'Diamond ring', 'jewellery', 88_000, 70_000],
        [6, 4, 'Atlas of 1690', 'book', 15_300, null],
        [4, 1, 'Woodcut of a horse', 'print', 900, null],
      ].map((row, index) => [index + 1, ...row]),
    ),
    insert('bidder', [
      [11, 'Rex Alton', 'London', '2023-02-11'],
      [14, 'Sylvie Marchand', 'Paris', '2024-10-03'],
      [19, 'Tobias Krenn', 'Vienna', '2022-05-29'],
      [23, 'Ursula Pike', 'London', '2025-01-17'],
      [27, 'Vito Sala', 'Milan', '2021-12-08'],
      [31, 'Wanda Kos', 'Paris', '2026-03-20'],
    ]),
    fill('bid', 44, (index) => [
      pick([1, 13, 4, 11, 1, 5, 2, 13, 7, 1, 10, 3, 12, 9], index),
      pick(PADDLES, index),
      700 + ((index * 2_311) % 91_000),
      pick(
        pick(PADDLES, index) === 23
          ? ['room', 'phone']
          : ['room', 'phone', 'online', 'room', 'phone', 'online', 'online', 'room', 'phone'],
        index,
      ),
    ]),
  ],
  questions: [
    [
      'How many auctions took place in the Great Hall?',
      "SELECT COUNT(*) FROM auction WHERE venue = 'Great Hall'",
    ],
    [
      'What are the descriptions of the lots in the furniture category?',
      "SELECT description FROM lot WHERE category = 'furniture'",
    ],
    [
      'List the titles and dates of all auctions, latest first.',
      'SELECT title, held_on FROM auction ORDER BY held_on DESC',
    ],
    [
      'Find the highest and lowest estimates of the lots for each category.',
      'SELECT category, MAX(estimate), MIN(estimate) FROM lot GROUP BY category',
    ],
    [
      'Return the paddle number and name of the bidders who come from Paris.',
      "SELECT paddle_no, bidder_name FROM bidder WHERE city = 'Paris'",
    ],
    ['How many lots have no reserve price?', 'SELECT COUNT(*) FROM lot WHERE reserve_price IS NULL'],
    [
      'Show the title of each auction and the name of the auctioneer who led it.',
      'SELECT a.title, n.name FROM auction a JOIN auctioneer n ON n.auctioneer_id = a.auctioneer_id',
    ],
    [
      'What is the sum of the estimates of lots consigned by Galerie Roux?',
      "SELECT SUM(l.estimate) FROM lot l JOIN consignor c ON c.consignor_id = l.consignor_id WHERE c.consignor_name = 'Galerie Roux'",
    ],
    [
      'Which lot drew the most bids? Give its description.',
      'SELECT l.description FROM lot l JOIN bid b ON b.lot_id = l.lot_id GROUP BY l.lot_id ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'What are the names of the bidders who never placed a bid?',
      'SELECT bidder_name FROM bidder WHERE paddle_no NOT IN (SELECT paddle_no FROM bid)',
    ],
    [
      'Find the names of the consignors that have brought in at least three lots.',
      'SELECT c.consignor_name FROM consignor c JOIN lot l ON l.consignor_id = c.consignor_id GROUP BY c.consignor_id HAVING COUNT(*) >= 3',
    ],
    [
      'What is the average bid made by phone on lots of the Old Masters auction?',
      "SELECT AVG(b.amount) FROM bid b JOIN lot l ON l.lot_id = b.lot_id JOIN auction a ON a.auction_id = l.auction_id WHERE b.channel = 'phone' AND a.title = 'Old Masters'",
    ],
    [
      'Return the names of bidders who bid in the room but never online.',
      "SELECT r.bidder_name FROM bidder r JOIN bid b ON b.paddle_no = r.paddle_no WHERE b.channel = 'room' EXCEPT SELECT r.bidder_name FROM bidder r JOIN bid b ON b.paddle_no = r.paddle_no WHERE b.channel = 'online'",
    ],
  ],
};
