/**
 * Typical questions about the example schema, each with SQL that answers it. The current date is November 21,
 * 2026.
 */
export const BLOG_QUESTIONS: readonly (readonly [question: string, sql: string])[] = [
  ['How many users are there?', 'SELECT COUNT(*) FROM users'],
  ['how many posts do we have', 'SELECT COUNT(*) FROM posts'],
  ['number of comments', 'SELECT COUNT(*) FROM comments'],
  ['total number of tags', 'SELECT COUNT(*) FROM tags'],
  ['list all usernames', 'SELECT username FROM users'],
  ['show me the emails of all users', 'SELECT email FROM users'],
  ['what are the titles of all posts?', 'SELECT title FROM posts'],
  ['give me the names and descriptions of all tags', 'SELECT name, description FROM tags'],
  ['usernames and emails sorted by username', 'SELECT username, email FROM users ORDER BY username'],
  ['list the titles of posts in alphabetical order', 'SELECT title FROM posts ORDER BY title'],
  ['all post titles, newest first', 'SELECT title FROM posts ORDER BY created_at DESC'],
  ['tag names from z to a', 'SELECT name FROM tags ORDER BY name DESC'],
  ['how many posts are published?', 'SELECT COUNT(*) FROM posts WHERE published = 1'],
  ['number of unpublished posts', 'SELECT COUNT(*) FROM posts WHERE published = 0'],
  ['titles of posts that are not published', 'SELECT title FROM posts WHERE published = 0'],
  ['show the published posts', 'SELECT title FROM posts WHERE published = 1'],
  ['what is the email of ada?', "SELECT email FROM users WHERE username = 'ada'"],
  ['what is the bio of the user with the username boris?', "SELECT bio FROM users WHERE username = 'boris'"],
  [
    'how many posts did ada write?',
    "SELECT COUNT(*) FROM posts p JOIN users u ON u.id = p.user_id WHERE u.username = 'ada'",
  ],
  [
    'posts by clara',
    "SELECT p.title FROM posts p JOIN users u ON u.id = p.user_id WHERE u.username = 'clara'",
  ],
  [
    'how many comments has boris written?',
    "SELECT COUNT(*) FROM comments c JOIN users u ON u.id = c.user_id WHERE u.username = 'boris'",
  ],
  [
    'titles of published posts by ada',
    "SELECT p.title FROM posts p JOIN users u ON u.id = p.user_id WHERE u.username = 'ada' AND p.published = 1",
  ],
  [
    'who wrote the post "First steps"?',
    "SELECT u.username FROM users u JOIN posts p ON p.user_id = u.id WHERE p.title = 'First steps'",
  ],
  ['posts without comments', 'SELECT title FROM posts WHERE id NOT IN (SELECT post_id FROM comments)'],
  [
    'how many posts have no comments?',
    'SELECT COUNT(*) FROM posts WHERE id NOT IN (SELECT post_id FROM comments)',
  ],
  ['users who never posted', 'SELECT username FROM users WHERE id NOT IN (SELECT user_id FROM posts)'],
  [
    'which users have not written any comment?',
    'SELECT username FROM users WHERE id NOT IN (SELECT user_id FROM comments)',
  ],
  [
    'tags that are not used by any post',
    'SELECT name FROM tags WHERE id NOT IN (SELECT tag_id FROM post_tags)',
  ],
  ['posts without tags', 'SELECT title FROM posts WHERE id NOT IN (SELECT post_id FROM post_tags)'],
  [
    'users who posted but never commented',
    'SELECT username FROM users WHERE id IN (SELECT user_id FROM posts) AND id NOT IN (SELECT user_id FROM comments)',
  ],
  ['how many users have posted?', 'SELECT COUNT(*) FROM users WHERE id IN (SELECT user_id FROM posts)'],
  [
    'who commented most last month?',
    "SELECT u.username FROM users u JOIN comments c ON c.user_id = u.id WHERE c.created_at >= '2026-10-01' AND c.created_at < '2026-11-01' GROUP BY u.id, u.username ORDER BY COUNT(*) DESC LIMIT 1",
  ],
  [
    'who has the most posts?',
    'SELECT u.username FROM users u JOIN posts p ON p.user_id = u.id GROUP BY u.id, u.username ORDER BY COUNT(*) DESC LIMIT 1',
  ],
  [
    'which user wrote the most comments?',
    'SELECT u.username FROM users u JOIN comments c ON c.user_id = u.id GROUP BY u.id, u.username ORDER BY COUNT(*) DESC LIMIT 1',
  ],
  [
    'the email of the user with the most posts',
    'SELECT u.email FROM users u JOIN posts p ON p.user_id = u.id GROUP BY u.id, u.email ORDER BY COUNT(*) DESC LIMIT 1',
  ],
  [
    'which post has the most comments?',
    'SELECT p.title FROM posts p JOIN comments c ON c.post_id = p.id GROUP BY p.id, p.title ORDER BY COUNT(*) DESC LIMIT 1',
  ],
  [
    'top 5 posts by number of comments',
    'SELECT p.title FROM posts p JOIN comments c ON c.post_id = p.id GROUP BY p.id, p.title ORDER BY COUNT(*) DESC LIMIT 5',
  ],
  [
    'top 3 tags this year',
    "SELECT t.name FROM tags t JOIN post_tags pt ON pt.tag_id = t.id JOIN posts p ON p.id = pt.post_id WHERE p.created_at >= '2026-01-01' AND p.created_at < '2027-01-01' GROUP BY t.id, t.name ORDER BY COUNT(*) DESC LIMIT 3",
  ],
  [
    'top 3 tags',
    'SELECT t.name FROM tags t JOIN post_tags pt ON pt.tag_id = t.id GROUP BY t.id, t.name ORDER BY COUNT(*) DESC LIMIT 3',
  ],
  [
    'what is the most used tag?',
    'SELECT t.name FROM tags t JOIN post_tags pt ON pt.tag_id = t.id GROUP BY t.id, t.name ORDER BY COUNT(*) DESC LIMIT 1',
  ],
  [
    'the three users with the most comments',
    'SELECT u.username FROM users u JOIN comments c ON c.user_id = u.id GROUP BY u.id, u.username ORDER BY COUNT(*) DESC LIMIT 3',
  ],
  ['the 5 newest users', 'SELECT username FROM users ORDER BY created_at DESC LIMIT 5'],
  ['what is the title of the latest post?', 'SELECT title FROM posts ORDER BY created_at DESC LIMIT 1'],
  ['the oldest post', 'SELECT title FROM posts ORDER BY created_at LIMIT 1'],
  [
    'how many comments does each user have?',
    'SELECT u.username, COUNT(*) FROM users u JOIN comments c ON c.user_id = u.id GROUP BY u.id, u.username',
  ],
  [
    'number of posts per user',
    'SELECT u.username, COUNT(*) FROM users u JOIN posts p ON p.user_id = u.id GROUP BY u.id, u.username',
  ],
  [
    'number of comments for each post',
    'SELECT p.title, COUNT(*) FROM posts p JOIN comments c ON c.post_id = p.id GROUP BY p.id, p.title',
  ],
  [
    'how many posts are there for each tag?',
    'SELECT t.name, COUNT(*) FROM tags t JOIN post_tags pt ON pt.tag_id = t.id GROUP BY t.id, t.name',
  ],
  [
    'number of published posts per user',
    'SELECT u.username, COUNT(*) FROM users u JOIN posts p ON p.user_id = u.id WHERE p.published = 1 GROUP BY u.id, u.username',
  ],
  [
    'comments per post in October 2026',
    "SELECT p.title, COUNT(*) FROM posts p JOIN comments c ON c.post_id = p.id WHERE c.created_at >= '2026-10-01' AND c.created_at < '2026-11-01' GROUP BY p.id, p.title",
  ],
  [
    'average comments per published post by user',
    'SELECT u.username, AVG((SELECT COUNT(*) FROM comments c WHERE c.post_id = p.id)) FROM posts p JOIN users u ON u.id = p.user_id WHERE p.published = 1 GROUP BY u.id, u.username',
  ],
  [
    'average number of comments per post',
    'SELECT AVG((SELECT COUNT(*) FROM comments c WHERE c.post_id = p.id)) FROM posts p',
  ],
  [
    'what is the average number of posts per user?',
    'SELECT AVG((SELECT COUNT(*) FROM posts p WHERE p.user_id = u.id)) FROM users u',
  ],
  [
    'users with more than 3 posts',
    'SELECT username FROM users u WHERE (SELECT COUNT(*) FROM posts p WHERE p.user_id = u.id) > 3',
  ],
  [
    'which users have at least 10 comments?',
    'SELECT username FROM users u WHERE (SELECT COUNT(*) FROM comments c WHERE c.user_id = u.id) >= 10',
  ],
  [
    'posts with exactly 2 tags',
    'SELECT title FROM posts p WHERE (SELECT COUNT(*) FROM post_tags t WHERE t.post_id = p.id) = 2',
  ],
  [
    'how many users have fewer than two posts?',
    'SELECT COUNT(*) FROM users u WHERE (SELECT COUNT(*) FROM posts p WHERE p.user_id = u.id) < 2',
  ],
  [
    'titles of posts tagged typescript',
    "SELECT p.title FROM posts p JOIN post_tags pt ON pt.post_id = p.id JOIN tags t ON t.id = pt.tag_id WHERE t.name = 'typescript'",
  ],
  [
    'how many posts are tagged databases?',
    "SELECT COUNT(*) FROM posts p JOIN post_tags pt ON pt.post_id = p.id JOIN tags t ON t.id = pt.tag_id WHERE t.name = 'databases'",
  ],
  [
    'posts tagged typescript or databases',
    "SELECT DISTINCT p.title FROM posts p JOIN post_tags pt ON pt.post_id = p.id JOIN tags t ON t.id = pt.tag_id WHERE t.name IN ('typescript', 'databases')",
  ],
  [
    'posts tagged both typescript and databases',
    "SELECT p.title FROM posts p WHERE EXISTS (SELECT 1 FROM post_tags pt JOIN tags t ON t.id = pt.tag_id WHERE pt.post_id = p.id AND t.name = 'typescript') AND EXISTS (SELECT 1 FROM post_tags pt JOIN tags t ON t.id = pt.tag_id WHERE pt.post_id = p.id AND t.name = 'databases')",
  ],
  [
    'posts tagged typescript but not databases',
    "SELECT p.title FROM posts p WHERE EXISTS (SELECT 1 FROM post_tags pt JOIN tags t ON t.id = pt.tag_id WHERE pt.post_id = p.id AND t.name = 'typescript') AND NOT EXISTS (SELECT 1 FROM post_tags pt JOIN tags t ON t.id = pt.tag_id WHERE pt.post_id = p.id AND t.name = 'databases')",
  ],
  [
    'which tags does ada use?',
    "SELECT DISTINCT t.name FROM tags t JOIN post_tags pt ON pt.tag_id = t.id JOIN posts p ON p.id = pt.post_id JOIN users u ON u.id = p.user_id WHERE u.username = 'ada'",
  ],
  [
    'how many posts were created last month?',
    "SELECT COUNT(*) FROM posts WHERE created_at >= '2026-10-01' AND created_at < '2026-11-01'",
  ],
  [
    'posts from this year',
    "SELECT title FROM posts WHERE created_at >= '2026-01-01' AND created_at < '2027-01-01'",
  ],
  [
    'users who joined in 2025',
    "SELECT username FROM users WHERE created_at >= '2025-01-01' AND created_at < '2026-01-01'",
  ],
  [
    'how many comments were written in the last 30 days?',
    "SELECT COUNT(*) FROM comments WHERE created_at >= '2026-10-22' AND created_at < '2026-11-22'",
  ],
  ['posts created since March', "SELECT title FROM posts WHERE created_at >= '2026-03-01'"],
  ['posts created before 2026', "SELECT title FROM posts WHERE created_at < '2026-01-01'"],
  [
    'number of posts between January and March 2026',
    "SELECT COUNT(*) FROM posts WHERE created_at >= '2026-01-01' AND created_at < '2026-04-01'",
  ],
  ['users whose email ends with "example.org"', "SELECT username FROM users WHERE email LIKE '%example.org'"],
  ['emails of users whose username starts with "a"', "SELECT email FROM users WHERE username LIKE 'a%'"],
  ['posts whose title contains "steps"', "SELECT title FROM posts WHERE title LIKE '%steps%'"],
  ['how many users have no bio?', 'SELECT COUNT(*) FROM users WHERE bio IS NULL'],
  ['what percentage of posts are published?', 'SELECT 100 * AVG(published = 1) FROM posts'],
];
