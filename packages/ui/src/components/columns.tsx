import type { ReactNode } from 'react';
import { Time } from './data.tsx';
import type { Column } from './table-model.ts';
import styles from './table.module.css';

/** A column of times by which the table can be sorted. */
export const timeColumn = <Row,>(
  id: string,
  title: string,
  timeOf: (row: Row) => string,
  more: Pick<Column<Row>, 'wideOnly' | 'isHiddenAtFirst'> = {},
): Column<Row> => ({ id, title, ...more, sortBy: timeOf, cell: (row) => <Time at={timeOf(row)} /> });

/** The last column: buttons for what can be done with the row. */
export const actionsColumn = <Row,>(
  actionsOf: (row: Row) => ReactNode,
  more: Pick<Column<Row>, 'wideOnly'> = {},
): Column<Row> => ({
  id: 'actions',
  title: 'Actions',
  isFixed: true,
  align: 'end',
  ...more,
  cell: (row) => <span className={styles.rowActions}>{actionsOf(row)}</span>,
});
