import { ActionIcon, Checkbox, TextInput } from '@mantine/core';
import { IconArrowBackUp, IconChevronDown, IconChevronUp, IconDots, IconTrash } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Tag } from '../../../../ui/layout/tag.js';
import { describeName, readTypedDefault, showDefault, type ColumnForm } from './table-form.js';
import classes from './table-editor.module.css';

export const COLUMN_TYPES: readonly string[] = [
  'int',
  'int unsigned',
  'bigint',
  'bigint unsigned',
  'tinyint',
  'smallint',
  'boolean',
  'decimal(12,2)',
  'float',
  'double',
  'varchar(200)',
  'varchar(255)',
  'char(36)',
  'text',
  'mediumtext',
  'longtext',
  'date',
  'datetime',
  'datetime(3)',
  'timestamp',
  'time',
  'year',
  'json',
  "enum('a','b')",
  'blob',
  'longblob',
  'binary(16)',
  'uuid',
];

interface ColumnFieldsProps {
  readonly column: ColumnForm;
  readonly isKey: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly typesId: string;
  readonly onChange: (change: Partial<ColumnForm>) => void;
  readonly onKey: (isKey: boolean) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

/** The fields of one column on one line. Rarely used settings can be shown below the line. */
export function ColumnFields(props: ColumnFieldsProps) {
  const { column, isKey, typesId, onChange } = props;
  const [isOpen, setOpen] = useState(false);
  const moreId = useId();
  const label = column.name === '' ? 'new column' : column.name;
  if (column.isDropped)
    return <DroppedColumn column={column} onKeep={() => onChange({ isDropped: false })} />;
  const isRenamed = column.from !== null && column.from !== column.name;
  return (
    <li className={classes.column} data-new={column.from === null || undefined}>
      <div className={classes.line}>
        <TextInput
          size="xs"
          aria-label={`Name of ${label}`}
          placeholder="name"
          description={describeName(column.name, column.from)}
          inputWrapperOrder={['input', 'description']}
          value={column.name}
          maxLength={64}
          spellCheck={false}
          autoComplete="off"
          autoFocus={column.from === null && column.name === ''}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <TextInput
          size="xs"
          aria-label={`Type of ${label}`}
          list={typesId}
          value={column.type}
          disabled={column.isGenerated}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange({ type: event.currentTarget.value })}
        />
        <TextInput
          className={classes.default}
          size="xs"
          aria-label={`Default of ${label}`}
          placeholder="no default"
          value={showDefault(column)}
          title={showDefault(column) || undefined}
          disabled={column.isGenerated || column.autoIncrement}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange(readTypedDefault(event.currentTarget.value))}
        />
        <Checkbox
          size="xs"
          label="null"
          aria-label={`${label} is nullable`}
          checked={column.nullable}
          disabled={column.isGenerated || isKey}
          onChange={(event) => onChange({ nullable: event.currentTarget.checked })}
        />
        <Checkbox
          size="xs"
          label="unique"
          aria-label={`${label} is unique`}
          checked={column.unique}
          disabled={column.isGenerated}
          onChange={(event) => onChange({ unique: event.currentTarget.checked })}
        />
        <span className={classes.tools}>
          <ActionIcon
            size={26}
            aria-label={`Move ${label} up`}
            disabled={props.isFirst}
            onClick={() => props.onMove(-1)}
          >
            <IconChevronUp size={15} />
          </ActionIcon>
          <ActionIcon
            size={26}
            aria-label={`Move ${label} down`}
            disabled={props.isLast}
            onClick={() => props.onMove(1)}
          >
            <IconChevronDown size={15} />
          </ActionIcon>
          <ActionIcon
            size={26}
            aria-label={`More of ${label}`}
            aria-expanded={isOpen}
            aria-controls={moreId}
            onClick={() => setOpen(!isOpen)}
          >
            <IconDots size={15} />
          </ActionIcon>
          <ActionIcon size={26} aria-label={`Drop ${label}`} onClick={props.onRemove}>
            <IconTrash size={15} />
          </ActionIcon>
        </span>
      </div>
      {isRenamed || isKey || column.autoIncrement || column.isGenerated ? (
        <p className={classes.marks}>
          {isKey ? <Tag tone="ochre">primary key</Tag> : null}
          {column.autoIncrement ? <Tag>auto increment</Tag> : null}
          {column.isGenerated ? <Tag>Computed. Edit in SQL</Tag> : null}
          {isRenamed ? <Tag tone="harbour">{`renamed from ${column.from ?? ''}: data kept`}</Tag> : null}
        </p>
      ) : null}
      {isOpen ? <MoreFields id={moreId} {...props} label={label} /> : null}
    </li>
  );
}

function MoreFields({
  id,
  column,
  isKey,
  label,
  onChange,
  onKey,
}: ColumnFieldsProps & { id: string; label: string }) {
  return (
    <div className={classes.more} id={id}>
      <Checkbox
        size="xs"
        label="Part of the primary key"
        aria-label={`${label} is part of the primary key`}
        checked={isKey}
        onChange={(event) => onKey(event.currentTarget.checked)}
      />
      <Checkbox
        size="xs"
        label="Auto increment"
        aria-label={`${label} is auto-increment`}
        checked={column.autoIncrement}
        disabled={column.isGenerated}
        onChange={(event) =>
          onChange({
            autoIncrement: event.currentTarget.checked,
            ...(event.currentTarget.checked
              ? { defaultKind: 'none' as const, defaultText: '', nullable: false }
              : {}),
          })
        }
      />
      <Checkbox
        size="xs"
        label="The default is an expression"
        aria-label={`Default of ${label} is an expression`}
        checked={column.defaultKind === 'expression'}
        disabled={column.isGenerated || column.defaultText === ''}
        onChange={(event) =>
          onChange({ defaultKind: event.currentTarget.checked ? 'expression' : 'literal' })
        }
      />
      <TextInput
        className={classes.wide}
        size="xs"
        label="Comment"
        value={column.comment}
        maxLength={1_024}
        onChange={(event) => onChange({ comment: event.currentTarget.value })}
      />
    </div>
  );
}

function DroppedColumn({ column, onKeep }: { column: ColumnForm; onKeep: () => void }) {
  return (
    <li className={classes.column} data-dropped>
      <div className={classes.line}>
        <s className="rh-mono">{column.name}</s>
        <Tag tone="brick">dropped</Tag>
        <span className={classes.tools}>
          <ActionIcon size={26} aria-label={`Keep ${column.name}`} title="Keep it" onClick={onKeep}>
            <IconArrowBackUp size={15} />
          </ActionIcon>
        </span>
      </div>
    </li>
  );
}
