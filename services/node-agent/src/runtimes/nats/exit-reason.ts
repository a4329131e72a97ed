/** What nats-server has written last about why it ends. Its lines begin with its pid, except about its configuration. */
export function exitReason(pid: number, lastLines: readonly string[]): string | undefined {
  const fatal = lastLines.findLast((line) => line.startsWith(`[${pid}] `) && line.includes('[FTL]'));
  if (fatal !== undefined) return fatal;
  const last = lastLines.at(-1);
  return last?.startsWith('nats-server: ') ? last : undefined;
}
