import type { HttpAnswer, HttpClient } from './http.ts';

/** A TXT record by which a name is proven: `_acme-challenge.<name>.`, and what it says. Others may be of the same name. */
export interface ChallengeRecord {
  fqdn: string;
  value: string;
}

/** Sets records in the zone of deployment domains. Calls may be repeated, also after one that was cut short. */
export interface DnsProvider {
  present(record: ChallengeRecord, signal: AbortSignal): Promise<void>;
  /** Resolves also where there is no such record. */
  remove(record: ChallengeRecord, signal: AbortSignal): Promise<void>;
}

export interface HttpReqOptions {
  http: HttpClient;
  /** before `/present` and `/cleanup` */
  endpoint: string;
  username?: string | undefined;
  password?: string | undefined;
}

/** A provider that is called by two requests, in the form that lego calls `httpreq` and many programs take. */
export function httpReqProvider({ http, endpoint, username, password }: HttpReqOptions): DnsProvider {
  const login = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64');
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: '*/*' };
  if (username !== undefined || password !== undefined) headers['authorization'] = `Basic ${login}`;

  const tell = (what: string, { fqdn, value }: ChallengeRecord, signal: AbortSignal): Promise<HttpAnswer> =>
    http.request({
      method: 'POST',
      url: `${endpoint.replace(/\/+$/, '')}/${what}`,
      headers,
      body: JSON.stringify({ fqdn, value }),
      signal,
    });

  return {
    async present(record, signal) {
      const { status } = await tell('present', record, signal);
      if (status >= 300) throw new Error(`the DNS provider does not set ${record.fqdn} (status ${status})`);
    },
    async remove(record, signal) {
      const { status } = await tell('cleanup', record, signal);
      if (status >= 300 && status !== 404 && status !== 410)
        throw new Error(`the DNS provider does not remove ${record.fqdn} (status ${status})`);
    },
  };
}
