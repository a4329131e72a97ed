import type { SluiceError } from '@sluice/client';
import { exitCodes, type CliError, type ExitCode } from '@sluice/terminal/errors';

type Explained = Pick<CliError, 'exitCode' | 'message' | 'details' | 'next'> & { requestId: string | null };

/** Explains what the API or the client reports. `flags`: the options of the command, such as `--name` */
export async function explainProblem(error: SluiceError, flags: readonly string[]): Promise<Explained> {
  const { code, detail, requestId } = error;
  const exitCode = exitCodeOf(error);
  const details = error.field_issues.map(({ path, message }) => `${whereOf(path, flags)}: ${message}`);
  if (exitCode === exitCodes.notAllowed) {
    const permission = await permissionOf(error);
    if (permission !== undefined) details.push(`The operation needs the permission ${permission}.`);
  }
  if (code === 'unknown_path' || code === 'method_not_allowed')
    details.push('The server does not have this operation: it is of another release than this program.');
  return { exitCode, message: detail, details, next: nextOf(error, exitCode), requestId };
}

const exitCodesOfClient: Record<string, ExitCode> = {
  connection_failed: exitCodes.tryAgain,
  request_timed_out: exitCodes.tryAgain,
  wait_timed_out: exitCodes.waitRanOut,
  wait_failed: exitCodes.unexpected,
  address_unknown: exitCodes.usage,
  address_insecure: exitCodes.usage,
  credential_invalid: exitCodes.notSignedIn,
  protection_code_required: exitCodes.usage,
};

const exitCodesOfStatus: Record<number, ExitCode> = {
  401: exitCodes.notSignedIn,
  403: exitCodes.notAllowed,
  404: exitCodes.notFound,
  409: exitCodes.conflict,
  410: exitCodes.notFound,
  412: exitCodes.conflict,
};

function exitCodeOf({ code, status, retryable }: SluiceError): ExitCode {
  const known = exitCodesOfClient[code] ?? exitCodesOfStatus[status];
  if (known !== undefined) return known;
  if (retryable || status === 429 || status === 503) return exitCodes.tryAgain;
  return status >= 400 && status < 500 ? exitCodes.badInput : exitCodes.unexpected;
}

/** `body/storage/size` is `--storage-size` or `--size` where the command has that option. */
function whereOf(path: string, flags: readonly string[]): string {
  const segments = path
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('_', '-'));
  const candidates = segments.map((_segment, at) => `--${segments.slice(at).join('-')}`);
  return candidates.find((flag) => flags.includes(flag)) ?? path;
}

/** The permission that the operation of a request declares. */
async function permissionOf({ code, request }: SluiceError): Promise<string | undefined> {
  if (code !== 'forbidden' || request === undefined) return undefined;
  const { findOperation } = await import('./operations.ts');
  const [method = '', path = ''] = request.split(' ');
  return findOperation(method, path)?.permission;
}

function nextOf({ code, status, retryAfterMs }: SluiceError, exitCode: ExitCode): string | undefined {
  const seconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1_000);
  if (code === 'limit_reached') return 'sluice limits shows what is used; sluice whoami shows the plan';
  if (code === 'protection_code_required') return 'pass the one-time code with --code';
  if (code === 'connection_failed' || code === 'address_unknown') return 'sluice doctor';
  if (code === 'wait_timed_out') return 'wait longer with --timeout, or look with sluice deployments show';
  if (code === 'wait_failed')
    return 'sluice deployments retry tries again; sluice logs shows what its nodes say';
  if (code === 'changed_meanwhile') return 'look at what is there now, and make your change again';
  if (status === 401 || code === 'credential_invalid') return 'sluice login';
  if (status === 403) return 'sluice whoami shows what you may do';
  if (exitCode === exitCodes.tryAgain && seconds !== undefined) return `try again in ${seconds} s`;
  return exitCode === exitCodes.tryAgain ? 'try again' : undefined;
}
