import { exampleOf } from '#test/notification-examples.ts';
import { renderNotification } from '../notifications/texts/index.ts';
import { renderBody, renderMail } from './mail-body.ts';
import { note, paragraph } from './mail-template.ts';

const link = 'https://console.example.com/deployments/9?a=1&b=2';
const unsubscribe = 'https://api.example.com/unsubscribe?token=abc';
const mail = () =>
  renderMail({ ...renderNotification(exampleOf('deployment_secrets_rotated')), link, unsubscribe });

test('the mail of a notification says what has happened, links to it, and has the details', () => {
  expect(mail().text)
    .toBe(`The deployment “orders” (division “Payments”, environment “production”) was given a new user name and password by Ada Lovelace.

Give them to its clients: the former login works until 1 March 2026, 13:00 UTC, and no longer.

Look at it:
${link}

Former login valid until: 1 March 2026, 13:00 UTC
Deployment: orders
Environment: production
Division: Payments
By: Ada Lovelace
Time: 1 March 2026, 12:00 UTC

You get this mail because a notification channel of your tenant sends to this address.

Unsubscribe:
${unsubscribe}

-- 
Sluice
`);
});

test('the HTML has all of that, and nothing is left of the layout’s places', () => {
  const { html, text } = mail();
  const seen = html
    .replaceAll(/<head>.*<\/head>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&');
  const words = (of: string) => of.split(/\s+/).filter((word) => /^\w+$/.test(word));
  expect(words(text).filter((word) => !words(seen).includes(word))).toEqual([]);
  expect(html).not.toMatch(/\[\[|<!--part/);
  expect(html).toContain('href="https://console.example.com/deployments/9?a=1&amp;b=2"');
});

test('a mail asks no server for anything', () => {
  const { html } = mail();
  expect(html).not.toMatch(/<link|<img|<script|@import|url\(/i);
  const addresses = [...html.matchAll(/https?:\/\/[^"<\s]*/g)].map(([address]) => address);
  expect(new Set(addresses.filter((address) => !address.startsWith('http://www.w3.org/')))).toEqual(
    new Set([link.replace('&', '&amp;'), unsubscribe]),
  );
});

test('what looks like a place of the layout, or like HTML, is text', () => {
  const text = '[[subject]] $& <b>"bold"</b>';
  const { html } = renderBody({ subject: 'Subject', parts: [paragraph(text), note(text)] });
  expect(html.split('[[subject]] $&amp; &lt;b&gt;&quot;bold&quot;&lt;/b&gt;')).toHaveLength(4);
});
