import {
  Text,
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components';
import { shownProblem } from '../lib/problems.ts';
import { plural } from '../lib/quantity.ts';
import type { StatusKind } from '../lib/status.ts';
import { IconButton } from './button.tsx';
import { CloseIcon } from './icons.tsx';
import { StatusIcon } from './status.tsx';
import styles from './feedback.module.css';

interface ToastText {
  kind: StatusKind;
  title: string;
  detail?: string | undefined;
}

const queue = new ToastQueue<ToastText>({ maxVisibleToasts: 4 });

/** Says that something is done. It goes after six seconds; whoever needs to react gets a note in the page instead. */
export function toast(title: string, detail?: string): void {
  queue.add({ kind: 'ok', title, detail }, { timeout: 6000 });
}

/** Says that something was refused or has failed. It stays until it is closed. */
export function toastError(error: unknown): void {
  const { title, detail, requestId, retryAfterMs } = shownProblem(error);
  const request = requestId === null ? '' : ` (request ${requestId})`;
  const wait =
    retryAfterMs === undefined ? '' : ` Try again in ${plural(Math.ceil(retryAfterMs / 1_000), 'second')}.`;
  queue.add({ kind: 'bad', title, detail: `${detail === title ? '' : detail}${wait}${request}` });
}

/** Where toasts appear; once in the page. */
export function Toasts() {
  return (
    <ToastRegion queue={queue} className={styles.toasts ?? ''}>
      {({ toast: one }) => (
        <AriaToast toast={one} className={styles.toast ?? ''}>
          <StatusIcon kind={one.content.kind} />
          <ToastContent>
            <Text slot="title" className={styles.strong ?? ''}>
              {one.content.title}
            </Text>
            {one.content.detail && (
              <Text slot="description" elementType="p" className={styles.small ?? ''}>
                {one.content.detail}
              </Text>
            )}
          </ToastContent>
          <IconButton slot="close" size="small" label="Close" icon={<CloseIcon />} />
        </AriaToast>
      )}
    </ToastRegion>
  );
}
