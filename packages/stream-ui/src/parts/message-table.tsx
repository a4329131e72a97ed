import { useState, type ReactNode } from 'react';
import type { StreamInfo } from '@nats-io/jetstream';
import { Time } from '@sluice/ui/data.tsx';
import { formatBytes } from '@sluice/ui/lib/quantity.ts';
import { DataTable } from '@sluice/ui/table.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import layout from '@sluice/ui/layout.module.css';
import type { StoredMessage } from '@sluice/streams';
import type { Broker } from '../broker/session.ts';
import { masked, textOf } from '../lib/payload.ts';
import { MessageDialog } from './message-dialog.tsx';
import styles from './streams.module.css';

const longestPreview = 160;

function Preview({ message }: { message: StoredMessage }) {
  const text = textOf({ ...message, data: message.data.subarray(0, 4 * longestPreview) });
  return (
    <span className={styles.preview}>
      {text === undefined ? <span className={layout.muted}>binary</span> : text.slice(0, longestPreview)}
    </span>
  );
}

const columns = (isShown: boolean): Column<StoredMessage>[] => [
  { id: 'sequence', title: 'Sequence', isFixed: true, align: 'end', cell: ({ sequence }) => sequence },
  { id: 'time', title: 'Time', cell: ({ time }) => <Time at={time} /> },
  {
    id: 'subject',
    title: 'Subject',
    isFixed: true,
    cell: ({ subject }) => <span className={styles.mono}>{subject}</span>,
  },
  { id: 'size', title: 'Size', align: 'end', cell: ({ size }) => formatBytes(size) },
  {
    id: 'headers',
    title: 'Headers',
    wideOnly: true,
    align: 'end',
    cell: ({ headers }) => Object.keys(headers).length || '–',
  },
  { id: 'value', title: 'Value', cell: (message) => (isShown ? <Preview message={message} /> : masked) },
];

interface MessageTableProps {
  broker: Broker;
  stream: StreamInfo;
  /** by which the choice of columns is kept */
  name: string;
  rows: readonly StoredMessage[] | undefined;
  isShown: boolean;
  empty: ReactNode;
  error?: unknown;
  onRetry?: () => void;
  /** a message was deleted or published */
  onChange?: () => void;
}

/** Messages as rows; Enter or a click opens one. */
export function MessageTable({ broker, stream, name, isShown, onChange, ...table }: MessageTableProps) {
  const [open, setOpen] = useState<StoredMessage>();
  return (
    <>
      <DataTable
        {...table}
        name={`messages-${name}`}
        label="Messages"
        columns={columns(isShown)}
        rowKey={({ sequence }) => sequence}
        onOpen={setOpen}
      />
      {open && (
        <MessageDialog
          {...{ broker, stream, isShown }}
          message={open}
          onClose={() => setOpen(undefined)}
          {...(onChange && { onChange })}
        />
      )}
    </>
  );
}
