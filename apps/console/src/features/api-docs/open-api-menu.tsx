import type { DatabaseResponse } from '@rowhouse/contracts';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { readGateway } from '../../data/gateway/call-gateway.js';
import { Dropdown, DropdownItem } from '../../ui/controls/dropdown.js';
import { saveFile } from '../../ui/code/save-file.js';
import { showFailure } from '../../ui/notices/show-failure.js';
import classes from './api-docs.module.css';
import { isRecord } from '../../data/client/api-error.js';
import { isExactNumber } from '../../data/gateway/exact-json.js';

/**
 * Matches strings that YAML reads without quotes: they start with a letter or a slash and have no special
 * characters.
 */
const PLAIN = /^[A-Za-z/][\w/.-]*$/;

const WORDS_OF_YAML = /^(true|false|null|yes|no|on|off|y|n)$/i;
const TYPES = { json: 'application/json', yaml: 'application/yaml' } as const;

/** Downloads the OpenAPI document. It contains everything that the member's role may see. */
export function OpenApiMenu({ database }: { database: DatabaseResponse }) {
  const save = useMutation({
    mutationFn: async (form: keyof typeof TYPES) => {
      const { body } = await readGateway<unknown>(database, { path: '/openapi.json' });
      saveFile(
        new Blob([form === 'json' ? `${JSON.stringify(body, null, 2)}\n` : writeYaml(body)], {
          type: TYPES[form],
        }),
        `openapi-${database.environment}.${form}`,
      );
    },
    onError: (error) => showFailure('Couldn’t load the OpenAPI document', error),
  });
  return (
    <Dropdown
      label="Download the OpenAPI document"
      align="end"
      triggerClassName={classes.menuButton}
      trigger={
        <>
          <IconDownload size={15} aria-hidden />
          OpenAPI
        </>
      }
    >
      <DropdownItem onSelect={() => save.mutate('json')}>As JSON</DropdownItem>
      <DropdownItem onSelect={() => save.mutate('yaml')}>As YAML</DropdownItem>
    </Dropdown>
  );
}

/** Writes a JSON value as YAML 1.2, indented by two spaces per level. */
export function writeYaml(value: unknown): string {
  return `${write(value, '').trimStart()}\n`;
}

/** Writes a value that follows a name or a hyphen, either on the same line or on the lines below. */
function write(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []';
    // The first line of a list item follows the hyphen on the same line.
    return value.map((item: unknown) => `\n${indent}- ${write(item, `${indent}  `).trimStart()}`).join('');
  }
  if (isRecord(value) && !isExactNumber(value)) {
    const members = Object.entries(value);
    if (members.length === 0) return ' {}';
    return members
      .map(([name, member]) => `\n${indent}${writeText(name)}:${write(member, `${indent}  `)}`)
      .join('');
  }
  return ` ${writeScalar(value)}`;
}

function writeScalar(value: unknown): string {
  if (typeof value === 'string') return writeText(value);
  return isExactNumber(value) ? value.rawJSON : JSON.stringify(value ?? null);
}

function writeText(text: string): string {
  return PLAIN.test(text) && !WORDS_OF_YAML.test(text) ? text : JSON.stringify(text);
}
