import { useMemo, useRef, useState } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Button, IconButton } from '@sluice/ui/button.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { TextField } from '@sluice/ui/field.tsx';
import { ChevronIcon, ChevronRightIcon } from '@sluice/ui/icons.tsx';
import { formatCount, plural } from '@sluice/ui/lib/quantity.ts';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { explained, type Broker } from '../broker/session.ts';
import { readSubjects } from '../broker/subjects.ts';
import { usePolled } from '../lib/polled.ts';
import { filterOf, subjectTree, treeRows } from '../lib/subject-tree.ts';
import styles from './streams.module.css';

const rowHeight = 36;

interface SubjectsProps {
  broker: Broker;
  stream: string;
  /** shows the messages of a subject */
  onChoose: (subject: string) => void;
}

/** The subjects that a stream has messages of, as a tree. */
export function Subjects({ broker, stream, onChoose }: SubjectsProps) {
  const [typed, setTyped] = useState('');
  const [filter, setFilter] = useState('>');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const { value, error, refresh } = usePolled(
    () => readSubjects(broker, stream, filter),
    60_000,
    `${stream} ${filter}`,
  );
  const tree = useMemo(() => subjectTree(value ?? {}), [value]);
  const rows = useMemo(() => treeRows(tree, open), [tree, open]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  const toggle = (subject: string) => {
    const next = new Set(open);
    if (!next.delete(subject)) next.add(subject);
    setOpen(next);
  };
  return (
    <div className={layout.closeStack}>
      <form
        className={styles.tools}
        onSubmit={(event) => {
          event.preventDefault();
          setFilter(typed.trim() === '' ? '>' : typed.trim());
        }}
      >
        <TextField
          label="Only below"
          placeholder="orders.eu.>"
          value={typed}
          onChange={setTyped}
          isMono
          beside={<Button type="submit">Look</Button>}
        />
        <Button onPress={refresh}>Read again</Button>
        {value && <span className={layout.muted}>{plural(tree.subjects, 'subject')}</span>}
      </form>
      {error !== undefined ? (
        <ErrorState error={explained(error)} onRetry={refresh} />
      ) : value === undefined ? (
        <SkeletonLines />
      ) : rows.length === 0 ? (
        <EmptyState title="No subject has messages" />
      ) : (
        <div ref={scroller} className={styles.tree} role="region" aria-label="Subjects" tabIndex={0}>
          <div className={styles.treeSpace} style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ index, start }) => {
              const row = rows[index];
              if (!row) return null;
              const { node, depth, isOpen, leftOut } = row;
              return (
                <div
                  key={node.subject}
                  className={styles.treeRow}
                  style={{ top: start, paddingLeft: 8 + depth * 20 }}
                >
                  <span className={styles.treeName}>
                    {node.children.size > 0 ? (
                      <IconButton
                        size="small"
                        label={`${isOpen ? 'Close' : 'Open'} ${node.subject}`}
                        icon={isOpen ? <ChevronIcon /> : <ChevronRightIcon />}
                        onPress={() => toggle(node.subject)}
                      />
                    ) : null}
                    <span className={styles.mono}>{node.token}</span>
                    <span className={layout.muted}>
                      {node.children.size > 0 && plural(node.subjects, 'subject')}
                      {leftOut > 0 && `, ${formatCount(leftOut)} of them not shown`}
                    </span>
                  </span>
                  <Button
                    size="small"
                    aria-label={`${plural(node.messages, 'message')} of ${filterOf(node)}`}
                    onPress={() => {
                      onChoose(filterOf(node));
                      toast('Chosen', `Messages shows ${filterOf(node)}.`);
                    }}
                  >
                    {plural(node.messages, 'message')}
                  </Button>
                </div>
              );
            })}
          </div>
        </div>
      )}
    </div>
  );
}
