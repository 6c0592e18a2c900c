/** Tables whose rows hold the time at which they were written. */
const DATED = new Set(['users', 'posts', 'comments']);
const DAY_MS = 86_400_000;
/**
 * The age in days of the first row of each table. The blog looks as if it were some months old.
 */
const FIRST_DAYS = { users: 200, posts: 150, comments: 140 };
const LAST_DAYS = { users: 160, posts: 4, comments: 1 };

/**
 * Gives each row of a table a time, in ascending order up to now.
 * @param {string} table
 * @param {readonly Record<string, unknown>[]} rows
 * @param {number} nowMs
 * @returns {readonly Record<string, unknown>[]}
 */
export function dateRows(table, rows, nowMs) {
  if (!DATED.has(table)) return rows;
  const [first, last] = [
    FIRST_DAYS[/** @type {keyof typeof FIRST_DAYS} */ (table)],
    LAST_DAYS[/** @type {keyof typeof LAST_DAYS} */ (table)],
  ];
  return rows.map((row, index) => {
    const days = first - ((first - last) * index) / Math.max(1, rows.length - 1);
    // Vary the time of day as well, in whole seconds as the column stores them.
    return {
      ...row,
      created_at: new Date(
        Math.floor((nowMs - days * DAY_MS - index * 5_113_000) / 1_000) * 1_000,
      ).toISOString(),
    };
  });
}

/** The demo project's rows, in the order in which they are written. Ids start at 1 in an empty database. */

/** @type {readonly (readonly [string, readonly Record<string, unknown>[]])[]} */
export const DEMO_ROWS = [
  [
    'users',
    [
      { username: 'ada', email: 'ada@example.com', bio: 'Counts things, then writes about it.' },
      { username: 'grace', email: 'grace@example.com', bio: 'Finds the bug before breakfast.' },
      { username: 'linus', email: 'linus@example.com' },
    ],
  ],
  [
    'posts',
    [
      {
        title: 'Hello, Rowhouse',
        content: 'One table, five endpoints, no code.',
        user_id: 1,
        published: true,
      },
      {
        title: 'Sorting by date',
        content: 'Ask for sort=created_at and order=desc.',
        user_id: 1,
        published: true,
      },
      {
        title: 'Joins without SQL',
        content: 'include=user,comments,tags embeds what belongs together.',
        user_id: 2,
        published: true,
      },
      {
        title: 'When to write SQL',
        content: 'Sums and groups are shorter in SQL; post them to /query.',
        user_id: 2,
        published: true,
      },
      {
        title: 'A column more',
        content: 'Deploy it, and the next request may use it.',
        user_id: 3,
        published: true,
      },
      { title: 'Not yet done', content: 'A draft that nobody should see.', user_id: 3, published: false },
    ],
  ],
  [
    'comments',
    [
      { content: 'Short and clear.', user_id: 2, post_id: 1 },
      { content: 'What about composite keys?', user_id: 3, post_id: 1 },
      { content: 'They are addressed with a comma.', user_id: 1, post_id: 1 },
      { content: 'Exactly what I was looking for.', user_id: 3, post_id: 2 },
      { content: 'Does it take two columns?', user_id: 2, post_id: 2 },
      { content: 'Saved me an afternoon.', user_id: 1, post_id: 3 },
      { content: 'Nice: comments.user works as well.', user_id: 3, post_id: 3 },
      { content: 'How deep does it go?', user_id: 2, post_id: 3 },
      { content: 'Grouping by month, please.', user_id: 1, post_id: 4 },
      { content: 'Window functions too.', user_id: 3, post_id: 4 },
      { content: 'It was there within a second.', user_id: 1, post_id: 5 },
      { content: 'And the docs followed.', user_id: 2, post_id: 5 },
    ],
  ],
  [
    'tags',
    [
      { name: 'news', description: 'What is new' },
      { name: 'howto', description: 'Step by step' },
      { name: 'sql' },
      { name: 'rest', description: 'Requests and answers' },
      { name: 'drafts' },
    ],
  ],
  [
    'post-tags',
    [
      { post_id: 1, tag_id: 1 },
      { post_id: 1, tag_id: 4 },
      { post_id: 2, tag_id: 2 },
      { post_id: 2, tag_id: 4 },
      { post_id: 3, tag_id: 2 },
      { post_id: 3, tag_id: 4 },
      { post_id: 4, tag_id: 2 },
      { post_id: 4, tag_id: 3 },
      { post_id: 5, tag_id: 1 },
      { post_id: 6, tag_id: 5 },
    ],
  ],
];
