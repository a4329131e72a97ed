import { cx } from '../lib/cx.ts';
import { DownIcon, SortIcon, UpIcon } from './icons.tsx';
import type { Column, Sorting } from './table-model.ts';
import styles from './table.module.css';

interface HeaderCellProps<Row> {
  column: Column<Row>;
  order: Sorting | undefined;
  onSort: (column: string) => void;
}

/** The head of a column, a button where it can be sorted by it. */
export function HeaderCell<Row>({ column, order, onSort }: HeaderCellProps<Row>) {
  const isSorted = order?.column === column.id;
  const direction = order?.descending ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      className={cx(column.align === 'end' && styles.end, column.wideOnly && styles.wide)}
      aria-sort={isSorted ? direction : undefined}
    >
      {column.sortBy ? (
        <button
          type="button"
          className={cx(styles.sort, isSorted && styles.sorted)}
          onClick={() => onSort(column.id)}
        >
          {column.title}
          {!isSorted ? <SortIcon /> : order.descending ? <DownIcon /> : <UpIcon />}
        </button>
      ) : (
        column.title
      )}
    </th>
  );
}
