import { PartialState } from '@sluice/ui/feedback.tsx';
import { shownProblem } from '@sluice/ui/lib/problems.ts';
import { explained } from '../broker/session.ts';

/** Says above what was read before that it could not be read again. @param error undefined where it could */
export function Stale({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error === undefined) return null;
  const { title, detail } = shownProblem(explained(error));
  return (
    <PartialState onRetry={onRetry}>
      This is as it was: it could not be read again. {title}. {detail}
    </PartialState>
  );
}
