import { Argument, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { notFound } from '@sluice/terminal/errors';

const targets = ['console', 'main-api', 'audit', 'supervisor'] as const;
type Target = (typeof targets)[number];

export default function open(command: Command, cli: Cli): void {
  command
    .description(
      'Open the console, or the description of an API, in the browser. Without a terminal the address is written.',
    )
    .addArgument(new Argument('[what]', 'what to open').choices(targets).default('console'))
    .argument('[deployment]', 'with supervisor: a deployment of the region')
    .option('--print', 'write the address and open nothing')
    .action(async (what: Target, deployment: string | undefined, { print }: { print?: boolean }) => {
      const address = await addressOf(cli, what, deployment);
      if (print || !cli.io.isInteractive) return cli.output.raw(`${address}\n`);
      const { default: openInBrowser } = await import('open');
      await openInBrowser(address);
      cli.say(`Opened ${address}`);
    });
}

async function addressOf(cli: Cli, what: Target, deployment: string | undefined): Promise<string> {
  const { context, who, places } = await cli.session();
  if (what === 'main-api') return `${context.url}/docs/`;
  if (what === 'supervisor')
    return webAddress(`${(await places.find('deployment', deployment)).supervisor_url}/docs/`);
  const caller = await who();
  const address = what === 'audit' ? caller?.audit_url && `${caller.audit_url}/docs/` : caller?.console_url;
  if (address) return webAddress(address);
  throw notFound(
    `The server does not know where its ${what === 'audit' ? 'Audit API' : 'console'} is.`,
    'sluice open main-api',
  );
}

/** What a server says is opened only if a browser shows it. */
function webAddress(text: string): string {
  const { protocol, href } = new URL(text);
  if (protocol === 'http:' || protocol === 'https:') return href;
  throw notFound(`${JSON.stringify(text)} is no address of the web.`);
}
