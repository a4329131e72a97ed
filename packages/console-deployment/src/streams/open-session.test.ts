import { sessionUrl } from './open-session.ts';

test('the relay is reached by the own origin, and nothing in a region’s name leads elsewhere', () => {
  const path = { tenant_id: 1, division_id: 1, environment_id: 1, deployment_id: 7 };
  const region = { cloud: 'cloud_a', region: 'us-east-1' } as const;
  expect(sessionUrl({ path, region }, 'https://console.test')).toBe(
    'wss://console.test/api/regions/cloud_a/us-east-1/deployments/7/broker',
  );
  const odd = { cloud: 'cloud_a', region: '../../@evil.test' } as const;
  expect(new URL(sessionUrl({ path, region: odd }, 'http://console.test')).host).toBe('console.test');
});
