-- Sample rows of the blog. Their dates are relative to the day on which they are inserted.
INSERT INTO users (id, username, email, bio, created_at) VALUES
  (1, 'ada', 'ada@example.com', 'Counts things, then writes about it.', NOW() - INTERVAL 4810 HOUR),
  (2, 'grace', 'grace@example.com', 'Finds the bug before breakfast.', NOW() - INTERVAL 4327 HOUR),
  (3, 'linus', 'linus@example.com', NULL, NOW() - INTERVAL 3842 HOUR);

INSERT INTO posts (id, title, content, user_id, published, created_at) VALUES
  (1, 'Hello, Rowhouse', 'One table, five endpoints, no code.', 1, TRUE, NOW() - INTERVAL 3604 HOUR),
  (2, 'Sorting by date', 'Ask for sort=created_at and order=desc.', 1, TRUE, NOW() - INTERVAL 2903 HOUR),
  (3, 'Joins without SQL', 'include=user,comments,tags adds related records.', 2, TRUE,
    NOW() - INTERVAL 2201 HOUR),
  (4, 'When to write SQL', 'Sums and groups are shorter in SQL. Send them to /query.', 2, TRUE,
    NOW() - INTERVAL 1499 HOUR),
  (5, 'One more column', 'Deploy a column, and the next request can use it.', 3, TRUE,
    NOW() - INTERVAL 798 HOUR),
  (6, 'Not done yet', 'A draft that nobody should see.', 3, FALSE, NOW() - INTERVAL 97 HOUR);

INSERT INTO comments (id, content, user_id, post_id, created_at) VALUES
  (1, 'Short and clear.', 2, 1, NOW() - INTERVAL 3361 HOUR),
  (2, 'What about composite keys?', 3, 1, NOW() - INTERVAL 3352 HOUR),
  (3, 'Separate their values with a comma.', 1, 1, NOW() - INTERVAL 3341 HOUR),
  (4, 'Exactly what I was looking for.', 3, 2, NOW() - INTERVAL 2882 HOUR),
  (5, 'Can I sort by two columns?', 2, 2, NOW() - INTERVAL 2871 HOUR),
  (6, 'This saved me an afternoon.', 1, 3, NOW() - INTERVAL 2150 HOUR),
  (7, 'Nice: comments.user works as well.', 3, 3, NOW() - INTERVAL 2104 HOUR),
  (8, 'How deep can I nest them?', 2, 3, NOW() - INTERVAL 2090 HOUR),
  (9, 'Grouping by month, please.', 1, 4, NOW() - INTERVAL 1390 HOUR),
  (10, 'Window functions work too.', 3, 4, NOW() - INTERVAL 1371 HOUR),
  (11, 'It was there within a second.', 1, 5, NOW() - INTERVAL 612 HOUR),
  (12, 'And the docs followed.', 2, 5, NOW() - INTERVAL 29 HOUR);

INSERT INTO tags (id, name, description) VALUES
  (1, 'news', 'What is new'),
  (2, 'howto', 'Step by step'),
  (3, 'sql', NULL),
  (4, 'rest', 'Requests and responses'),
  (5, 'drafts', NULL);

INSERT INTO post_tags (post_id, tag_id) VALUES
  (1, 1), (1, 4), (2, 2), (2, 4), (3, 2), (3, 4), (4, 2), (4, 3), (5, 1), (6, 5);
