import { changedFields, limitTitle, settingsOf } from './settings-form.ts';

const tenant = { name: 'Acme', description: null, email: 'it@acme.example', protected: false };

test('what is as it was is left out', () => expect(changedFields(tenant, settingsOf(tenant))).toEqual({}));

test('an empty description is none', () => {
  const described = { ...tenant, description: 'Tools' };
  const values = { ...settingsOf(described), description: ' ', protected: true };
  expect(changedFields(described, values)).toEqual({ description: null, protected: true });
});

test.each([
  ['divisions_limit', 'Divisions'],
  ['api_key_allowed_ips_limit', 'API key allowed addresses'],
  ['deployment_tiers.free', 'Deployments of the tier free'],
  ['multi_az_enabled', 'Several zones'],
])('%s is %s', (name, title) => expect(limitTitle(name)).toBe(title));
