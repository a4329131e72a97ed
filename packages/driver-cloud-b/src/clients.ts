import { compute_v1 } from '@googleapis/compute/build/v1.js';
import { GoogleAuth } from 'google-auth-library';
import type { DriverCall } from '@sluice/drivers';

export type { compute_v1 };

export interface CloudBOptions {
  region: string;
  /** where the API is, unless where the client library looks for it */
  apiUrl?: string | undefined;
  /** block that translated addresses of endpoints are taken from, of 24 bits at most */
  natRange: string;
}

export interface Clients extends Pick<CloudBOptions, 'region' | 'natRange'> {
  api: compute_v1.Compute;
  auth: GoogleAuth;
}

export interface Step extends Pick<Clients, 'api' | 'region' | 'natRange'> {
  project: string;
  call: DriverCall;
  /** by `performance.now()`: from then on nothing more is waited for, nor begun */
  until: number;
}

/** how long a call of the driver waits for what the cloud is about, all in all; less than the call may take */
const patienceMilliseconds = 8_000;
const requestMilliseconds = 15_000;

/**
 * Credentials and the project are found as the library finds them (`GOOGLE_APPLICATION_CREDENTIALS`, files, the machine's service account).
 * Nothing is tried again by the library: the caller looks for what there is, and repeats the whole.
 */
export function clientsOf({ region, apiUrl, natRange }: CloudBOptions): Clients {
  const auth = new GoogleAuth({ scopes: ['https://www.googleapis.com/auth/compute'] });
  const options = { auth, retry: false, timeout: requestMilliseconds };
  const api = new compute_v1.Compute({ ...options, ...(apiUrl !== undefined && { rootUrl: apiUrl }) });
  return { api, auth, region, natRange };
}

export async function stepOf({ api, auth, region, natRange }: Clients, call: DriverCall): Promise<Step> {
  const until = performance.now() + patienceMilliseconds;
  return { api, region, natRange, call, until, project: await auth.getProjectId() };
}
