import type { Command } from 'commander';
import type { Cli } from '../cli.ts';

export default function context(command: Command, cli: Cli): void {
  command.description(
    'Installations and who you are there. Before the context in use go: SLUICE_API_KEY with SLUICE_URL, --context, SLUICE_CONTEXT, and in a checkout the stack of npm start, as the context local.',
  );
  const add = (verb: string, description: string) => command.command(verb).description(description);

  add('list', 'List the contexts')
    .alias('ls')
    .action(async () => (await import('./context/context.ts')).list(cli));

  add('use', 'Use a context from now on, or set its default place')
    .argument('[name]', 'the context; without it the one in use')
    .option('--place <place>', 'what shorter places begin with, such as payments/dev')
    .option('--no-place', 'take the default place away')
    .action(async (name, options) => (await import('./context/context.ts')).use(cli, name, options));

  add('show', 'Show a context')
    .argument('[name]', 'the context; without it the one that commands run in')
    .action(async (name) => (await import('./context/context.ts')).show(cli, name));

  add('delete', 'Forget a context and its key')
    .argument('<name>', 'the context')
    .action(async (name) => (await import('./context/context.ts')).remove(cli, name));
}
