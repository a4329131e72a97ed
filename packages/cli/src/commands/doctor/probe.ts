import { connect } from 'node:tls';

export interface Finding {
  check: string;
  result: 'ok' | 'warning' | 'problem';
  detail: string;
  next?: string | undefined;
}

/** how long an address may take to answer */
const patienceMs = 10_000;
/** A clock that differs by more is wrong: tokens and links end by the clock. */
const mostSkewMs = 60_000;
const dayMs = 86_400_000;

/** Whether an address answers, how long that takes, whether its clock is ours, and how long its certificate is valid. */
export async function probe(check: string, address: string, signal: AbortSignal): Promise<Finding[]> {
  const url = new URL(address);
  const begun = performance.now();
  let response: Response;
  try {
    const either = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    response = await fetch(`${address.replace(/\/$/, '')}/healthz`, { redirect: 'manual', signal: either });
    await response.arrayBuffer();
  } catch (error) {
    signal.throwIfAborted();
    return [
      {
        check,
        result: 'problem',
        detail: `${address} does not answer: ${reasonOf(error)}`,
        next: adviceFor(error),
      },
    ];
  }
  const milliseconds = Math.round(performance.now() - begun);
  if (!response.ok)
    return [
      {
        check,
        result: 'problem',
        detail: `${address} answers ${response.status}, which Sluice does not.`,
        next: 'check the address',
      },
    ];
  const findings: Finding[] = [{ check, result: 'ok', detail: `${address} answers in ${milliseconds} ms` }];
  const skew = skewOf(response, milliseconds);
  if (skew !== undefined && Math.abs(skew) > mostSkewMs)
    findings.push({
      check: `${check}, clock`,
      result: 'warning',
      detail: `This machine is ${Math.round(Math.abs(skew) / 1_000)} s ${skew > 0 ? 'ahead' : 'behind'}.`,
      next: 'set the clock of this machine',
    });
  if (url.protocol === 'https:') findings.push(await certificateOf(`${check}, certificate`, url));
  return findings;
}

/** How far the clock of this machine is ahead, in milliseconds. The header counts whole seconds. */
function skewOf(response: Response, milliseconds: number): number | undefined {
  const theirs = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(theirs) ? undefined : Date.now() - milliseconds / 2 - theirs;
}

async function certificateOf(check: string, { hostname, port }: URL): Promise<Finding> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const until = await new Promise<string | undefined>((resolve) => {
    // the request before has verified it
    const socket = connect({ host, port: Number(port || 443), servername: host, timeout: patienceMs });
    const end = (result?: string) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('secureConnect', () => end(socket.getPeerCertificate().valid_to));
    socket.once('error', () => end()).once('timeout', () => end());
  });
  if (until === undefined) return { check, result: 'warning', detail: 'It could not be read.' };
  const days = Math.floor((Date.parse(until) - Date.now()) / dayMs);
  const detail = `valid until ${new Date(until).toISOString()} (${days} days)`;
  return days > 10
    ? { check, result: 'ok', detail }
    : { check, result: 'warning', detail, next: 'ask the operator to renew it' };
}

function causeOf(error: unknown): Error & { code?: string } {
  const { cause } = error as Error;
  return cause instanceof Error ? causeOf(cause) : (error as Error);
}

const reasonOf = (error: unknown): string => {
  const cause = causeOf(error);
  return cause.name === 'TimeoutError'
    ? `nothing within ${patienceMs / 1_000} s`
    : cause.message || (cause.code ?? 'the connection broke');
};

function adviceFor(error: unknown): string {
  const { code = '' } = causeOf(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'check the name and the name server';
  if (code === 'ECONNREFUSED') return 'check the address and the port; nothing listens there';
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code))
    return 'trust its authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem';
  return 'check the network, firewalls and proxies in between';
}
