import { memo, type RefObject } from 'react';
import { cx } from '../lib/cx.ts';
import { Checkbox } from './field.tsx';
import type { Column } from './table-model.ts';
import styles from './table.module.css';

/** What rows do, by their ids and indexes. */
export interface RowHandlers<Row> {
  toggle: (id: string) => void;
  open: (row: Row) => void;
  focus: (index: number) => void;
  /** @returns whether the key means something */
  press: (key: string, id: string, row: Row) => boolean;
}

interface DataRowProps<Row> {
  row: Row;
  id: string;
  index: number;
  columns: readonly Column<Row>[];
  /** the one that keys are for */
  isCurrent: boolean;
  isSelected: boolean;
  isSelectable: boolean;
  isOpenable: boolean;
  /** the handlers of the last time that the table was drawn */
  at: RefObject<RowHandlers<Row>>;
}

function Drawn<Row>({ row, id, index, columns, isCurrent, at, ...is }: DataRowProps<Row>) {
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={is.isSelectable ? is.isSelected : undefined}
      tabIndex={isCurrent ? 0 : -1}
      className={cx(styles.row, is.isOpenable && styles.opens)}
      onFocus={() => at.current.focus(index)}
      onKeyDown={(event) => {
        // keys within cells are those of buttons and fields
        const isWithin = event.target !== event.currentTarget;
        if (isWithin || event.ctrlKey || event.metaKey || event.altKey) return;
        if (at.current.press(event.key, id, row)) event.preventDefault();
      }}
      onClick={(event) => {
        const isControl = (event.target as Element).closest('a, button, label, input');
        if (!isControl && !getSelection()?.toString()) at.current.open(row);
      }}
    >
      {is.isSelectable && (
        <td className={styles.check}>
          <Checkbox aria-label="Select" isSelected={is.isSelected} onChange={() => at.current.toggle(id)} />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          className={cx(column.align === 'end' && styles.end, column.wideOnly && styles.wide)}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** A row of `DataTable`. It is drawn again only when something of its own has changed. */
export const DataRow = memo(Drawn) as typeof Drawn;
