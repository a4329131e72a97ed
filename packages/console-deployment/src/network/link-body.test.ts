import { linkBody } from './link-body.ts';

test('lists are sent as such and nothing for what is empty', () => {
  const fields = [{ key: 'allowed_principals', label: 'Who may connect', isList: true }];
  expect(
    linkBody(fields, { name: ' link ', allowed_principals: '123456789012\n arn:x ', remarks: ' ' }),
  ).toEqual({ name: 'link', allowed_principals: ['123456789012', 'arn:x'] });
  expect(linkBody(fields, { name: 'link', remarks: '' })).toEqual({ name: 'link' });
});
