import { html, htmlPage, ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { UnsubscribeService } from './unsubscribe.service.ts';

export function unsubscribeOperations(unsubscribes: UnsubscribeService) {
  const page = (token: string, unsubscribed: boolean) => ({
    ...ok(undefined),
    raw: {
      type: 'text/html; charset=utf-8',
      headers: { 'cache-control': 'no-store' },
      content: pageOf(token, unsubscribed),
    },
  });
  return {
    async showUnsubscribe({ query: { token } }) {
      return page(token, await unsubscribes.isUnsubscribed(token));
    },
    async unsubscribe({ caller, query: { token, undo = false } }) {
      await unsubscribes.set(caller, token, !undo);
      return page(token, !undo);
    },
  } satisfies Partial<Handlers<operations>>;
}

function pageOf(token: string, unsubscribed: boolean): string {
  const [title, text, action, label] = unsubscribed
    ? [
        'You are unsubscribed',
        'The notification channels of this tenant send no mails to your address any more.',
        `?token=${token}&undo=true`,
        'Undo',
      ]
    : [
        'Unsubscribe',
        'A notification channel sends mails to your address. The button ends all mails that the channels of this tenant send to it.',
        `?token=${token}`,
        'Unsubscribe',
      ];
  const form = html`<form method="post" action="${action}"><button>${label}</button></form>`;
  return htmlPage(
    title,
    html`<p>${text}</p>
      ${form}`,
  );
}
