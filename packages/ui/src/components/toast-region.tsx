import {
  Text,
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components';
import type { StatusKind } from '../lib/status.ts';
import { IconButton } from './button.tsx';
import { CloseIcon } from './icons.tsx';
import { StatusIcon } from './status.tsx';
import styles from './feedback.module.css';

export interface ToastText {
  kind: StatusKind;
  title: string;
  detail?: string | undefined;
}

export const queue = new ToastQueue<ToastText>({ maxVisibleToasts: 4 });

/** The toasts that are shown. It is loaded with the first of them: `Toasts`. */
export function Region() {
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
