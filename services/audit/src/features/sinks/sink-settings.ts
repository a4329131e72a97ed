import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import {
  destinationForms,
  keepSecrets,
  maskSecrets,
  type FieldIssue,
  type SecretFields,
} from '@sluice/contracts';
import type { BodyOf } from '@sluice/http';
import { problem } from '@sluice/service';
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

/** What opens a sink, and what decides where that is sent. */
const sinkSecrets: SecretFields = {
  secrets: [
    ['https', 'headers', '*'],
    ['https', 'signing_secret'],
    ['s3', 'secret_access_key'],
  ],
  destination: [
    { path: ['https', 'url'], form: destinationForms.url },
    { path: ['https', 'tls_ca'] },
    { path: ['s3', 'endpoint'], form: destinationForms.url },
    { path: ['s3', 'region'], form: (value = 'us-east-1') => value },
    { path: ['s3', 'bucket'] },
    { path: ['s3', 'path_style'], form: (value = false) => value },
    { path: ['s3', 'access_key_id'] },
    { path: ['s3', 'tls_ca'] },
  ],
};

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
  const given: SinkSettings = https
    ? { https: { ...https, headers: https.headers ?? {}, signing_secret: https.signing_secret ?? null } }
    : { s3: s3 ?? ({} as S3SinkSettings) };
  const { values: settings, issues: unkept } = keepSecrets(given, stored, sinkSecrets);
  issues.push(...unkept.map(({ path, ...issue }) => ({ path: `/body${path}`, ...issue })));
  if (https) checkAddress('https/url', https.url, rules, refuse);
  if (https) checkHeaders(https.headers ?? {}, refuse);
  if (s3?.endpoint) checkAddress('s3/endpoint', s3.endpoint, rules, refuse);
  if (issues.length > 0) throw problem('invalid_request', { fieldIssues: issues });
  return settings;
}

type Refuse = (field: string, code: string, message: string) => void;

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
export const masked = (settings: SinkSettings) => maskSecrets(settings, sinkSecrets);

/** Where it goes, for people. */
export function destinationOf(settings: SinkSettings): string {
  if ('https' in settings) return new URL(settings.https.url).origin;
  const { endpoint, bucket, prefix = '' } = settings.s3;
  return `s3://${bucket}/${prefix}${endpoint ? ` at ${new URL(endpoint).origin}` : ''}`;
}

export const kindOf = (settings: SinkSettings) => ('https' in settings ? 'https' : 's3');

export const isSame = (a: SinkSettings, b: SinkSettings) => isDeepStrictEqual(a, b);
