import { useDeferredValue, type ReactNode } from 'react';

/** Draws what is in it after what is around it, in steps between which the browser answers the person. Only the first time. */
export function Later({ meanwhile, children }: { meanwhile?: ReactNode; children: ReactNode }) {
  return useDeferredValue(true, false) ? children : meanwhile;
}
