import {
  dropOutboxDeadLetters,
  outboxDeadLetters,
  sendDeadLettersAgain,
  type OutboxDeadLetter,
} from '@sluice/messaging';
import type { Sql } from '@sluice/service';
import { notFound } from '@sluice/terminal/errors';
import { changes, integer } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import type { Command } from 'commander';
import type { Admin } from '../admin.ts';
import { ageOf } from '../age.ts';
import { ids, listed, type ListFlags } from '../arguments.ts';

export default function outbox(command: Command, admin: Admin): void {
  const add = (verb: string, description: string) => command.command(verb).description(description);
  const several = ['<id...>', 'as the list has them', ids] as const;

  listed(add('list', "List the messages of a service that NATS refused, in the service's database")).action(
    ({ after, limit }: ListFlags) =>
      admin.withDatabase(async (sql) => admin.output.list(await outboxDeadLetters(sql, after, limit), view)),
  );

  add('show', 'Show such a message with its headers and its payload')
    .argument('<id>', 'as the list has it', integer)
    .action((id: number) =>
      admin.withDatabase(async (sql) => {
        const letter = await find(sql, id);
        if (!letter) throw missing([id]);
        await admin.output.item(letter, view);
      }),
    );

  changes(add('redrive', 'Send them again, at their former places'))
    .argument(...several)
    .action((all: number[]) => change(admin, all, sendDeadLettersAgain, 'sent again'));

  changes(add('drop', 'Remove them for good'))
    .argument(...several)
    .action((all: number[]) => change(admin, all, dropOutboxDeadLetters, 'removed'));

  command.addHelpText(
    'after',
    '\nExamples:\n  $ sluice-admin --service=audit outbox list\n  $ sluice-admin --service=audit outbox redrive 1001',
  );
}

async function find(sql: Sql, id: number): Promise<OutboxDeadLetter | undefined> {
  const [letter] = await outboxDeadLetters(sql, id - 1, 1);
  return letter?.id === id ? letter : undefined;
}

async function known(sql: Sql, ids: readonly number[]): Promise<number[]> {
  const found = [];
  for (const id of ids) if (await find(sql, id)) found.push(id);
  return found;
}

const missing = (ids: readonly number[]) =>
  notFound(`The outbox has no dead letter ${ids.join(', ')}.`, 'sluice-admin outbox list');

const change = (
  admin: Admin,
  ids: readonly number[],
  apply: typeof sendDeadLettersAgain,
  past: string,
): Promise<void> =>
  admin.withDatabase(async (sql) => {
    const done = admin.isDry ? await known(sql, ids) : await apply(sql, ids);
    for (const id of done) admin.say(admin.isDry ? `${id} would be ${past}.` : `${id} is ${past}.`);
    const unknown = ids.filter((id) => !done.includes(id));
    if (unknown.length > 0) throw missing(unknown);
  });

const view: View<OutboxDeadLetter> = {
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'AGE', value: ({ died_at }) => ageOf(died_at) },
    { header: 'SUBJECT', value: ({ subject }) => subject },
    { header: 'REASON', value: ({ reason }) => reason },
  ],
  name: ({ id }) => `${id}`,
  fields: (letter) =>
    Object.entries(letter).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : (value as string | number),
    ]),
  empty: 'There are none.',
};
