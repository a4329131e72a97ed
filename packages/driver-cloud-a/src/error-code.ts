export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  // of a connection that has failed
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
