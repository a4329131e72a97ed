import { createClient, getAccount, SluiceError, type RegionName } from '@sluice/client';
import { noticeRelease } from './release.ts';

const origin = globalThis.location?.origin ?? 'http://console.invalid';

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
}

/** The client of all three layers, by way of the console's own origin and with its cookie. */
export const sluice = createClient({
  url: `${origin}/api/main`,
  auditUrl: `${origin}/api/audit`,
  supervisorUrl: ({ cloud, region }: RegionName) =>
    `${origin}/api/regions/${encodeURIComponent(cloud)}/${encodeURIComponent(region)}`,
  csrfToken,
  fetch: async (...request) => {
    const answer = await fetch(...request);
    if (answer.url.startsWith(`${origin}/api/main/`)) noticeRelease(answer);
    return answer;
  },
  attempts: 3,
  maxElapsedMs: 20_000,
  timeoutMs: 30_000,
});
