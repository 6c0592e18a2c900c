import { PoolSession } from '../session/pool-session.js';

/** The members of a session that a test replaces. Methods may return less than a real session does. */
export type FakeMembers = {
  [Name in keyof PoolSession]?: PoolSession[Name] extends (...values: infer Values) => unknown
    ? (...values: Values) => unknown
    : PoolSession[Name];
};

/** Creates a session without a connection. Methods that the test does not replace must not be called. */
export function makeFakeSession(members: FakeMembers = {}): PoolSession {
  const session = Object.create(PoolSession.prototype) as object;
  const defaults: FakeMembers = {
    isLost: false,
    hasNodeLeft: false,
    lentFor: null,
    orphanEnded: null,
    fate: 'reuse',
    raiseFate: () => undefined,
    finish: () => undefined,
  };
  for (const [name, value] of Object.entries({ ...defaults, ...members }))
    Object.defineProperty(session, name, { value, writable: true, configurable: true });
  return session as PoolSession;
}
