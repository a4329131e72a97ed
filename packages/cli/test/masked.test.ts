import { masked } from '../src/masked.ts';

test('what the API has for secrets is not shown, nor what a schema calls one', () => {
  const sink = {
    enabled: true,
    https: {
      url: 'https://siem.example.com',
      headers: { Authorization: 'Splunk 3f1f' },
      signing_secret: 'whsec',
    },
    s3: { bucket: 'log', secret_access_key: 'x' },
  };
  expect(masked(sink)).toEqual({
    enabled: true,
    https: { url: 'https://siem.example.com', headers: { Authorization: '***' }, signing_secret: '***' },
    s3: { bucket: 'log', secret_access_key: '***' },
  });
  const values = {
    plugin_config: { host: 'db', dsn: 'postgresql://a:b@c', ports: [1] },
    streams: ['ORDERS'],
  };
  expect(masked(values, new Set(['dsn']))).toEqual({
    plugin_config: { host: 'db', dsn: '***', ports: [1] },
    streams: ['ORDERS'],
  });
  expect(masked({ redact_secrets: true, password: null })).toEqual({ redact_secrets: true, password: null });
});
