import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { people, type Person } from './people.ts';

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 28rem; margin: 4rem auto; padding: 0 1rem; }
  button { display: block; width: 100%; margin: 0 0 .5rem; padding: .75rem 1rem; font: inherit; text-align: left; }
  small { opacity: .75; }
`;

const button = ({ subject, name, email, role }: Person) =>
  `<button name="person" value="${subject}"><strong>${name}</strong>, ${role}<br><small>${email}</small></button>`;

/** Lists who can sign in, one click each. Nothing on it comes from outside, except for the id of the interaction. */
export function choosePage(response: ServerResponse, uid: string): void {
  const styleHash = createHash('sha256').update(style).digest('base64');
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // no form-action: the form leads on to where the sign-in was begun
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
    })
    .end(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Local sign-in</title>` +
        `<style>${style}</style><h1>Who are you?</h1><p>This page is of the local stack, on this machine alone.</p>` +
        `<form method="post" action="/interaction/${uid}">${people.map(button).join('')}</form></html>`,
    );
}
