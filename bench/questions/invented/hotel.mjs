// @ts-check
import { dayBefore, fill, FIRST_NAMES, insert, LAST_NAMES, pick } from './rows.mjs';

/** @type {import('./rows.mjs').InventedSet} */
export const HOTEL = {
  name: 'hotel chain',
  statements: [
    'CREATE TABLE hotels (hotel_id INT PRIMARY KEY, hotel_name VARCHAR(60) NOT NULL, city VARCHAR(40) NOT NULL, stars INT NOT NULL, opened_year INT NOT NULL)',
    "CREATE TABLE rooms (room_id INT PRIMARY KEY, hotel_id INT NOT NULL, room_number VARCHAR(10) NOT NULL, room_type ENUM('single', 'double', 'suite') NOT NULL, price_per_night DECIMAL(8,2) NOT NULL, capacity INT NOT NULL, has_balcony TINYINT(1) NOT NULL, FOREIGN KEY (hotel_id) REFERENCES hotels (hotel_id))",
    'CREATE TABLE guests (guest_id INT PRIMARY KEY, full_name VARCHAR(80) NOT NULL, email VARCHAR(120) NULL, country VARCHAR(40) NOT NULL)',
    "CREATE TABLE bookings (booking_id INT PRIMARY KEY, room_id INT NOT NULL, guest_id INT NOT NULL, check_in DATE NOT NULL, check_out DATE NOT NULL, status ENUM('confirmed', 'cancelled', 'completed') NOT NULL, total_amount DECIMAL(9,2) NOT NULL, FOREIGN KEY (room_id) REFERENCES rooms (room_id), FOREIGN KEY (guest_id) REFERENCES guests (guest_id))",
    'CREATE TABLE reviews (review_id INT PRIMARY KEY, hotel_id INT NOT NULL, guest_id INT NOT NULL, rating INT NOT NULL, comment TEXT NULL, written_on DATE NOT NULL, FOREIGN KEY (hotel_id) REFERENCES hotels (hotel_id), FOREIGN KEY (guest_id) REFERENCES guests (guest_id))',
    insert('hotels', [
      [1, 'Seaview', 'Nice', 4, 1998],
      [2, 'Grand Plaza', 'Vienna', 5, 1974],
      [3, 'Alpine Lodge', 'Innsbruck', 3, 2006],
      [4, 'Old Mill', 'Vienna', 3, 2015],
      [5, 'Harbour Inn', 'Porto', 4, 2021],
    ]),
    fill('rooms', 24, (index) => [
      pick([1, 2, 3, 1, 2, 4, 2], index),
      `${1 + (index % 4)}0${index % 9}`,
      pick(['single', 'double', 'double', 'suite'], index),
      62 + ((index * 43) % 301),
      pick([1, 2, 3, 4], index),
      index % 3 === 0 ? 1 : 0,
    ]),
    fill('guests', 17, (index) => [
      `${pick(FIRST_NAMES, index)} ${pick(LAST_NAMES, index * 4 + 1)}`,
      index % 5 === 2 ? null : `${pick(FIRST_NAMES, index).toLowerCase()}@stay.test`,
      pick(['France', 'Austria', 'Japan', 'France', 'Brazil', 'Austria'], index),
    ]),
    fill('bookings', 38, (index) => [
      1 + ((index * 5) % 21),
      1 + ([0, 1, 0, 2, 3, 0, 1, 4, 5, 6, 7, 8, 9][index % 13] ?? 0),
      dayBefore(index * 8 - 6),
      dayBefore(index * 8 - 8 - (index % 4)),
      index < 2 ? 'confirmed' : pick(['completed', 'completed', 'cancelled', 'completed'], index),
      150 + ((index * 89) % 1_400),
    ]),
    fill('reviews', 22, (index) => [
      pick([1, 2, 1, 3, 2, 1, 4], index),
      1 + ((index * 3) % 14),
      pick([5, 3, 4, 2, 5, 4, 1, 4], index),
      index % 4 === 0 ? null : 'Nice stay.',
      dayBefore(3 + index * 15),
    ]),
  ],
  questions: [
    ['list all hotels in Vienna', "SELECT hotel_name FROM hotels WHERE city = 'Vienna'"],
    [
      'How many rooms does each hotel have?',
      'SELECT h.hotel_name, COUNT(*) FROM hotels h JOIN rooms r ON r.hotel_id = h.hotel_id GROUP BY h.hotel_id',
      'SELECT h.hotel_name, COUNT(r.room_id) FROM hotels h LEFT JOIN rooms r ON r.hotel_id = h.hotel_id GROUP BY h.hotel_id',
    ],
    [
      'Which hotel has the highest average rating?',
      'SELECT h.hotel_name FROM hotels h JOIN reviews r ON r.hotel_id = h.hotel_id GROUP BY h.hotel_id ORDER BY AVG(r.rating) DESC LIMIT 1',
    ],
    [
      'average price per night by room type',
      'SELECT room_type, AVG(price_per_night) FROM rooms GROUP BY room_type',
    ],
    ['number of suites', "SELECT COUNT(*) FROM rooms WHERE room_type = 'suite'"],
    ['room numbers of rooms with a balcony', 'SELECT room_number FROM rooms WHERE has_balcony = 1'],
    [
      'How many bookings were cancelled in 2026?',
      "SELECT COUNT(*) FROM bookings WHERE status = 'cancelled' AND YEAR(check_in) = 2026",
    ],
    ['guests from Japan', "SELECT full_name FROM guests WHERE country = 'Japan'"],
    [
      'guests who never booked a room',
      'SELECT full_name FROM guests WHERE guest_id NOT IN (SELECT guest_id FROM bookings)',
    ],
    [
      'total amount of completed bookings',
      "SELECT SUM(total_amount) FROM bookings WHERE status = 'completed'",
    ],
    [
      'Which guest made the most bookings?',
      'SELECT g.full_name FROM guests g JOIN bookings b ON b.guest_id = g.guest_id GROUP BY g.guest_id ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    ['hotels with at least 4 stars', 'SELECT hotel_name FROM hotels WHERE stars >= 4'],
    ['hotels that opened before 2000', 'SELECT hotel_name FROM hotels WHERE opened_year < 2000'],
    [
      'What is the cheapest room in the Grand Plaza?',
      "SELECT r.room_number FROM rooms r JOIN hotels h ON h.hotel_id = r.hotel_id WHERE h.hotel_name = 'Grand Plaza' ORDER BY r.price_per_night LIMIT 1",
      "SELECT r.* FROM rooms r JOIN hotels h ON h.hotel_id = r.hotel_id WHERE h.hotel_name = 'Grand Plaza' ORDER BY r.price_per_night LIMIT 1",
    ],
    ['How many guests have no email?', 'SELECT COUNT(*) FROM guests WHERE email IS NULL'],
    [
      'hotels without reviews',
      'SELECT hotel_name FROM hotels WHERE hotel_id NOT IN (SELECT hotel_id FROM reviews)',
    ],
    ['how many reviews have a rating below 3?', 'SELECT COUNT(*) FROM reviews WHERE rating < 3'],
    [
      'number of guests by country, most first',
      'SELECT country, COUNT(*) FROM guests GROUP BY country ORDER BY COUNT(*) DESC',
    ],
    [
      'names and countries of guests who stayed in Nice',
      "SELECT full_name, country FROM guests WHERE guest_id IN (SELECT b.guest_id FROM bookings b JOIN rooms r ON r.room_id = b.room_id JOIN hotels h ON h.hotel_id = r.hotel_id WHERE h.city = 'Nice')",
    ],
    [
      'what is the total capacity of each hotel?',
      'SELECT h.hotel_name, SUM(r.capacity) FROM hotels h JOIN rooms r ON r.hotel_id = h.hotel_id GROUP BY h.hotel_id',
    ],
  ],
};
