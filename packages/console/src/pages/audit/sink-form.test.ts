import type { AuditSink } from '@sluice/client';
import { headersIn, inputOf, valuesOf } from './sink-form.ts';

test('the settings of a sink come back as they are, with secrets kept', () => {
  const https = {
    ...{ url: 'https://siem.example.com/raw', format: 'json' as const },
    ...{ headers: { Authorization: '***' }, signing_secret: '***', tls_ca: null },
  };
  const sink = { kind: 'https', enabled: false, interval_seconds: 30, https } as unknown as AuditSink;
  expect(inputOf(valuesOf(sink))).toEqual({ enabled: false, interval_seconds: 30, https });
  const s3 = {
    ...{ endpoint: null, region: 'eu-central-1', bucket: 'log', prefix: 'a/', path_style: true },
    ...{ access_key_id: 'AK', secret_access_key: '***', tls_ca: null },
  };
  const bucket = { kind: 's3', enabled: true, interval_seconds: 10, s3 } as unknown as AuditSink;
  expect(inputOf({ ...valuesOf(bucket), start: 'beginning' })).toEqual({
    ...{ enabled: true, interval_seconds: 10, start: 'beginning', s3 },
  });
});

test('headers are read line by line', () => {
  expect(headersIn('Authorization: Splunk 3f1f: x\n\n X-Tenant:7 ')).toEqual({
    headers: { Authorization: 'Splunk 3f1f: x', 'X-Tenant': '7' },
  });
  expect(headersIn('Authorization').wrong).toBe('Authorization');
});
