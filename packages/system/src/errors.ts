/** Whether `error` is a system error with this code, `ENOENT` for example. */
export function isErrorCode(error: unknown, code: string): boolean {
  // no instanceof: under jest, Node's own errors are of another Error
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

/** What went wrong, as one line for a log entry or a status. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return error.message !== '' ? error.message : (code ?? error.name);
}
