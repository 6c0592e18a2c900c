import { Checkbox } from '@mantine/core';
import type { TableView } from '../../data/schema/read-tables.js';
import classes from './keys.module.css';

export type VerbRights = Record<string, ('read' | 'write' | 'delete')[]>;

const VERBS = ['read', 'write', 'delete'] as const;

interface TableRightsFieldProps {
  readonly tables: readonly TableView[];
  readonly rights: VerbRights;
  readonly onChange: (rights: VerbRights) => void;
}

/** Selects the tables that a restricted API key may access, and its permissions for each table. */
export function TableRightsField({ tables, rights, onChange }: TableRightsFieldProps) {
  const toggle = (table: string, verb: (typeof VERBS)[number], isOn: boolean): void => {
    const verbs = VERBS.filter((candidate) =>
      candidate === verb ? isOn : rights[table]?.includes(candidate) === true,
    );
    const { [table]: _before, ...others } = rights;
    onChange(verbs.length > 0 ? { ...others, [table]: verbs } : others);
  };
  return (
    <div className={classes.rights}>
      <table aria-label="Table rights">
        <thead>
          <tr>
            <th scope="col">Table</th>
            {VERBS.map((verb) => (
              <th key={verb} scope="col">
                {verb}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tables.map((table) => (
            <tr key={table.name}>
              <th scope="row" className="rh-mono">
                {table.name}
              </th>
              {VERBS.map((verb) => (
                <td key={verb}>
                  <Checkbox
                    size="xs"
                    aria-label={`${verb} ${table.name}`}
                    checked={rights[table.name]?.includes(verb) === true}
                    onChange={(event) => toggle(table.name, verb, event.currentTarget.checked)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
