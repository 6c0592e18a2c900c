import { Authenticator } from 'passport';
import { Strategy as BearerStrategy } from 'passport-http-bearer';

type Verify<T> = (token: string) => Promise<T | null>;

export interface BearerReader<T> {
  /**
   * Returns the owner of the token. Returns null if there is no Authorization header with this scheme, and
   * `invalid` for an unknown token.
   */
  read(authorization: string | undefined): Promise<T | null | 'invalid' | 'malformed'>;
}

/**
 * Implements bearer authentication with passport-http-bearer. The strategy also accepts `access_token` in
 * body and query, so only the header is passed to it.
 */
export function createBearerReader<T extends object>(verify: Verify<T>): BearerReader<T> {
  const authenticator = new Authenticator();
  authenticator.use(
    new BearerStrategy((token, done) => {
      verify(token).then(
        (user) => done(null, user ?? false),
        (error: unknown) => done(error),
      );
    }),
  );
  return {
    read: (authorization) =>
      new Promise((resolve, reject) => {
        // Basic credentials are ignored, because a proxy may require them.
        if (authorization === undefined || !/^bearer(\s|$)/i.test(authorization)) {
          resolve(null);
          return;
        }
        const settle = (error: unknown, user: unknown, challenge: unknown): void => {
          if (error)
            reject(
              error instanceof Error ? error : new Error('the bearer strategy failed', { cause: error }),
            );
          else if (user) resolve(user as T);
          else resolve(typeof challenge === 'string' || Array.isArray(challenge) ? 'invalid' : 'malformed');
        };
        const middleware = authenticator.authenticate('bearer', { session: false }, settle) as (
          req: object,
          res: object,
          next: (error: unknown) => void,
        ) => void;
        middleware({ headers: { authorization } }, {}, (error) => settle(error, null, null));
      }),
  };
}
