import type { Command } from '../command.js';
import { watchSchema } from '../watch-schema.js';

export const devCommand: Command = {
  name: 'dev',
  about: 'Watch the schema file: deploy to development and make the code anew at each change',
  options: {
    'accept-loss': { type: 'boolean', about: 'go on where rows, columns or tables of development are lost' },
    once: { type: 'boolean', about: 'bring everything up to date and end' },
  },
  examples: ['rowhouse init --project blog --python models && rowhouse dev', 'rowhouse dev --once', 'rowhouse dev --once --json'],
  notes: 'What to watch and to make stands in rowhouse.json. A change that is made elsewhere, in the console say, comes into the file too.\nWith --json each deploy and each generation is told in one line of JSON.',
  run: (ctx) => watchSchema(ctx, { isCoding: true }),
};
