import type { AuditSink, AuditSinkInput } from '@sluice/client';

/** The fields of the form of a sink. */
export interface SinkValues {
  kind: 'https' | 's3';
  enabled: boolean;
  interval_seconds: string;
  start: '' | 'beginning' | 'now';
  url: string;
  format: 'ndjson' | 'json';
  /** one `name: value` a line */
  headers: string;
  signing_secret: string;
  endpoint: string;
  region: string;
  bucket: string;
  prefix: string;
  path_style: boolean;
  access_key_id: string;
  secret_access_key: string;
  tls_ca: string;
}

const headerLines = (headers: Record<string, string> = {}) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** What the form shows of a sink. Secrets stand there as `***`, which keeps them. */
export const valuesOf = (sink: AuditSink | null): SinkValues => ({
  kind: sink?.kind ?? 'https',
  enabled: sink?.enabled ?? true,
  interval_seconds: String(sink?.interval_seconds ?? 10),
  start: '',
  url: sink?.https?.url ?? '',
  format: sink?.https?.format ?? 'ndjson',
  headers: headerLines(sink?.https?.headers),
  signing_secret: sink?.https?.signing_secret ?? '',
  endpoint: sink?.s3?.endpoint ?? '',
  region: sink?.s3?.region ?? 'us-east-1',
  bucket: sink?.s3?.bucket ?? '',
  prefix: sink?.s3?.prefix ?? '',
  path_style: sink?.s3?.path_style ?? false,
  access_key_id: sink?.s3?.access_key_id ?? '',
  secret_access_key: sink?.s3?.secret_access_key ?? '',
  tls_ca: sink?.https?.tls_ca ?? sink?.s3?.tls_ca ?? '',
});

/** The headers of a text with one `name: value` a line. @returns the first line that is none, if there is one */
export function headersIn(text: string): { headers: Record<string, string>; wrong?: string } {
  const headers: Record<string, string> = {};
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.+)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return { headers, wrong: line };
    headers[name] = value;
  }
  return { headers };
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim());

/** What is sent for the values of the form. */
export function inputOf(values: SinkValues): AuditSinkInput {
  const { kind, enabled, interval_seconds: interval, start, tls_ca } = values;
  const common = {
    enabled,
    interval_seconds: Number(interval),
    ...(start !== '' && { start }),
  };
  if (kind === 'https')
    return {
      ...common,
      https: {
        url: values.url.trim(),
        format: values.format,
        headers: headersIn(values.headers).headers,
        signing_secret: orNull(values.signing_secret),
        tls_ca: orNull(tls_ca),
      },
    };
  return {
    ...common,
    s3: {
      endpoint: orNull(values.endpoint),
      region: values.region.trim(),
      bucket: values.bucket.trim(),
      prefix: values.prefix.trim(),
      path_style: values.path_style,
      access_key_id: values.access_key_id.trim(),
      secret_access_key: values.secret_access_key.trim(),
      tls_ca: orNull(tls_ca),
    },
  };
}
