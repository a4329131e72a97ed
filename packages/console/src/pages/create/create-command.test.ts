import { createCommand } from './create-command.ts';

const body = { name: 'orders', cloud: 'cloud_a', region: 'r', tier: 'small', cluster: 'standalone' } as const;

test('the command has what was chosen', () => {
  expect(createCommand({ ...body, protected: true, spend_limit: 20 }, 'shop/dev', false).join(' ')).toBe(
    'deployments create shop/dev/orders --cloud cloud_a --region r --tier small --protected --spend-limit 20',
  );
});

test('the access to an account is named as the command names it', () => {
  const words = createCommand({ ...body, cloud_a: { account_id: '1', vpc_id: 'v' } }, 'shop/dev', true);
  expect(words.slice(-4)).toEqual(['--account-id', '1', '--vpc-id', 'v']);
  expect(words[0]).toBe('byoc');
});
