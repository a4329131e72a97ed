import type { Command } from 'commander';
import type { Cli } from '../cli.ts';

export default function version(command: Command, cli: Cli): void {
  command.action(async () => {
    const { release } = await import('../generated/operations.ts');
    const server = await releaseOfServer(cli);
    const versions = { sluice: release, node: process.versions.node, server };
    await cli.output.item(versions, {
      name: () => release,
      columns: [
        { header: 'SLUICE', value: ({ sluice }) => sluice },
        { header: 'NODE', value: ({ node }) => node },
        { header: 'SERVER', value: ({ server: its }) => its },
      ],
    });
  });
}

/** @returns null where it cannot be known: the program has its release in any case */
async function releaseOfServer(cli: Cli): Promise<string | null> {
  try {
    const { who } = await cli.session();
    return (await who())?.release ?? null;
  } catch (error) {
    cli.say(`The release of the server is not known: ${(error as Error).message}`);
    return null;
  }
}
