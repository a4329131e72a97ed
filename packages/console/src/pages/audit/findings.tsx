import type { ReactNode } from 'react';
import type { StatusKind } from '@sluice/ui/lib/status.ts';
import { formatCount } from '@sluice/ui/lib/quantity.ts';
import { StatusIcon } from '@sluice/ui/status.tsx';
import type { Verified } from './verify.ts';
import styles from './audit.module.css';

interface FindingsProps {
  found: Verified | undefined;
  broken: string | undefined;
  hasKept: boolean;
}

/** What the computation proves, and what it does not. */
export function Findings({ found, broken, hasKept }: FindingsProps) {
  const findings: [StatusKind, ReactNode][] = broken
    ? [['bad', `The log is not as it was recorded: ${broken}.`]]
    : found && found.entries > 0
      ? provenBy(found, hasKept)
      : [['idle', 'There are no entries, and nothing is proven.']];
  return (
    <ul className={styles.findings} aria-live="polite">
      {findings.map(([kind, text], index) => (
        <li key={index}>
          <StatusIcon kind={kind} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

function provenBy({ entries, first, last }: Verified, hasKept: boolean): [StatusKind, ReactNode][] {
  const said: [StatusKind, ReactNode][] = [
    [
      'ok',
      `Verified: ${formatCount(entries)} entries, ${formatCount(first)} to ${formatCount(last.seq)}. Each is what its hash was taken over and follows the one before it.`,
    ],
    ['ok', 'The log ends with the entry that the service names as its last, or a later one.'],
  ];
  if (hasKept)
    said.push(['ok', 'The head that you kept is still the log’s: up to it nothing was written anew.']);
  else
    said.push([
      'idle',
      'Not proven: that the whole log was not written anew before today. A head that you kept proves that.',
    ]);
  if (first > 1)
    said.push(['idle', `Not proven: what was recorded before entry ${formatCount(first)}, which is gone.`]);
  said.push([
    'idle',
    <span key="hash" className={styles.hash}>{`Hash of the last entry: ${last.hash}`}</span>,
  ]);
  return said;
}
