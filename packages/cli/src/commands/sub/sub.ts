import { withBroker, type Broker, type BrokerFlags } from '../broker/broker.ts';
import { headerLines, messageView, payloadOf } from '../broker/message-view.ts';
import { messageJson, type MessageJson } from '@sluice/streams';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes } from '@sluice/terminal/errors';
import { first } from '@sluice/terminal/options';
import { visible } from '@sluice/terminal/escape';
import { createBacklog, type Backlog } from '../entries/backlog.ts';
import { requireLines } from '../entries/endless.ts';

interface SubFlags extends BrokerFlags {
  deployment?: string;
  count?: number;
}

export async function subscribe(
  cli: Cli,
  subjects: readonly string[],
  { count, ...flags }: SubFlags,
): Promise<void> {
  requireLines(cli, 'A subscription');
  const unfit = subjects.find((subject) => !/^[^\s.]+(\.[^\s.]+)*$/.test(subject));
  if (unfit !== undefined)
    throw new CliError({ exitCode: exitCodes.badInput, message: `${JSON.stringify(unfit)} is no subject.` });
  await withBroker(cli, flags.deployment, { ...flags, isFollowed: true }, async (broker) => {
    const backlog = createBacklog<MessageJson>((lost) =>
      cli.say(`${lost} messages are left out: they come faster than they are written.`),
    );
    listen(broker, subjects, backlog);
    await broker.connection.flush();
    cli.say(`Listening to ${subjects.join(', ')} of ${broker.place}. Ctrl-C ends it.`);
    void report(cli, broker);
    await show(cli, first(backlog.items(), count));
    // with a count it is at its end, without one the connection is
    if (count === undefined) await broker.connection.flush();
  });
}

function listen({ connection }: Broker, subjects: readonly string[], backlog: Backlog<MessageJson>): void {
  for (const subject of subjects) {
    const subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return backlog.end(error);
        const { subject: its, reply, data, headers = [] } = message;
        const json = messageJson({
          time: new Date().toISOString(),
          subject: its,
          ...(reply && { reply }),
          headers: Object.fromEntries(headers),
          data,
        });
        backlog.push(json, json.size);
      },
    });
    void subscription.closed.then(() => backlog.end());
  }
}

/** Says that messages can be missing. */
async function report(cli: Cli, { connection }: Broker): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') cli.say('The connection has broken off. It is made again.');
    if (status.type === 'reconnect') cli.say('It is there again. What was published meanwhile is missing.');
  }
}

/** Messages as a terminal shows them, or as data. */
async function show(cli: Cli, messages: AsyncIterable<MessageJson>): Promise<void> {
  if (!cli.output.isForPeople) return cli.output.list(messages, messageView);
  for await (const message of messages) {
    const lines = [...headerLines(message), ...payloadOf(message).split('\n')];
    const subject = cli.io.paint('bold', visible(message.subject));
    const text = lines.map((line) => `    ${visible(line)}\n`).join('');
    await cli.output.raw(`${cli.io.paint('dim', message.time)} ${subject}\n${text}`);
  }
}
