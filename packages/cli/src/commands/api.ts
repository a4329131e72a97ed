import type { Command } from 'commander';
import type { Cli } from '../cli.ts';

export default function api(command: Command, cli: Cli): void {
  command
    .description(
      'Call any operation of the three APIs. Names of operations and their options are those of the documents.',
    )
    .usage('<operationId> [options] | METHOD PATH [options] | list [text]')
    .argument('[operation]', 'an operationId, such as createDivision; a method, such as GET; or list')
    .argument('[arguments...]', 'what it takes: sluice api <operationId> --help')
    .option('--dry-run', 'show a request that would change something, and send nothing')
    .allowUnknownOption()
    .helpOption(false)
    .addHelpText('after', examples)
    .action(async (operation: string | undefined, _rest: string[], _options: unknown, parsed: Command) => {
      const rest = parsed.args.slice(1);
      if (operation === undefined || operation === '--help' || operation === '-h')
        return command.outputHelp();
      if (operation === 'list') return (await import('./api/list.ts')).listOperations(cli, rest);
      await (await import('./api/call.ts')).callOperation(cli, command, operation, rest);
    });
}

const examples = `
Examples:
  sluice api list division
  sluice api createDivision --help
  sluice api createDivision --field name=Payments --field description='All about payments'
  sluice api GET /tenants/{tenant_id}/structure
  sluice api listAuditEntries --all -o ndjson`;
