import pg from 'pg';

/** characters of an error that people get to see */
const longestError = 500;

/** An error as people may read it: nothing of statements. */
export function describeError(error: unknown): string {
  if (error instanceof pg.DatabaseError) return 'its region could not store it';
  return (error instanceof Error ? error.message : String(error)).slice(0, longestError);
}
