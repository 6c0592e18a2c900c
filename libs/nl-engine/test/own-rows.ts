/** Fixed rows for the example schema and the shop. With them, every question has one correct answer. */
type Value = string | number | null;
export interface TableRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const pad = (value: number): string => String(value).padStart(2, '0');
/** Returns a unique time `days` days before November 21, 2026. */
function daysAgo(days: number, index: number): string {
  const day = new Date(Date.UTC(2026, 10, 21) - days * 86_400_000);
  return `${day.getUTCFullYear()}-${pad(day.getUTCMonth() + 1)}-${pad(day.getUTCDate())} ${pad(8 + (index % 12))}:${pad(index % 60)}:${pad((index * 7) % 60)}`;
}

const NAMES = [
  'ada',
  'boris',
  'clara',
  'dmitri',
  'elena',
  'farid',
  'greta',
  'hugo',
  'ines',
  'jonas',
  'kira',
  'lars',
];
const TAGS = ['typescript', 'databases', 'gardening', 'cooking', 'travel', 'music', 'chess'];
/** The index of each post's author. The first user wrote the most posts, and the last three none. */
const WRITERS = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8, 0, 1, 0, 2];
/** The number of comments on each post. */
const COMMENTS = [9, 0, 4, 2, 7, 1, 3, 0, 5, 2, 6, 0, 1, 3, 8, 2, 0, 1, 4, 2, 10, 3, 1, 2];

export const BLOG_ROWS: readonly TableRows[] = [
  {
    table: 'users',
    columns: ['id', 'username', 'email', 'bio', 'created_at'],
    rows: NAMES.map((name, index) => [
      index + 1,
      name,
      `${name}@${index % 3 === 0 ? 'example.org' : 'example.com'}`,
      index % 4 === 1 ? null : `I am ${name}.`,
      daysAgo(40 + index * 61, index),
    ]),
  },
  {
    table: 'posts',
    columns: ['id', 'title', 'content', 'user_id', 'published', 'created_at'],
    rows: WRITERS.map((writer, index) => [
      index + 1,
      index === 0
        ? 'First steps'
        : index === 5
          ? 'More steps'
          : `Notes on ${['birds', 'rivers', 'trees', 'bread'][index % 4] ?? ''} ${index}`,
      'Text.',
      writer + 1,
      index % 3 === 2 ? 0 : 1,
      daysAgo(3 + index * 17, index),
    ]),
  },
  {
    table: 'comments',
    columns: ['id', 'content', 'user_id', 'post_id', 'created_at'],
    rows: COMMENTS.flatMap((count, post) => range(count).map((index) => ({ post, at: index }))).map(
      ({ post, at: index }, position) => [
        position + 1,
        'Well said.',
        1 + ([1, 3, 1, 2, 4, 1, 7, 1, 2, 9, 3][position % 11] ?? 0),
        post + 1,
        daysAgo(Math.max(1, 3 + post * 17 - index * 5 - 1), position),
      ],
    ),
  },
  {
    table: 'tags',
    columns: ['id', 'name', 'description'],
    rows: TAGS.map((name, index) => [index + 1, name, index % 2 === 0 ? null : `All about ${name}.`]),
  },
  {
    table: 'post_tags',
    columns: ['post_id', 'tag_id'],
    rows: WRITERS.flatMap((_, index) =>
      index % 8 === 7
        ? []
        : TAGS.flatMap((_tag, tag) =>
            tag < 6 && (index * 3 + 1) % (tag + 2) === 0 ? [[index + 1, tag + 1]] : [],
          ),
    ),
  },
];

const FIRST = [
  'Anna',
  'Ben',
  'Carla',
  'David',
  'Emma',
  'Felix',
  'Gina',
  'Hans',
  'Ida',
  'Jan',
  'Kim',
  'Leo',
  'Mia',
  'Nora',
  'Omar',
  'Pia',
  'Quentin',
  'Rita',
  'Sam',
  'Tara',
];
const LAST = [
  'Adler',
  'Baum',
  'Costa',
  'Dietz',
  'Ernst',
  'Fuchs',
  'Gross',
  'Huber',
  'Ilic',
  'Jung',
  'Klein',
  'Lang',
  'Maier',
  'Noll',
  'Otto',
  'Pohl',
  'Quast',
  'Roth',
  'Stein',
  'Thoma',
];
const CITIES = [
  ['Berlin', 'Germany'],
  ['Paris', 'France'],
  ['Berlin', 'Germany'],
  ['Rome', 'Italy'],
  ['Lyon', 'France'],
  ['Berlin', 'Germany'],
  ['Hamburg', 'Germany'],
  ['Milan', 'Italy'],
  ['Berlin', 'Germany'],
  ['Paris', 'France'],
];
const CATEGORIES = ['Books', 'Garden', 'Kitchen', 'Lighting', 'Toys'];
const PRODUCTS = [
  'Cook book',
  'Garden hose',
  'Tea pot',
  'Desk lamp',
  'Atlas',
  'Rake',
  'Frying pan',
  'Floor lamp',
  'Novel',
  'Spade',
  'Bread knife',
  'Night light',
  'Comic',
  'Gloves',
  'Whisk',
  'Dictionary',
];
const BUYERS = [
  1, 2, 1, 3, 4, 1, 5, 2, 6, 1, 7, 8, 2, 9, 1, 10, 11, 3, 12, 1, 13, 2, 14, 4, 15, 1, 16, 2, 3, 5,
];
const STATUSES = ['paid', 'pending', 'shipped', 'delivered', 'paid', 'cancelled', 'delivered'];

export const SHOP_ROWS: readonly TableRows[] = [
  { table: 'categories', columns: ['id', 'name'], rows: CATEGORIES.map((name, index) => [index + 1, name]) },
  {
    table: 'suppliers',
    columns: ['id', 'name', 'country'],
    rows: [
      ['Acme', 'Germany'],
      ['Bolt', 'France'],
      ['Crane', 'Italy'],
      ['Delta', 'Germany'],
      ['Eagle', 'Spain'],
    ].map(([name, country], index) => [index + 1, name ?? '', country ?? '']),
  },
  {
    table: 'products',
    columns: ['id', 'name', 'category_id', 'supplier_id', 'price', 'stock'],
    rows: PRODUCTS.map((name, index) => [
      index + 1,
      name,
      [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 1, 1][index] ?? 1,
      [1, 2, 1, 3, 1, 4, 1, 2, 3, 1, 2, 4, 1, 2, 3, 1][index] ?? 1,
      [25.5, 32, 41.25, 89, 120, 19.9, 64, 149, 12.5, 27, 9.75, 14, 7.5, 11, 5.25, 48][index] ?? 1,
      index === 4 || index === 11 ? 0 : 3 + ((index * 13) % 47),
    ]),
  },
  {
    table: 'customers',
    columns: ['id', 'first_name', 'last_name', 'email', 'city', 'country', 'created_at'],
    rows: FIRST.map((name, index) => [
      index + 1,
      name,
      LAST[index] ?? '',
      `${name.toLowerCase()}@example.net`,
      CITIES[index % 10]?.[0] ?? '',
      CITIES[index % 10]?.[1] ?? '',
      daysAgo(30 + index * 37, index),
    ]),
  },
  {
    table: 'orders',
    columns: ['id', 'customer_id', 'status', 'total', 'placed_at'],
    rows: BUYERS.map((buyer, index) => [
      index + 1,
      buyer,
      STATUSES[index % 7] ?? 'paid',
      40 + ((index * 53) % 290) + index / 100,
      daysAgo(2 + index * 13, index),
    ]),
  },
  {
    table: 'order_items',
    columns: ['id', 'order_id', 'product_id', 'quantity', 'unit_price'],
    rows: BUYERS.flatMap((_, index) => [
      [index, (index * 5) % 13],
      [index, 1 + (index % 4)],
    ]).map(([order, product], index) => [
      index + 1,
      (order ?? 0) + 1,
      (product ?? 0) + 1,
      1 + (index % 4),
      5 + (index % 9),
    ]),
  },
  {
    table: 'reviews',
    columns: ['id', 'product_id', 'customer_id', 'rating', 'body', 'created_at'],
    rows: range(34).map((index) => [
      index + 1,
      1 + ([0, 1, 0, 2, 3, 0, 5, 1, 2, 0, 7, 8][index % 12] ?? 0),
      1 + ((index * 7) % 19),
      [5, 3, 4, 2, 5, 1, 5, 4][index % 8] ?? 3,
      'Fine.',
      daysAgo(1 + index * 9, index),
    ]),
  },
  {
    table: 'stores',
    columns: ['id', 'name', 'city'],
    rows: [
      ['Central', 'Berlin'],
      ['Riverside', 'Paris'],
      ['Harbour', 'Hamburg'],
      ['Market', 'Rome'],
    ].map(([name, city], index) => [index + 1, name ?? '', city ?? '']),
  },
  {
    table: 'employees',
    columns: ['id', 'name', 'job_title', 'salary', 'hired_on', 'store_id'],
    rows: range(14).map((index) => [
      index + 1,
      `${FIRST[19 - index] ?? ''} ${LAST[index] ?? ''}`,
      ['clerk', 'manager', 'cashier', 'clerk', 'driver'][index % 5] ?? '',
      2_400 + ((index * 811) % 2_900) + index,
      `${2014 + (index % 10)}-0${1 + (index % 9)}-15`,
      [1, 1, 2, 3, 1, 2, 1][index % 7] ?? 1,
    ]),
  },
];

export const DEPOT_ROWS: readonly TableRows[] = [
  {
    table: 'customers',
    columns: ['id', 'name', 'email', 'city', 'born'],
    rows: ['Ann', 'Bert', 'Cleo', 'Dora', 'Egon', 'Fay'].map((name, index) => [
      index + 1,
      name,
      `${name.toLowerCase()}@example.net`,
      ['Oslo', 'Bergen', 'Oslo'][index % 3] ?? '',
      `${1984 + index * 5}-0${1 + index}-12`,
    ]),
  },
  {
    table: 'products',
    columns: ['id', 'name', 'price'],
    rows: ['red lamp', 'blue lamp', 'desk', 'shelf', 'rug'].map((name, index) => [
      index + 1,
      name,
      19 + index * 23,
    ]),
  },
  {
    table: 'warehouses',
    columns: ['id', 'name', 'city'],
    rows: [
      [1, 'North', 'Oslo'],
      [2, 'South', 'Bergen'],
      [3, 'Quay', 'Oslo'],
    ],
  },
  {
    table: 'stock',
    columns: ['warehouse_id', 'product_id', 'on_hand'],
    rows: range(12).map((index) => [
      1 + (index % 3),
      1 + ((index * 2 + Math.floor(index / 3)) % 5),
      3 + ((index * 7) % 19),
    ]),
  },
  {
    table: 'orders',
    columns: ['id', 'customer_id', 'placed_at', 'shipped_at'],
    rows: range(14).map((index) => [
      index + 1,
      1 + ((index * 3) % 5),
      daysAgo(9 + ((index * 5) % 14) * 11, index),
      index % 4 === 3 ? null : daysAgo(2 + index, index),
    ]),
  },
  {
    table: 'order_items',
    columns: ['id', 'order_id', 'product_id', 'qty', 'amount'],
    rows: range(25).map((index) => [
      index + 1,
      1 + (index % 13),
      1 + ((index * 3) % 5),
      1 + (index % 4),
      12 + ((index * 37) % 90),
    ]),
  },
];

export const NURSERY_ROWS: readonly TableRows[] = [
  {
    table: 'growers',
    columns: ['id', 'first_name', 'last_name', 'born'],
    rows: ['Gina', 'Hugo', 'Ines', 'Jens', 'Kira'].map((name, index) => [
      index + 1,
      name,
      LAST[index] ?? '',
      `${1969 + index * 7}-05-0${1 + index}`,
    ]),
  },
  {
    table: 'plants',
    columns: ['id', 'name', 'color'],
    rows: [
      ['Blue Fern', 'blue'],
      ['Moss Rose', 'pink'],
      ['Sage', 'green'],
      ['Thyme', 'green'],
    ].map(([name, color], index) => [index + 1, name ?? '', color ?? '']),
  },
  {
    table: 'greenhouses',
    columns: ['id', 'name'],
    rows: [
      [1, 'East Wing'],
      [2, 'West Wing'],
      [3, 'Annex'],
    ],
  },
  {
    table: 'inventory',
    columns: ['id', 'greenhouse_id', 'plant_id', 'units', 'counted_on'],
    rows: range(11).map((index) => [
      index + 1,
      1 + (index % 3),
      1 + ((index * 3) % 4),
      5 + ((index * 13) % 31),
      daysAgo(index, index).slice(0, 10),
    ]),
  },
  {
    table: 'deliveries',
    columns: ['id', 'grower_id', 'delivered_at'],
    rows: range(9).map((index) => [
      index + 1,
      1 + ((index * 2) % 4),
      daysAgo(4 + ((index * 4) % 9) * 6, index),
    ]),
  },
  {
    table: 'delivery_lines',
    columns: ['id', 'delivery_id', 'plant_id', 'amt', 'cost'],
    rows: range(17).map((index) => [
      index + 1,
      1 + (index % 8),
      1 + ((index * 3) % 4),
      10 + ((index * 7) % 23),
      20 + ((index * 31) % 70),
    ]),
  },
];
