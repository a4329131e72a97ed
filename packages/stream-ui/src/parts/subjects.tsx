import { useMemo, useRef, useState } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Button, IconButton } from '@sluice/ui/button.tsx';
import { EmptyState, ErrorState, Note, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { TextField } from '@sluice/ui/field.tsx';
import { ChevronIcon, ChevronRightIcon } from '@sluice/ui/icons.tsx';
import { formatCount, plural } from '@sluice/ui/lib/quantity.ts';
import layout from '@sluice/ui/layout.module.css';
import { explained, type Broker } from '../broker/session.ts';
import { readSubjects } from '../broker/subjects.ts';
import { usePolled } from '../lib/polled.ts';
import { filterBelow, filterOf, subjectTree, treeRows, type SubjectNode } from '../lib/subject-tree.ts';
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
    null,
    `${stream} ${filter}`,
  );
  const tree = useMemo(() => subjectTree(value?.counts ?? []), [value]);
  const { rows, leftOut: leftOutAtTop } = useMemo(() => treeRows(tree, open), [tree, open]);
  const isCut = value !== undefined && value.total > value.counts.length;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  const toggle = (node: SubjectNode) => {
    const next = new Set(open);
    if (!next.delete(filterOf(node))) next.add(filterOf(node));
    setOpen(next);
  };
  const lookBelow = (text: string) => {
    setTyped(text);
    setFilter(filterBelow(text));
  };
  return (
    <div className={layout.closeStack}>
      <form
        className={styles.tools}
        onSubmit={(event) => {
          event.preventDefault();
          lookBelow(typed);
        }}
      >
        <TextField
          label="Only below"
          placeholder="orders.eu"
          value={typed}
          onChange={setTyped}
          isMono
          beside={<Button type="submit">Look</Button>}
        />
        <Button onPress={refresh}>Read again</Button>
        {value && <span className={layout.muted}>{plural(value.total, 'subject')}</span>}
      </form>
      {isCut && (
        <Note>
          These are the first {formatCount(value.counts.length)} of {formatCount(value.total)} subjects by
          name, and what is counted is of them. Look below the beginning of those that you want.
        </Note>
      )}
      {leftOutAtTop > 0 && <Note>{formatCount(leftOutAtTop)} more at the top are not shown.</Note>}
      {error !== undefined ? (
        <ErrorState error={explained(error)} onRetry={refresh} />
      ) : value === undefined ? (
        <SkeletonLines />
      ) : rows.length === 0 ? (
        <EmptyState
          title={filter === '>' ? 'No subject has messages' : `No subject of ${filter} has messages`}
        />
      ) : (
        <div ref={scroller} className={styles.tree} role="region" aria-label="Subjects" tabIndex={0}>
          <div className={styles.treeSpace} style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ index, start }) => {
              const row = rows[index];
              if (!row) return null;
              const { node, depth, isOpen, leftOut } = row;
              const isBranch = node.below.length > 0;
              return (
                <div
                  key={filterOf(node)}
                  className={styles.treeRow}
                  style={{ top: start, paddingLeft: 8 + depth * 20 }}
                >
                  <span className={styles.treeName}>
                    {isBranch && (
                      <IconButton
                        size="small"
                        label={`${isOpen ? 'Close' : 'Open'} ${node.subject}`}
                        icon={isOpen ? <ChevronIcon /> : <ChevronRightIcon />}
                        onPress={() => toggle(node)}
                      />
                    )}
                    <span className={styles.mono}>{node.token}</span>
                    <span className={layout.muted}>
                      {isBranch && plural(node.below.length, 'subject')}
                      {leftOut > 0 && `, ${formatCount(leftOut)} not shown`}
                    </span>
                  </span>
                  <span className={styles.treeName}>
                    {isCut && isBranch && (
                      <Button
                        size="small"
                        aria-label={`Look below ${node.subject}`}
                        onPress={() => lookBelow(node.subject)}
                      >
                        Look below
                      </Button>
                    )}
                    <Button
                      size="small"
                      aria-label={`${plural(node.messages, 'message')} of ${filterOf(node)}`}
                      onPress={() => onChoose(filterOf(node))}
                    >
                      {plural(node.messages, 'message')}
                    </Button>
                  </span>
                </div>
              );
            })}
          </div>
        </div>
      )}
    </div>
  );
}
