import { Time } from '@sluice/ui/data.tsx';
import { formatBytes, formatCount } from '@sluice/ui/lib/quantity.ts';
import { Tag } from '@sluice/ui/status.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import styles from './streams.module.css';

/** Columns of lists of streams and of consumers, whether a session reads them or agents have reported them. */

interface StreamFigures {
  name: string;
  messages: number;
  bytes: number;
  consumers: number;
  lastAt: string | null;
}

export const streamFigures = <Row,>(of: (row: Row) => StreamFigures) =>
  ({
    name: nameColumn('Stream', (row) => ({ name: of(row).name })),
    messages: countColumn('messages', 'Messages', (row) => of(row).messages),
    bytes: {
      ...countColumn('bytes', 'Size', (row) => of(row).bytes),
      cell: (row) => formatBytes(of(row).bytes),
    },
    consumers: countColumn('consumers', 'Consumers', (row) => of(row).consumers),
    last: { id: 'last', title: 'Last message', cell: (row) => <Time at={of(row).lastAt} /> },
  }) satisfies Record<string, Column<Row>>;

interface ConsumerFigures {
  name: string;
  isPaused: boolean;
  pending: number;
  unacknowledged: number;
  redelivered: number;
  deliveredAt: string | null;
}

export const consumerFigures = <Row,>(of: (row: Row) => ConsumerFigures) =>
  ({
    name: nameColumn('Consumer', of),
    pending: countColumn('pending', 'Lag', (row) => of(row).pending),
    unacknowledged: countColumn('ack', 'Not acknowledged', (row) => of(row).unacknowledged),
    redelivered: countColumn('redelivered', 'Given again', (row) => of(row).redelivered),
    delivered: {
      id: 'last',
      title: 'Last given',
      wideOnly: true,
      cell: (row) => <Time at={of(row).deliveredAt} />,
    },
  }) satisfies Record<string, Column<Row>>;

const nameColumn = <Row,>(
  title: string,
  of: (row: Row) => { name: string; isPaused?: boolean },
): Column<Row> => ({
  id: 'name',
  title,
  isFixed: true,
  sortBy: (row) => of(row).name,
  cell: (row) => (
    <span className={styles.title}>
      <strong>{of(row).name}</strong> {of(row).isPaused && <Tag kind="warn">paused</Tag>}
    </span>
  ),
});

const countColumn = <Row,>(id: string, title: string, of: (row: Row) => number): Column<Row> => ({
  id,
  title,
  align: 'end',
  sortBy: of,
  cell: (row) => formatCount(of(row)),
});
