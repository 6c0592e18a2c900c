import { IconEye, IconTable } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TableView } from '../../data/schema/read-tables.js';
import type { PageLocation } from '../shell/pages.js';
import classes from './rows.module.css';

/** A link to the rows of a table. */
export function TableLink({
  location: pageLocation,
  table,
  isCurrent,
}: {
  location: PageLocation;
  table: TableView;
  isCurrent: boolean;
}) {
  return (
    <Link
      to="/projects/$projectId/$environment/data/$table"
      params={{ ...pageLocation, table: table.name }}
      className={classes.tableLink}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {table.kind === 'view' ? (
        <IconEye size={15} role="img" aria-label="view" />
      ) : (
        <IconTable size={15} aria-hidden />
      )}
      <span>{table.name}</span>
    </Link>
  );
}
