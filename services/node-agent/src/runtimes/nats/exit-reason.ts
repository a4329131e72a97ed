/** The last words of nats-server about its end. Its lines begin with its pid, except about its configuration. */
export function exitReason(pid: number, lastLines: readonly string[]): string | undefined {
  const fatal = lastLines.findLast((line) => line.startsWith(`[${pid}] `) && line.includes('[FTL]'));
  if (fatal !== undefined) return fatal;
  const last = lastLines.at(-1);
  return last?.startsWith('nats-server: ') ? last : undefined;
}

/** The findings of `nats-server -t`, without their places in the file, which are of no use to people. */
export function testReason(file: string, output: string): string {
  const lines = output.split('\n').map((line) => line.replace(/^nats-server: /, '').replace(`${file}:`, ''));
  return lines
    .map((line) => line.replace(/^\d+:\d+: /, '').trim())
    .filter((line) => line !== '')
    .join('; ');
}

/** The reason for which nats-server refuses its file; undefined if it only cannot change that much while it runs. */
export function reloadReason(pid: number, lines: readonly string[]): string | undefined {
  const words = 'Failed to reload server configuration: ';
  const line = lines.findLast((one) => one.startsWith(`[${pid}] `) && one.includes(words));
  const reason = line?.slice(line.indexOf(words) + words.length);
  return reason?.startsWith('config reload not supported') ? undefined : reason;
}
