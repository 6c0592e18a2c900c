import { describe, expect, it } from 'vitest';
import { readCorpora } from '../../test/read-corpus.js';
import { isWriteRequest } from './is-write-request.js';

describe('isWriteRequest', () => {
  it.each([
    'delete all spam comments',
    'Delete the user bob',
    'please remove order 7',
    'could you update the email of user 3',
    'insert a new tag called x',
    'add a product for 20 euros',
    'create an order for customer 5',
    'drop the posts of ada',
    'set the price of lamps to 30',
    'rename tag sql to database',
    'change seat 12A to 14C',
    'I want to delete my posts',
    'cancel order 9',
  ])('isWriteRequest returns true for the order: %s', (question) => {
    expect(isWriteRequest(question)).toBe(true);
  });

  it.each([
    'how many posts were deleted',
    'update history of orders',
    'updates per day',
    'create a list of users',
    'create the report of sales by month',
    'add up the totals of May',
    'set of users with posts',
    'drop in sales since March',
    'change in revenue per month',
    'who removed the tag',
    'users created in May',
    'created orders',
    'change of price by product',
    'what changed yesterday',
    'tag with the fewest posts',
    'drop of sales in May',
  ])('isWriteRequest returns false for the question "%s"', (question) => {
    expect(isWriteRequest(question)).toBe(false);
  });

  it('every question of the corpora that counts as a write request begins with a writing verb', () => {
    const received = readCorpora().flatMap(({ questions }) => questions.filter(isWriteRequest));
    expect(received.length).toBeGreaterThan(60);
    expect(
      received.filter(
        (question) =>
          !/^(?:delete|remove|update|insert|add|create|drop|alter|set|cancel|change|rename|replace|reset|mark|put|move|cancel|publish|book|grant|revoke)\b/i.test(
            question,
          ),
      ),
    ).toEqual([]);
  });
});
