import { ok, type Handlers } from '@sluice/http';
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

/** @param token of an alphabet that means nothing in HTML */
function pageOf(token: string, unsubscribed: boolean): string {
  const [title, text, action, label] = unsubscribed
    ? [
        'You are unsubscribed',
        'The notification channels of this tenant send no mails to your address any more.',
        `?token=${token}&amp;undo=true`,
        'Undo',
      ]
    : [
        'Unsubscribe',
        'A notification channel sends mails to your address. The button ends all mails that the channels of this tenant send to it.',
        `?token=${token}`,
        'Unsubscribe',
      ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>:root { color-scheme: light dark } body { max-width: 32rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif } button { font: inherit; padding: .5rem 1rem }</style>
</head>
<body>
<h1>${title}</h1>
<p>${text}</p>
<form method="post" action="${action}"><button>${label}</button></form>
</body>
</html>
`;
}
