import type { DatabaseResponse } from '@rowhouse/contracts';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { readGateway } from '../../data/gateway/call-gateway.js';
import { Dropdown, DropdownItem } from '../../ui/dropdown.js';
import { saveFile } from '../../ui/save-file.js';
import { showFailure } from '../../ui/show-failure.js';
import classes from './api-docs.module.css';
import { writeYaml } from './write-yaml.js';

const TYPES = { json: 'application/json', yaml: 'application/yaml' } as const;

/** Downloads the OpenAPI document with everything that the member's role may see. */
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
