import { hostname } from 'node:os';
import { createClient, SluiceError, startDeviceSignIn, type DeviceSignIn } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes, notFound } from '@sluice/terminal/errors';
import { notSignedIn } from '../../errors.ts';
import { observed } from '../../requests.ts';

/**
 * Signs the person in in a browser, here or on another machine.
 * @param shows that the address is shown only, and no browser is opened
 * @returns the token of a session
 */
export async function signInByDevice(cli: Cli, url: string, { shows }: { shows: boolean }): Promise<string> {
  const client = createClient({ url, fetch: observed(cli), attempts: 2 });
  const signIn = await begin(cli, () =>
    startDeviceSignIn({ client, machine: machineName(), signal: cli.signal }),
  );
  const page = webAddress(signIn.verificationUriComplete);
  const isOpened = !shows && hasBrowser(cli) && (await openBrowser(page));
  cli.say(isOpened ? `The browser shows ${page}` : `Open this address in a browser: ${page}`);
  cli.say(`Approve it there if it shows this code: ${signIn.userCode}`);
  try {
    return await signIn.wait({ signal: cli.signal });
  } catch (error) {
    throw refusalOf(error);
  }
}

async function begin(cli: Cli, start: () => Promise<DeviceSignIn>): Promise<DeviceSignIn> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== 'unknown_path') throw error;
    throw notFound(
      'The server is older than 1.1.0 and signs in with API keys only.',
      `sluice login --with-key${cli.options.context === undefined ? '' : ` --context ${cli.options.context}`}`,
    );
  }
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof SluiceError)) return error;
  if (error.code === 'access_denied') return notSignedIn('The sign-in was refused in the browser.');
  if (error.code === 'expired_token')
    return new CliError({
      exitCode: exitCodes.waitRanOut,
      message: 'The code is too old: it was not approved within ten minutes.',
      next: 'sluice login',
    });
  return error;
}

/** What the person knows the machine by, as the server takes it. */
function machineName(): string {
  const name = hostname()
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 100);
  return name || 'terminal';
}

/** Whether a browser can be opened where the person sees it. */
function hasBrowser({ io: { env, isInteractive } }: Cli): boolean {
  if (!isInteractive || env['SSH_CONNECTION'] || env['SSH_TTY']) return false;
  return (
    process.platform !== 'linux' ||
    Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'] || env['WSL_DISTRO_NAME'])
  );
}

async function openBrowser(page: string): Promise<boolean> {
  try {
    const { default: open } = await import('open');
    await open(page);
    return true;
  } catch {
    return false;
  }
}

/** What a server says is opened only if a browser shows it. */
function webAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && ['http:', 'https:'].includes(url.protocol)) return url.href;
  throw notFound(`${JSON.stringify(text)} is no address of the web.`);
}
