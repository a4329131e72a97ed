import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { edited, type Versioned } from '../api/versions.ts';

interface EditedFormProps<Value> {
  /** of the query, without its first part */
  of: readonly unknown[];
  read: () => Promise<Versioned<Value>>;
  /** lines of the skeleton */
  lines?: number;
  /** the form of what was read */
  children: (first: Versioned<Value>) => ReactNode;
}

/** Reads what a form edits once, and shows the form, or why it could not be read. */
export function EditedForm<Value>({ of, read, lines = 6, children }: EditedFormProps<Value>) {
  const { data, error, refetch } = useQuery(edited(of, read));
  if (data) return children(data);
  return error ? (
    <ErrorState error={error} onRetry={() => void refetch()} />
  ) : (
    <SkeletonLines count={lines} />
  );
}
