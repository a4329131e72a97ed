import { randomBytes } from 'node:crypto';
import { idOf } from '@sluice/contracts';
import { chatRequest, webhookRequest, type DueMessage } from './messages.ts';

const secret = `whsec_${randomBytes(24).toString('base64')}`;
const due = (link?: string): DueMessage => ({
  ...{ id: 'a', type: 'division_created', occurredAt: new Date() },
  about: { tenant_id: idOf(1), division_id: null, environment_id: null, deployment_id: null },
  message: { subject: 's', body: 'b', facts: [], ...(link !== undefined && { link }) },
});
const bodyOf = (link?: string) =>
  JSON.parse(webhookRequest('https://a.test', {}, secret, due(link)).body ?? '') as object;

test('a webhook and a chat have the page of the console, where there is one', () => {
  const link = 'https://console.test/t/1';
  expect(bodyOf(link)).toMatchObject({ subject: 's', link });
  expect(bodyOf()).not.toHaveProperty('link');
  expect(chatRequest('https://a.test', {}, due(link)).body).toContain(`<${link}|See it in Sluice>`);
  expect(chatRequest('https://a.test', {}, due()).body).not.toContain('See it in Sluice');
});
