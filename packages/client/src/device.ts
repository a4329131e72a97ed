import { beginDeviceSignIn, pollDeviceSignIn } from './generated/sdk.gen.ts';
import { SluiceError } from './error.ts';
import { pause } from './pause.ts';
import type { SluiceClient } from './client.ts';

export interface DeviceSignInOptions {
  /** of the Main API; it needs no credential */
  client: SluiceClient;
  /** what the person knows the machine by */
  machine?: string;
  signal?: AbortSignal;
}

export interface DeviceWait {
  signal?: AbortSignal;
  /** called after each question that is not answered yet */
  onPending?: () => void;
}

/** A sign-in that a person has to approve in a browser. */
export interface DeviceSignIn {
  /** to be compared with what the page shows */
  userCode: string;
  /** the page */
  verificationUri: string;
  /** the page with the code */
  verificationUriComplete: string;
  expiresAt: Date;
  /**
   * Asks until the person has decided. @returns the token of the session, for the option `session` of `createClient`
   * @throws SluiceError `access_denied`, `expired_token`, what fails once the code is too old; the reason of the signal
   */
  wait(options?: DeviceWait): Promise<string>;
}

/** by how much the pause grows when the server asks for that (RFC 8628, section 3.5) */
const slowerMs = 5_000;

/** Begins to sign a person in by a code (RFC 8628). @throws SluiceError `unknown_path` before 1.1.0 */
export async function startDeviceSignIn({
  client,
  machine,
  signal,
}: DeviceSignInOptions): Promise<DeviceSignIn> {
  const body = machine === undefined ? {} : { machine };
  const { data } = await beginDeviceSignIn({ client, body, ...(signal && { signal }) });
  return {
    userCode: data.user_code,
    verificationUri: data.verification_uri,
    verificationUriComplete: data.verification_uri_complete,
    expiresAt: new Date(Date.now() + data.expires_in * 1_000),
    wait: (options) => poll(client, data, options),
  };
}

interface Codes {
  device_code: string;
  expires_in: number;
  interval: number;
}

async function poll(
  client: SluiceClient,
  { device_code, expires_in, interval }: Codes,
  { signal, onPending }: DeviceWait = {},
): Promise<string> {
  // each question is one: the next comes after the pause anyway
  const once = client.with({ attempts: 1 });
  const endsAt = performance.now() + expires_in * 1_000;
  for (let pauseMs = interval * 1_000; ;) {
    await pause(pauseMs, signal);
    try {
      const call = { client: once, body: { device_code }, ...(signal && { signal }) };
      return (await pollDeviceSignIn(call)).data.access_token;
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error;
      if (error.code === 'slow_down') pauseMs += slowerMs;
      else if (error.code !== 'authorization_pending' && !isWorthIt(error, endsAt)) throw error;
      onPending?.();
    }
  }
}

/** A code that is too old is of no use, even if the server does not say so. */
const isWorthIt = ({ retryable }: SluiceError, endsAt: number): boolean =>
  retryable && performance.now() < endsAt;
