import type { ConnectionResponse, ConnectionTestResponse } from '@rowhouse/contracts';
import type { McpFound } from '../../../data/gateway/try-mcp.js';
import type { TagTone } from '../../../ui/layout/tag.js';

/** The result of a test as text: a summary, and what to do about it. */
export interface TestFinding {
  readonly tone: TagTone;
  readonly word: string;
  readonly text: string;
}

const REFUSALS: Readonly<Record<NonNullable<ConnectionTestResponse['fault']>, Omit<TestFinding, 'tone'>>> = {
  password: {
    word: 'Refused',
    text: 'This is not a password of this user, or not any more. Rotate the connection to get a new one.',
  },
  locked: {
    word: 'Locked',
    text: 'The server keeps this user out. Make a new connection string, and revoke this one.',
  },
  sessions: {
    word: 'In use',
    text: 'As many sessions as this user may have are open. Close some, or give each program a user of its own.',
  },
  other: {
    word: 'Refused',
    text: 'The server does not let this user in, for another reason than the password. Make a new connection string, and revoke this one.',
  },
};

/** Describes a sign-in attempt by the platform. */
export function describeSignIn(
  found: ConnectionTestResponse,
  { host, port }: Pick<ConnectionResponse, 'host' | 'port'>,
): TestFinding {
  const address = `${host}:${port}`;
  const away = `${address} did not let Rowhouse in from where it runs: it may be an address for other networks. Try it from where your program runs.`;
  if (found.fault !== null) {
    const { word, text } = REFUSALS[found.fault];
    return { tone: 'brick', word, text: found.reaches_address ? text : `${text} ${away}` };
  }
  const seen = `server ${shortenVersion(found.server_version ?? '')}, ${found.tables === 1 ? '1 table' : `${found.tables ?? 0} tables`} to see`;
  if (!found.reaches_address)
    return {
      tone: 'ochre',
      word: 'Password works',
      text: `Signed in at the server itself (${seen}). ${away}`,
    };
  return { tone: 'pine', word: 'Signed in', text: `At ${address} in ${roundMs(found.took_ms)} ms: ${seen}.` };
}

/**
 * Describes what an agent would receive. `hasOwnKey` is true if the test used a key created here, and false
 * if it used the console's key.
 */
export function describeMcp({ title, tools, tookMs }: McpFound, hasOwnKey: boolean): TestFinding {
  const whose = hasOwnKey ? 'this key' : 'your role';
  if (tools.length === 0)
    return {
      tone: 'ochre',
      word: 'No tools',
      text: `${title} answers, and has no tool that ${whose} may use. Give the key more scopes.`,
    };
  return {
    tone: 'pine',
    word: 'Answers',
    text: `${title}, in ${roundMs(tookMs)} ms, with ${tools.length === 1 ? 'one tool' : `${tools.length} tools`} for ${whose}: ${tools.join(', ')}.`,
  };
}

/** Shortens `10.11.6-MariaDB-0+deb12u1` to `10.11.6-MariaDB`. */
function shortenVersion(version: string): string {
  return version.split('-').slice(0, 2).join('-');
}

function roundMs(tookMs: number): number {
  return Math.max(1, Math.round(tookMs));
}
