import { accountInput, accountValues } from './account-form.ts';

test('an empty form keeps no settings', () => {
  const values = { ...accountValues(undefined), name: 'Production', account_id: '123456789012' };
  expect(accountInput(values)).toEqual({
    ...{ cloud: 'cloud_a', name: 'Production', account_id: '123456789012' },
    ...{ region: null, remarks: null, settings: null },
  });
});

test('settings are those of the cloud alone', () => {
  const values = { ...accountValues(undefined), cloud: 'cloud_b' as const };
  const settings = { identity_arn: 'arn:left', vpc_network: ' main ' };
  expect(accountInput({ ...values, settings }).settings).toEqual({ cloud_b: { vpc_network: 'main' } });
});
