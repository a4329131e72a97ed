import { connect } from '@nats-io/transport-node';
import { operatorInbox, topology } from '@sluice/contracts';
import { natsConnectionOptions } from '@sluice/messaging';
import { readConfig, serviceEnvironment } from '@sluice/service';
import { changes, integer } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import type { Command } from 'commander';
import type { Admin } from '../admin.ts';
import { consumerName, ids, listed, type ListFlags } from '../arguments.ts';
import { openDeadLetters, type DeadLetter } from '../dead-letters.ts';
import { ageOf } from '../age.ts';

export default function deadLetters(command: Command, admin: Admin): void {
  const add = (verb: string, description: string) => command.command(verb).description(description);
  const numbers = ['<number...>', 'as the list has them', ids] as const;

  listed(add('list', 'List dead letters, oldest first'))
    .option('--consumer <name>', 'only those of this consumer', consumerName)
    .action(({ after, limit, consumer }: ListFlags & { consumer?: string }) =>
      withLetters(admin, async (letters) =>
        admin.output.list(await letters.list(after, limit, consumer), view),
      ),
    );

  add('show', 'Show a dead letter with its headers and its payload')
    .argument('<number>', 'as the list has it', integer)
    .action((number: number) =>
      withLetters(admin, async (letters) => admin.output.item(await letters.show(number), view)),
    );

  changes(add('redrive', 'Have their consumer try them again, and no other'))
    .argument(...numbers)
    .action((all: number[]) =>
      each(admin, all, 'redrive', ({ number, consumer }) => `${number}: ${consumer} tries it again.`),
    );

  changes(add('drop', 'Remove them for good'))
    .argument(...numbers)
    .action((all: number[]) => each(admin, all, 'drop', ({ number }) => `${number} is removed.`));

  command.addHelpText(
    'after',
    `
Examples:
  $ sluice-admin dead-letters list --consumer audit
  $ sluice-admin dead-letters redrive 12 13

They are read by NATS_URL, NATS_NAMESPACE and how to connect: NATS_NKEY_SEED or NATS_CREDENTIALS_FILE, NATS_TLS_*.`,
  );
}

type Letters = Awaited<ReturnType<typeof openDeadLetters>>;

const natsEnvironment = serviceEnvironment.pick({
  NATS_URL: true,
  NATS_NAMESPACE: true,
  NATS_NKEY_SEED: true,
  NATS_CREDENTIALS_FILE: true,
  NATS_TLS_CA_FILE: true,
  NATS_TLS_CERT_FILE: true,
  NATS_TLS_KEY_FILE: true,
});

async function withLetters(admin: Admin, work: (letters: Letters) => Promise<void>): Promise<void> {
  const settings = readConfig(natsEnvironment, admin.environment);
  const nats = await connect({
    ...(await natsConnectionOptions(settings, operatorInbox)),
    name: 'sluice-admin',
    timeout: 5_000,
  });
  try {
    await work(await openDeadLetters(nats, topology(settings.NATS_NAMESPACE)));
  } finally {
    await nats.close();
  }
}

/** Does it to one after the other; what was done before a failure is said. */
const each = (
  admin: Admin,
  numbers: readonly number[],
  action: 'redrive' | 'drop',
  done: (letter: DeadLetter) => string,
) =>
  withLetters(admin, async (letters) => {
    for (const number of numbers)
      if (admin.isDry) admin.say(`Would ${action} ${describe(await letters.show(number))}.`);
      else admin.say(done(await letters[action](number)));
  });

const describe = ({ number, consumer, subject }: DeadLetter) => `${number} of ${consumer}: ${subject}`;

const view: View<DeadLetter> = {
  columns: [
    { header: 'NUMBER', value: ({ number }) => number },
    { header: 'AGE', value: ({ put_aside_at }) => ageOf(new Date(put_aside_at)) },
    { header: 'CONSUMER', value: ({ consumer }) => consumer },
    { header: 'SUBJECT', value: ({ subject }) => subject },
    { header: 'REASON', value: ({ reason }) => reason },
  ],
  name: ({ number }) => `${number}`,
  fields: (letter) =>
    Object.entries(letter).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : (value as string | number),
    ]),
  empty: 'There are none.',
};
