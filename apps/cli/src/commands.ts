import type { Command } from './command.js';
import { accountCommands } from './commands/account-commands.js';
import { codeCommands } from './commands/code-commands.js';
import { completionCommand } from './commands/completion-command.js';
import { connectCommands } from './commands/connect-commands.js';
import { databaseCommands } from './commands/database-commands.js';
import { deployCommands } from './commands/deploy-commands.js';
import { devCommand } from './commands/dev-command.js';
import { initCommand } from './commands/init-command.js';
import { keyCommands } from './commands/key-commands.js';
import { mcpCommand } from './commands/mcp-command.js';
import { migrationCommands } from './commands/migration-commands.js';
import { projectCommands } from './commands/project-commands.js';
import { queryCommand } from './commands/query-command.js';
import { schemaCommands } from './commands/schema-commands.js';
import { seedCommand } from './commands/seed-command.js';
import { shareCommands } from './commands/share-commands.js';
import { synonymCommands } from './commands/synonym-commands.js';
import { transferCommands } from './commands/transfer-commands.js';
import { usageCommands } from './commands/usage-commands.js';

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...accountCommands,
  initCommand,
  ...projectCommands,
  ...databaseCommands,
  ...keyCommands,
  ...connectCommands,
  ...schemaCommands,
  ...deployCommands,
  ...migrationCommands,
  seedCommand,
  ...transferCommands,
  ...shareCommands,
  ...usageCommands,
  queryCommand,
  ...synonymCommands,
  mcpCommand,
  ...codeCommands,
  devCommand,
  completionCommand,
];
