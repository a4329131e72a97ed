import { createClient, getAccount, SluiceError, type RegionName } from '@sluice/client';
import { forgetEarly, takeEarly } from '../early.ts';
import { noticeRelease } from './release.ts';

const origin = globalThis.location?.origin ?? 'http://console.invalid';

const ofMain = `${origin}/api/main/`;

let csrf: Promise<string> | undefined;

/** The token that writes of this session send. The sign-in itself has none. */
function csrfToken(): Promise<string> {
  csrf ??= getAccount({ client: sluice }).then(
    ({ data }) => data.csrf_token,
    (error: unknown) => {
      csrf = undefined;
      if (error instanceof SluiceError && error.status === 401) return '';
      throw error;
    },
  );
  return csrf;
}

/** To call when another session begins in this browser, or this one ends. */
export function forgetSession(): void {
  csrf = undefined;
  forgetEarly();
}

/** What was asked for before this code was there. An answer that does not come is asked for again. */
function earlyAnswer(...request: Parameters<typeof fetch>): Promise<Response> | undefined {
  const [url, { method } = {}] = request;
  if (method !== 'GET' || typeof url !== 'string' || !url.startsWith(ofMain)) return undefined;
  return takeEarly(url.slice(ofMain.length - 1))?.catch(() => fetch(...request));
}

/** The client of all three layers, by way of the console's own origin and with its cookie. */
export const sluice = createClient({
  url: `${origin}/api/main`,
  auditUrl: `${origin}/api/audit`,
  supervisorUrl: ({ cloud, region }: RegionName) =>
    `${origin}/api/regions/${encodeURIComponent(cloud)}/${encodeURIComponent(region)}`,
  csrfToken,
  fetch: async (...request) => {
    const answer = await (earlyAnswer(...request) ?? fetch(...request));
    if (answer.url.startsWith(ofMain)) noticeRelease(answer);
    return answer;
  },
  attempts: 3,
  maxElapsedMs: 20_000,
  timeoutMs: 30_000,
});
