import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { FieldIssue } from '@sluice/contracts';
import { problem, type BodyOf } from '@sluice/service-kit';
import type { components, operations } from '../../generated/api.ts';
import { addressIssue } from '@sluice/system/destinations';
import type { SinkAddresses } from './sink-addresses.ts';

export type HttpsSinkSettings = components['schemas']['HttpsSinkSettings'];
export type S3SinkSettings = components['schemas']['S3SinkSettings'];

/** Where a log is sent, with what opens it: stored sealed. */
export type SinkSettings = { https: HttpsSinkSettings } | { s3: S3SinkSettings };

type SinkInput = BodyOf<operations['putAuditSink']>;

export interface SinkRules {
  addresses: SinkAddresses;
  /** whether a sink may be spoken to without TLS */
  plainText: boolean;
}

const mask = '***';
/** those that say how a request is framed, where it goes, and what Sluice says itself */
const ownHeaders =
  /^(host|content-.*|transfer-encoding|connection|upgrade|expect|te|trailer|keep-alive|proxy-.*|webhook-.*|svc-.*)$/;

/**
 * The settings that a body asks for: secrets that it leaves masked are those that are stored.
 * @throws Problem `invalid_request` with all that the OpenAPI document cannot say
 */
export function settingsOf(
  { https, s3 }: SinkInput,
  stored: SinkSettings | undefined,
  rules: SinkRules,
): SinkSettings {
  const issues: FieldIssue[] = [];
  const refuse = (field: string, code: string, message: string) =>
    void issues.push({ path: `/body/${field}`, code, message });
  if ((https === undefined) === (s3 === undefined))
    refuse('https', 'not_allowed', 'has to be there, or `s3`, and not both');
  const former: Partial<{ https: HttpsSinkSettings; s3: S3SinkSettings }> = stored ?? {};
  const settings = https
    ? { https: unmaskedHttps(https, former.https, refuse) }
    : { s3: unmaskedS3(s3 ?? ({} as S3SinkSettings), former.s3, refuse) };
  if (https) checkAddress('https/url', https.url, rules, refuse);
  if (https) checkHeaders(https.headers ?? {}, refuse);
  if (s3?.endpoint) checkAddress('s3/endpoint', s3.endpoint, rules, refuse);
  if (issues.length > 0) throw problem('invalid_request', { fieldIssues: issues });
  return settings;
}

type Refuse = (field: string, code: string, message: string) => void;

/** What opens a server is kept for that server alone: else whoever may say where a log goes would learn it by naming another. */
function unmaskedHttps(
  given: HttpsSinkSettings,
  stored: HttpsSinkSettings | undefined,
  refuse: Refuse,
): HttpsSinkSettings {
  const isSame = stored && URL.parse(stored.url)?.origin === URL.parse(given.url)?.origin;
  const kept = (field: string, value: string, former: string | null | undefined) => {
    if (value !== mask) return value;
    if (isSame && former) return former;
    refuse(field, 'required', 'has to be given, since nothing is stored for this server');
    return value;
  };
  const headers = Object.entries(given.headers ?? {}).map(([name, value]) => {
    return [name, kept(`https/headers/${name}`, value, stored?.headers?.[name])] as const;
  });
  const secret =
    given.signing_secret && kept('https/signing_secret', given.signing_secret, stored?.signing_secret);
  return { ...given, headers: Object.fromEntries(headers), signing_secret: secret ?? null };
}

function unmaskedS3(
  given: S3SinkSettings,
  stored: S3SinkSettings | undefined,
  refuse: Refuse,
): S3SinkSettings {
  if (given.secret_access_key !== mask) return given;
  // the key itself is never sent, so the server does not matter
  if (stored?.access_key_id === given.access_key_id)
    return { ...given, secret_access_key: stored.secret_access_key };
  refuse('s3/secret_access_key', 'required', 'has to be given, since none is stored for this access key');
  return given;
}

function checkAddress(
  field: string,
  text: string,
  { addresses, plainText }: SinkRules,
  refuse: Refuse,
): void {
  const issue = addressIssue(text);
  const url = URL.parse(text);
  if (issue !== null || !url) return refuse(field, 'wrong_format', issue ?? 'is no address');
  if (url.protocol !== 'https:' && !plainText) refuse(field, 'not_allowed', 'has to begin with https://');
  if (url.username !== '' || url.password !== '') refuse(field, 'not_allowed', 'must not hold a login');
  try {
    addresses.check(url.hostname);
  } catch (error) {
    refuse(field, 'not_allowed', (error as Error).message);
  }
}

function checkHeaders(headers: Record<string, string>, refuse: Refuse): void {
  const names = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const field = `https/headers/${name.slice(0, 100)}`;
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      refuse(field, 'wrong_format', 'is no header');
    }
    const lower = name.toLowerCase();
    if (name.length > 100) refuse(field, 'too_long', 'is too long for a name');
    if (ownHeaders.test(lower)) refuse(field, 'not_allowed', 'is set by Sluice');
    if (names.has(lower)) refuse(field, 'not_allowed', 'is there twice');
    names.add(lower);
  }
}

/** The settings as they are answered: without what opens anything. */
export function masked(settings: SinkSettings): SinkSettings {
  if ('s3' in settings) return { s3: { ...settings.s3, secret_access_key: mask } };
  const { headers = {}, signing_secret } = settings.https;
  const names = Object.keys(headers);
  return {
    https: {
      ...settings.https,
      headers: Object.fromEntries(names.map((name) => [name, mask])),
      signing_secret: signing_secret ? mask : null,
    },
  };
}

/** Where it goes, for people. */
export function destinationOf(settings: SinkSettings): string {
  if ('https' in settings) return new URL(settings.https.url).origin;
  const { endpoint, bucket, prefix = '' } = settings.s3;
  return `s3://${bucket}/${prefix}${endpoint ? ` at ${new URL(endpoint).origin}` : ''}`;
}

export const kindOf = (settings: SinkSettings) => ('https' in settings ? 'https' : 's3');

export const isSame = (a: SinkSettings, b: SinkSettings) => isDeepStrictEqual(a, b);
