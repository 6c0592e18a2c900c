import { TRANSFER_KEPT_DAYS } from '@rowhouse/contracts/transfer-limits';

/** The placeholder for the environment, whose name is in the URL. */
export const ENVIRONMENT = '$environment';

interface PageHeading {
  /** The heading. Empty if it depends on more than the URL; the screen then renders it. */
  readonly title: string;
  /** The first line below the heading. Undefined if it depends on more than the URL. */
  readonly lead?: string;
  readonly wide?: boolean;
}

/**
 * The heading and first line of each screen on which they depend only on the URL, by the module's name below
 * `routes`. The screens and the HTML pages of the build use the same texts.
 */
export const PAGE_HEADINGS = {
  'sign-up': {
    title: 'Create your account',
    lead: 'Get a MySQL database with a REST API for every table. All you need is an email and a password.',
  },
  account: { title: 'Your account' },
  projects: {
    title: 'Projects',
    lead: 'Each project has its own databases, one per environment, and an API for each.',
  },
  overview: { title: '', lead: 'Call your API, check recent traffic, and find every endpoint.' },
  data: { title: 'Data', lead: `Loading the tables in ${ENVIRONMENT}…` },
  query: {
    title: 'Query',
    lead: 'Ask a question or write SQL. You’ll see the SQL behind every answer, so you can check, edit and save it.',
    wide: true,
  },
  synonyms: {
    title: 'Synonyms',
    lead: 'Questions already understand your table and column names. Add the other words your team uses. They apply to every environment.',
  },
  backups: {
    title: 'Backups',
    lead: `Consistent snapshots of your schema and data. Backups are kept for ${TRANSFER_KEPT_DAYS} days; download any you need longer.`,
  },
  schema: {
    title: 'Schema',
    lead: 'Edit the draft, review the impact, then deploy it to any environment.',
    wide: true,
  },
  migrations: { title: 'Migrations', lead: `Schema changes in ${ENVIRONMENT}, newest first.` },
  connect: {
    title: 'Connect',
    lead: `Connect to ${ENVIRONMENT} over REST, MySQL, MCP or the command line.`,
  },
  keys: {
    title: 'API keys',
    lead: `API keys for ${ENVIRONMENT}. Each key works with this database only and is shown once, when you create it.`,
  },
  api: {
    title: 'API reference',
    lead: `Endpoints of ${ENVIRONMENT}, with examples you can copy and run.`,
    wide: true,
  },
  logs: {
    title: 'Logs',
    lead: `Recent requests to ${ENVIRONMENT}. Values are never logged.`,
    wide: true,
  },
  code: {
    title: 'Code',
    lead: `Generated models and clients for the live schema in ${ENVIRONMENT}. The CLI generates the same files.`,
    wide: true,
  },
  team: { title: 'Team' },
  settings: { title: 'Settings', lead: `Settings for the project and its ${ENVIRONMENT} database.` },
  usage: {
    title: 'Usage and limits',
    lead: `Traffic, limits and slow endpoints for ${ENVIRONMENT}.`,
  },
} as const satisfies Record<string, PageHeading>;

/** Returns the texts as properties of `Page`. */
export function headingOf(screen: keyof typeof PAGE_HEADINGS, environment = ''): PageHeading {
  const heading: PageHeading = PAGE_HEADINGS[screen];
  return heading.lead === undefined
    ? heading
    : { ...heading, lead: heading.lead.replace(ENVIRONMENT, () => environment) };
}
