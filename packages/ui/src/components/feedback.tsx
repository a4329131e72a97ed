import { useEffect, useState, type ReactNode } from 'react';
import { shownProblem, type ShownProblem } from '../lib/problems.ts';
import { cx } from '../lib/cx.ts';
import { plural } from '../lib/quantity.ts';
import { Button } from './button.tsx';
import { CopyField } from './copy.tsx';
import { StatusIcon } from './status.tsx';
import styles from './feedback.module.css';

/** A place where something will be, of about its size. */
export function Skeleton({ width = '100%' }: { width?: string }) {
  return <span className={styles.skeleton} style={{ width }} aria-hidden />;
}

/** Lines of a text or list that is on its way. Screen readers hear that it loads. */
export function SkeletonLines({ count = 4 }: { count?: number }) {
  return (
    <div className={styles.lines} role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} width={`${88 - ((index * 23) % 46)}%`} />
      ))}
    </div>
  );
}

/** Nothing is there yet, and what to do about it. */
export function EmptyState({
  title,
  children,
  actions,
}: {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className={styles.state}>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

/** Counts down to when the API lets the same request through again, from when the error is shown. */
function RetryTime({ afterMs }: { afterMs: number }) {
  const [at] = useState(() => Date.now() + afterMs);
  const [now, setNow] = useState(() => Date.now());
  const seconds = Math.ceil((at - now) / 1_000);
  useEffect(() => {
    if (now >= at) return;
    const timer = setTimeout(() => setNow(Date.now()), 1_000);
    return () => clearTimeout(timer);
  }, [now, at]);
  return <p>{seconds > 0 ? `Try again in ${plural(seconds, 'second')}.` : 'It can be tried again now.'}</p>;
}

/** By which a problem is looked up, and its request. */
function ProblemCode({ code, requestId }: Pick<ShownProblem, 'code' | 'requestId'>) {
  return (
    <p className={styles.small}>
      <code>{code}</code>
      {requestId && (
        <>
          {' · request '}
          <CopyField value={requestId} label="request id" isInline />
        </>
      )}
    </p>
  );
}

/** What a problem says, with its code and the request id. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { code, title, detail, issues, requestId, retryAfterMs } = shownProblem(error);
  return (
    <div className={cx(styles.note, styles.bad)} role="alert">
      <StatusIcon kind="bad" />
      <div>
        <p className={styles.strong}>{title}</p>
        {detail !== title && <p>{detail}</p>}
        {retryAfterMs !== undefined && <RetryTime key={requestId} afterMs={retryAfterMs} />}
        {issues.length > 0 && (
          <ul>
            {issues.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <code>{path}</code> {message}
              </li>
            ))}
          </ul>
        )}
        <ProblemCode {...{ code, requestId }} />
      </div>
      {onRetry && (
        <Button size="small" onPress={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** In place of what could not be read. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { code, title, detail, requestId, retryAfterMs } = shownProblem(error);
  return (
    <div className={styles.state} role="alert">
      <StatusIcon kind="bad" />
      <h2>{title}</h2>
      {detail !== title && <p>{detail}</p>}
      {retryAfterMs !== undefined && <RetryTime key={requestId} afterMs={retryAfterMs} />}
      <ProblemCode {...{ code, requestId }} />
      {onRetry && (
        <div className={styles.actions}>
          <Button onPress={onRetry}>Try again</Button>
        </div>
      )}
    </div>
  );
}

/** A part is missing, such as a region that is away; the rest is shown. */
export function PartialState({ children, onRetry }: { children: ReactNode; onRetry?: () => void }) {
  return (
    <div className={cx(styles.note, styles.warn)} role="status">
      <StatusIcon kind="warn" />
      <div>{children}</div>
      {onRetry && (
        <Button size="small" onPress={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Something to know, without a problem. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <div className={cx(styles.note, styles.info)}>
      <StatusIcon kind="idle" />
      <div>{children}</div>
    </div>
  );
}

/** Whether what is shown changes by itself, or is read again from time to time. */
export function LiveMark({ isLive }: { isLive: boolean }) {
  return (
    <span
      className={styles.live}
      title={isLive ? 'Changes are shown as they happen.' : 'Read again from time to time.'}
    >
      <StatusIcon kind={isLive ? 'ok' : 'idle'} />
      {isLive ? 'Live' : 'Polling'}
    </span>
  );
}
