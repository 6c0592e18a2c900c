import { TextInput } from '@mantine/core';
import { IconEye, IconSearch, IconTable } from '@tabler/icons-react';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import type { TableView } from '../../../data/schema/read-tables.js';
import type { TableMark } from '../deploy/compare-view.js';
import classes from './table-list.module.css';

/** The maximum number of tables that are listed. Further tables can be found by searching. */
const SHOWN_MAX = 500;
const MARK_WORDS: Readonly<Record<TableMark, string>> = {
  new: 'new',
  changed: 'changed',
  dropped: 'dropped',
};

interface TableListProps {
  readonly tables: readonly TableView[];
  readonly marks: ReadonlyMap<string, TableMark>;
  readonly chosen: string | undefined;
  readonly onChoose: (table: string) => void;
}

/**
 * Lists the tables of the draft by name and marks undeployed changes. The search covers tables and columns.
 */
export function TableList({ tables, marks, chosen, onChoose }: TableListProps) {
  const [typed, setTyped] = useState('');
  const requested = useDeferredValue(typed.trim().toLowerCase());
  const index = useMemo(
    () =>
      tables.map((table) => ({
        table,
        text: `${table.name} ${table.columns.map((column) => column.name).join(' ')}`.toLowerCase(),
      })),
    [tables],
  );
  const found = useMemo(
    () =>
      rank(
        index.filter((entry) => entry.text.includes(requested)).map((entry) => entry.table),
        requested,
      ),
    [index, requested],
  );
  const dropped = [...marks].filter(
    ([name, mark]) => mark === 'dropped' && name.toLowerCase().includes(requested),
  );
  return (
    <div className={classes.list}>
      <TextInput
        size="xs"
        type="search"
        aria-label="Find a table"
        placeholder="Find a table or column"
        leftSection={<IconSearch size={14} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <nav aria-label="Tables of the draft" className={classes.tables}>
        {found.slice(0, SHOWN_MAX).map((table) => (
          <TableEntry
            key={table.name}
            table={table}
            mark={marks.get(table.name)}
            isChosen={table.name === chosen}
            onChoose={onChoose}
          />
        ))}
        {dropped.map(([name]) => (
          <span key={name} className={classes.entry} data-dropped>
            <IconTable size={15} aria-hidden />
            <s className={classes.name}>{name}</s>
            <span className={classes.mark} data-mark="dropped">
              dropped
            </span>
          </span>
        ))}
      </nav>
      {found.length === 0 && dropped.length === 0 ? (
        <p className={classes.more}>No matching tables or columns.</p>
      ) : null}
      {found.length > SHOWN_MAX ? (
        <p className={classes.more}>{found.length - SHOWN_MAX} more. Search to find them.</p>
      ) : null}
    </div>
  );
}

/** Sorts the found tables. Those whose name matches come before those with a matching column. */
function rank(tables: readonly TableView[], requested: string): readonly TableView[] {
  if (requested === '') return tables;
  const fit = (table: TableView): number =>
    table.name.toLowerCase().startsWith(requested) ? 0 : table.name.toLowerCase().includes(requested) ? 1 : 2;
  return [...tables].sort((a, b) => fit(a) - fit(b));
}

const TableEntry = memo(function TableEntry({
  table,
  mark,
  isChosen,
  onChoose,
}: {
  table: TableView;
  mark: TableMark | undefined;
  isChosen: boolean;
  onChoose: (table: string) => void;
}) {
  const Icon = table.kind === 'view' ? IconEye : IconTable;
  return (
    <button
      type="button"
      className={classes.entry}
      aria-current={isChosen ? 'true' : undefined}
      onClick={() => onChoose(table.name)}
    >
      <Icon size={15} aria-hidden />
      <span className={classes.name}>{table.name}</span>
      {mark === undefined ? (
        <span className={classes.count} title={`${table.columns.length} columns`}>
          {table.kind === 'view' ? 'view' : table.columns.length}
        </span>
      ) : (
        <span className={classes.mark} data-mark={mark}>
          {MARK_WORDS[mark]}
        </span>
      )}
    </button>
  );
});
