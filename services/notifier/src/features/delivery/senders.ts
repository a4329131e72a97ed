import { PermanentError, RetryLater } from '@sluice/messaging';
import type { Log } from '@sluice/service';
import type { Sender } from '../../config.ts';
import type { Database } from '../../database/tables.ts';
import type { DueChannel, DueNotification } from './queues.store.ts';
import { findUnsubscribe } from '../unsubscribes/unsubscribes.store.ts';
import type { ReturnPaths } from '../mails/return-paths.ts';
import { addressHash } from '../channels/address-hash.ts';
import type { ChannelVault } from '../channels/channel-vault.ts';
import type { MailAllowance } from './mail-allowance.ts';
import { notificationMail } from './notification-mail.ts';
import type { MailTransport } from '../mails/transports/mail-transport.ts';
import type { Send } from './deliverer.ts';
import type { HttpsClient, DeliveryOutcome } from './https-client.ts';
import type { UnsubscribeLinks } from '../unsubscribes/unsubscribe-links.ts';
import { chatRequest, webhookRequest, type DueMessage } from './messages.ts';

export interface SendersDependencies {
  database: Database;
  vault: ChannelVault;
  client: HttpsClient;
  transport: MailTransport;
  sender: Sender;
  allowance: MailAllowance;
  unsubscribeLinks: UnsubscribeLinks;
  returnPaths: ReturnPaths | undefined;
  log: Log;
}

/** How messages go out, by the kind of their channel (interface, 6.2). */
export function senders({
  database,
  vault,
  client,
  transport,
  sender,
  allowance,
  unsubscribeLinks,
  returnPaths,
  log,
}: SendersDependencies): Send {
  const send = async (
    { id, channel, sealed, tenant_id: tenant }: DueChannel,
    due: DueNotification,
    stopped: AbortSignal,
  ): Promise<DeliveryOutcome> => {
    const { destination, settings, signing_secret } = await vault.open(sealed);
    const message = messageOf(due);
    switch (channel) {
      case 'chat':
        return await client.send({ ...chatRequest(destination, settings, message), tenant }, stopped);
      case 'webhook':
        return await client.send(
          { ...webhookRequest(destination, settings, signing_secret ?? '', message), tenant },
          stopped,
        );
      case 'email': {
        const recipient = { tenant_id: tenant, address_hash: addressHash(tenant, destination) };
        if (await findUnsubscribe(database, recipient))
          return { result: 'never', isUnsent: true, reason: 'the address has unsubscribed' };
        if (!(await allowance.take(destination)))
          return {
            result: 'never',
            isUnsent: true,
            reason: `the address has had as many mails today as one gets (${allowance.perDay})`,
          };
        const unsubscribe = unsubscribeLinks.of(id, destination);
        const path = returnPaths?.of({ kind: 'notification', id: due.id });
        await transport.send(notificationMail(sender, destination, message, { unsubscribe, path }));
        return { result: 'delivered', reason: null };
      }
    }
  };
  return (channel, due, stopped) =>
    send(channel, due, stopped).catch((error: unknown) => {
      const failure = failureOf(error);
      if (failure) return failure;
      log.error('a notification could not be sent', { channel: channel.id, error });
      return { result: 'later', reason: 'it could not be sent by a fault of ours' };
    });
}

function messageOf(due: DueNotification): DueMessage {
  const { tenant_id, division_id, environment_id, deployment_id } = due;
  return {
    ...{ id: due.message_id, type: due.message_type, occurredAt: new Date(due.occurred_at) },
    about: { tenant_id, division_id, environment_id, deployment_id },
    message: due.message,
  };
}

/** The errors of transports say if another attempt can help, and hold nothing secret. Others stay inside. */
function failureOf(error: unknown): DeliveryOutcome | undefined {
  if (error instanceof PermanentError) return { result: 'never', reason: error.message };
  return error instanceof RetryLater ? { result: 'later', reason: error.message } : undefined;
}
