import type { ChannelSettings } from '@sluice/contracts';
import { Webhook } from 'standardwebhooks';
import type { StoredMessage } from '../../database/tables.ts';
import type { DueNotification } from './queues.store.ts';
import type { HttpsRequest } from './https-client.ts';

/** A message on its way to one channel. */
export interface DueMessage {
  /** the same at each attempt */
  id: string;
  type: string;
  occurredAt: Date;
  /** what it is about */
  about: Pick<DueNotification, 'tenant_id' | 'division_id' | 'environment_id' | 'deployment_id'>;
  message: StoredMessage;
}

/** what chats take of a header, a text, a field, and of fields */
const most = { header: 150, text: 2_900, field: 900, fields: 10 };

/** The message as incoming webhooks of chats take it: formatted, and as plain text for where that is not shown. */
export function chatRequest(
  url: string,
  { chat = {} }: ChannelSettings,
  { message: { subject, body, facts, link } }: DueMessage,
): HttpsRequest {
  const fields = facts
    .slice(0, most.fields)
    .map(({ name, value }) => marked(`*${escaped(name)}*\n${escaped(value)}`, most.field));
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: cut(subject, most.header) } },
    { type: 'section', text: marked(escaped(body), most.text) },
    ...(fields.length > 0 ? [{ type: 'section', fields }] : []),
    ...(link === undefined
      ? []
      : [{ type: 'section', text: marked(`<${escaped(link)}|See it in Sluice>`, most.text) }]),
  ];
  const content = { text: cut(`${escaped(subject)}\n${escaped(body)}`, most.text), blocks, ...chat };
  return { url, method: 'POST', headers: json, body: JSON.stringify(content) };
}

/**
 * The message as JSON, for people and for programs (interface, 6.2), signed as Standard Webhooks says: over id, time and body, so that no other can send one, nor send
 * one again later.
 */
export function webhookRequest(
  url: string,
  { webhook = {} }: ChannelSettings,
  secret: string,
  { id, type, occurredAt, about, message: { subject, body, link, data = null } }: DueMessage,
  now = new Date(),
): HttpsRequest {
  const occurred_at = occurredAt.toISOString();
  const said = { id, type, occurred_at, ...about, subject, body, data };
  const content = JSON.stringify({ ...said, ...(link !== undefined && { link }) });
  return {
    url,
    method: webhook.method ?? 'POST',
    headers: {
      'user-agent': 'Sluice',
      ...lowerCased(webhook.headers ?? {}),
      ...json,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, now, content),
    },
    body: content,
  };
}

const json = { 'content-type': 'application/json; charset=utf-8' };

const marked = (text: string, length: number) => ({ type: 'mrkdwn', text: cut(text, length) });

/** Names are other people's text: they can neither mention everybody nor link elsewhere. */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const lowerCased = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Whole characters: none is cut in two. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
