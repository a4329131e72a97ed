import { isIP, BlockList } from 'node:net';
import { listAccessRules, SluiceError, type AccessRule } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes, type ExitCode } from '@sluice/terminal/errors';
import type { Endpoint } from './endpoint.ts';
import { patienceMs, type Reason, type Unreachable } from './server-info.ts';

/** Says why a broker does not answer: because of the rules of access, because of the deployment, or because of the network. */
export async function explainUnreachable(
  cli: Cli,
  { call, place, live }: Endpoint,
  { server, reason }: Unreachable,
): Promise<CliError> {
  if (reason === 'not NATS')
    return new CliError({
      exitCode: exitCodes.unexpected,
      message: `${server} does not answer as NATS does. This command needs a deployment whose runtime is nats.`,
    });
  if (live.status !== 'initialized')
    return new CliError({
      exitCode: live.status === 'stopped' ? exitCodes.conflict : exitCodes.tryAgain,
      message: `The broker of ${place} does not answer: the deployment is ${live.status}.`,
      next: `sluice deployments ${live.status === 'stopped' ? 'start' : 'wait'} ${place}`,
    });
  if (reason === 'closed' || reason === 'silent') {
    const address = (await (await cli.session()).who())?.address ?? null;
    const admitted = await isAdmitted(call, address);
    if (admitted === false)
      return new CliError({
        exitCode: exitCodes.notAllowed,
        message: `No access rule of ${place} lets you in: your address is ${address}.`,
        next: `sluice access add ${place} --me`,
      });
    if (admitted === undefined && reason === 'closed')
      return new CliError({
        exitCode: exitCodes.notAllowed,
        message: `The gateway of ${place} closes the connection, as it does where no access rule lets one in.`,
        next: `sluice access list ${place}, or sluice access add ${place} --me`,
      });
  }
  return new CliError({
    exitCode: exitCodes.tryAgain,
    message: `The broker of ${place} ${unreachable[reason](server)}`,
    ...(live.network_mode === 'private' && {
      details: ['Its network is private: it is reached from connected networks only.'],
    }),
    next: reason === 'closed' ? 'a new access rule takes a few seconds: try again' : 'sluice doctor',
  });
}

const unreachable: Record<Exclude<Reason, 'not NATS'>, (server: string) => string> = {
  'no name': (server) => `has an address that no name server knows: ${server}.`,
  refused: (server) => `does not listen at ${server}.`,
  silent: (server) => `does not answer at ${server} within ${patienceMs / 1_000} s.`,
  closed: (server) => `closes the connection at ${server} before it answers.`,
};

/** @returns undefined where it cannot be known */
async function isAdmitted(call: Endpoint['call'], address: string | null): Promise<boolean | undefined> {
  if (address === null || isIP(address) !== 4) return undefined;
  try {
    const { data } = await listAccessRules(call);
    return data.some((rule) => admits(rule, address));
  } catch (error) {
    if (error instanceof SluiceError && error.status === 403) return undefined;
    throw error;
  }
}

function admits({ rules, cidr_blocks, valid_to }: AccessRule, address: string): boolean {
  if (!rules.broker_tcp || (valid_to !== null && Date.parse(valid_to) <= Date.now())) return false;
  const blocks = new BlockList();
  for (const block of cidr_blocks) {
    const [network = '', bits = '32'] = block.split('/');
    blocks.addSubnet(network, Number(bits), 'ipv4');
  }
  return blocks.check(address);
}

/** What JetStream answers, by its own codes and by their HTTP-like status. */
interface JetStreamProblem extends Error {
  code: number;
  status: number;
}

const isJetStreamProblem = (error: Error): error is JetStreamProblem =>
  'code' in error && 'status' in error && typeof error.code === 'number' && typeof error.status === 'number';

/** Explains what went wrong after the broker had answered. @returns undefined where it is nothing of the broker's */
export function explainBroker(error: unknown, place: string): CliError | undefined {
  const causes = chainOf(error);
  const problem = causes.find(isJetStreamProblem);
  if (problem)
    return new CliError({
      exitCode: exitCodeOf(problem),
      message: `${sentence(problem.message)}.`,
      next: nextOf(problem, place),
    });
  const replaced = causes.find(({ name }) => name === 'StreamReplacedError');
  if (replaced) return new CliError({ exitCode: exitCodes.notFound, message: replaced.message });
  const has = (...names: string[]) => causes.some(({ name }) => names.includes(name));
  if (has('AuthorizationError', 'UserAuthenticationExpiredError'))
    return new CliError({
      exitCode: exitCodes.notAllowed,
      message: `The broker of ${place} refuses the login of the deployment.`,
      next: 'a new login takes a few seconds to reach the nodes: try again',
    });
  if (has('PermissionViolationError'))
    return new CliError({
      exitCode: exitCodes.notAllowed,
      message: `The broker of ${place} does not allow it: ${causes[0]?.message}.`,
    });
  const untrusted = causes.find(
    (cause) => 'code' in cause && /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(String(cause.code)),
  );
  if (untrusted)
    return new CliError({
      exitCode: exitCodes.unexpected,
      message: `The certificate of the broker of ${place} is not one of the deployment's authority: ${untrusted.message}.`,
      next: 'the authority is read with the permission deployment:network:read (sluice whoami); do not send a login there otherwise',
    });
  if (has('JetStreamNotEnabled', 'NoRespondersError'))
    return new CliError({
      exitCode: exitCodes.tryAgain,
      message: `JetStream of ${place} does not answer.`,
      next: `it starts, or its cluster has no leader: try again, or see sluice logs ${place}`,
    });
  if (has('TimeoutError'))
    return new CliError({
      exitCode: exitCodes.tryAgain,
      message: `The broker of ${place} does not answer in time.`,
      next: 'try again',
    });
  if (has('InvalidSubjectError', 'InvalidArgumentError', 'InvalidNameError'))
    return new CliError({ exitCode: exitCodes.badInput, message: `${sentence(causes[0]?.message ?? '')}.` });
  return undefined;
}

/** Whether the connection is what has ended. */
export const isClosed = (error: unknown): boolean =>
  chainOf(error).some(({ name }) =>
    ['ClosedConnectionError', 'DrainingConnectionError', 'ConnectionError'].includes(name),
  );

function chainOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  return [error, ...chainOf(error.cause)];
}

const streamNotFound = 10059;
const consumerNotFound = 10014;

const exitCodesOf: Record<number, ExitCode> = {
  10058: exitCodes.conflict, // the name is in use
  10105: exitCodes.conflict, // the consumer exists
  10148: exitCodes.conflict,
  10065: exitCodes.conflict, // subjects overlap
  10026: exitCodes.conflict, // limits of the account and of the stream
  10027: exitCodes.conflict,
  10028: exitCodes.conflict,
  10047: exitCodes.conflict,
  10023: exitCodes.conflict,
  10077: exitCodes.conflict, // the stream is full
};

function exitCodeOf({ code, status }: JetStreamProblem): ExitCode {
  const known = exitCodesOf[code];
  if (known !== undefined) return known;
  if (status === 404) return exitCodes.notFound;
  return status === 503 ? exitCodes.tryAgain : exitCodes.badInput;
}

function nextOf({ code }: JetStreamProblem, place: string): string | undefined {
  if (code === streamNotFound) return `sluice streams list ${place}`;
  if (code === consumerNotFound) return `sluice consumers list <stream> ${place}`;
  return undefined;
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
