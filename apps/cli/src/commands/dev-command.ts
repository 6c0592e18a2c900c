import type { Command } from '../command.js';
import { watchSchema } from '../schema/watch-schema.js';

export const devCommand: Command = {
  name: 'dev',
  about: 'Watch the schema file; deploy to development and generate code after each change',
  options: {
    'accept-loss': {
      type: 'boolean',
      about: 'continue even if rows, columns or tables in development are lost',
    },
    once: { type: 'boolean', about: 'synchronize once and exit' },
  },
  examples: [
    'rowhouse init --project blog --python models && rowhouse dev',
    'rowhouse dev --once',
    'rowhouse dev --once --json',
  ],
  notes:
    'rowhouse.json configures the schema file and the generated code. Changes made elsewhere, such as in the console, are written\nto the file. With --json, each deploy and each generation prints one line of JSON.',
  run: (ctx) => watchSchema(ctx, { isCoding: true }),
};
