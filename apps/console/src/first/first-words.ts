import { TRANSFER_KEPT_DAYS } from '@rowhouse/contracts/transfer-limits';

/** Stands for the environment in the URL. */
export const ENVIRONMENT = '$environment';

interface Words {
  /** Empty if it needs more than the URL. The screen then renders it. */
  readonly title: string;
  /** Undefined if it needs more than the URL. */
  readonly lead?: string;
  readonly wide?: boolean;
}

/**
 * Heading and first line of screens whose texts only depend on the URL, by module below `routes`. Both the
 * screens and the server's page use them.
 */
export const FIRST_WORDS = {
  'sign-up': {
    title: 'Create your account',
    lead: 'Two fields, and your first API answers: a database of your own, with REST for each of its tables.',
  },
  account: { title: 'Your account' },
  projects: {
    title: 'Projects',
    lead: 'Each one is a house of its own in the row: its databases, one per environment, and their APIs.',
  },
  overview: {
    title: '',
    lead: `How to call the ${ENVIRONMENT} database, what it served in the last day, and where each of its tables answers.`,
  },
  data: { title: 'Data', lead: `Reading which tables ${ENVIRONMENT} has.` },
  query: {
    title: 'Query',
    lead: `Ask ${ENVIRONMENT} in plain words or in SQL. What plain words become is shown as SQL, to be checked, changed and kept.`,
    wide: true,
  },
  words: {
    title: 'Words',
    lead: 'Questions know the names of your tables and columns. Teach them the words that people use instead: they hold for every database of the project, within a second.',
  },
  backups: {
    title: 'Backups',
    lead: `Copies of one moment: the schema and every row as one transaction sees them. Each is kept for ${TRANSFER_KEPT_DAYS} days: download what must stay longer.`,
  },
  schema: {
    title: 'Schema',
    lead: 'One draft for the whole project: change it, see what that means, deploy it.',
    wide: true,
  },
  migrations: {
    title: 'Migrations',
    lead: `Every change of the schema that ${ENVIRONMENT} runs, newest first.`,
  },
  connect: {
    title: 'Connect',
    lead: `Ways into ${ENVIRONMENT}: REST, MySQL, MCP for agents, the command line, the docs.`,
  },
  keys: {
    title: 'API keys',
    lead: `Keys of ${ENVIRONMENT}. A key works for this one database and is shown only when it is made.`,
  },
  api: {
    title: 'API',
    lead: `What ${ENVIRONMENT} answers, table by table: each call with an example to copy, and a place to try it out.`,
    wide: true,
  },
  logs: {
    title: 'Logs',
    lead: `Requests to ${ENVIRONMENT}, newest first: routes, statuses and times, never a value.`,
    wide: true,
  },
  code: {
    title: 'Code',
    lead: `Models and clients of the schema that ${ENVIRONMENT} runs now. The command line writes the same files.`,
    wide: true,
  },
  team: { title: 'Team' },
  settings: { title: 'Settings', lead: `Of the ${ENVIRONMENT} database and of its project` },
  usage: {
    title: 'Usage and limits',
    lead: `What ${ENVIRONMENT} served, and what it may: by the hour, by table or key, and where its time went.`,
  },
} as const satisfies Record<string, Words>;

/** Returns the texts as properties of `Page`. */
export function wordsOf(screen: keyof typeof FIRST_WORDS, environment = ''): Words {
  const words: Words = FIRST_WORDS[screen];
  return words.lead === undefined
    ? words
    : { ...words, lead: words.lead.replace(ENVIRONMENT, () => environment) };
}
