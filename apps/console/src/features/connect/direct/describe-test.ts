import type { ConnectionResponse, ConnectionTestResponse } from '@rowhouse/contracts';
import type { McpFound } from '../../../data/gateway/try-mcp.js';
import type { TagTone } from '../../../ui/layout/tag.js';

/** The result of a test as text: a summary, and what to do about it. */
export interface TestFinding {
  readonly tone: TagTone;
  readonly label: string;
  readonly text: string;
}

const REJECTIONS: Readonly<Record<NonNullable<ConnectionTestResponse['fault']>, Omit<TestFinding, 'tone'>>> =
  {
    password: {
      label: 'Rejected',
      text: 'The password is wrong or no longer valid. Rotate the connection to get a new one.',
    },
    locked: {
      label: 'Locked',
      text: 'The server has locked this user. Create a new connection string and revoke this one.',
    },
    sessions: {
      label: 'In use',
      text: 'This user’s session limit is reached. Close some sessions, or create a user for each program.',
    },
    other: {
      label: 'Rejected',
      text: 'The server rejected this user, but not because of the password. Create a new connection string and revoke this one.',
    },
  };

/** Describes the result of a connection test in which the platform tried to sign in. */
export function describeSignIn(
  found: ConnectionTestResponse,
  { host, port }: Pick<ConnectionResponse, 'host' | 'port'>,
): TestFinding {
  const address = `${host}:${port}`;
  const away = `${address} isn’t reachable from the Rowhouse server. The address may only work from other networks, so test it where your program runs.`;
  if (found.fault !== null) {
    const { label, text } = REJECTIONS[found.fault];
    return { tone: 'brick', label, text: found.reaches_address ? text : `${text} ${away}` };
  }
  const seen = `server ${shortenVersion(found.server_version ?? '')}, ${found.tables === 1 ? '1 table' : `${found.tables ?? 0} tables`} visible`;
  if (!found.reaches_address)
    return {
      tone: 'ochre',
      label: 'Password works',
      text: `Signed in directly on the server (${seen}). ${away}`,
    };
  return {
    tone: 'pine',
    label: 'Signed in',
    text: `Connected to ${address} in ${roundMs(found.took_ms)} ms (${seen}).`,
  };
}

/**
 * Describes the result of a test of the MCP server: what an agent would receive. `hasOwnKey` is true if the
 * test used a key created in this tab, and false if it used the console's key.
 */
export function describeMcp({ title, tools, tookMs }: McpFound, hasOwnKey: boolean): TestFinding {
  const whose = hasOwnKey ? 'this key' : 'your role';
  if (tools.length === 0)
    return {
      tone: 'ochre',
      label: 'No tools',
      text: `${title} responds, but ${whose} can’t use any of its tools. Add scopes to the key.`,
    };
  return {
    tone: 'pine',
    label: 'Connected',
    text: `${title} responded in ${roundMs(tookMs)} ms. With ${whose}, ${tools.length === 1 ? '1 tool is' : `${tools.length} tools are`} available: ${tools.join(', ')}.`,
  };
}

/** Shortens `10.11.6-MariaDB-0+deb12u1` to `10.11.6-MariaDB`. */
function shortenVersion(version: string): string {
  return version.split('-').slice(0, 2).join('-');
}

function roundMs(tookMs: number): number {
  return Math.max(1, Math.round(tookMs));
}
