import { describe, expect, it } from 'vitest';
import { createKeyRequest, createProjectRequest, signupRequest } from './control-api/requests.js';

describe('names that people choose', () => {
  it.each(['Blog', 'Größe 日本 👩‍💻', "O'Hara & sons", '<b>'])('chosenName accepts %j', (name) => {
    expect(createProjectRequest.safeParse({ name }).success).toBe(true);
  });

  it.each(['a\u0000b', 'a\nb', 'a\u001b[31m', '\u202egolb', 'a\u2066b', 'a\u2028b', '   '])(
    'chosenName rejects %j',
    (name) => {
      expect(createProjectRequest.safeParse({ name }).success).toBe(false);
      expect(createKeyRequest.safeParse({ name }).success).toBe(false);
      expect(
        signupRequest.safeParse({
          email: 'a@example.test',
          password: 'correct horse battery',
          organization: name,
        }).success,
      ).toBe(false);
    },
  );
});
