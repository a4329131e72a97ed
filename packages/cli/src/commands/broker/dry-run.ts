import type { Cli } from '../../cli.ts';
import { DryRunEnd } from '../../errors.ts';
import { visible, visibleJson } from '@sluice/terminal/escape';
import type { Broker } from './broker.ts';

interface BrokerRequest {
  subject: string;
  headers?: Record<string, string[]>;
  body?: unknown;
}

/** With `--dry-run`, shows a request to the broker, without the login. @throws DryRunEnd then, so that it is not sent */
export async function showRequest(
  cli: Cli,
  { place }: Pick<Broker, 'place'>,
  { subject, headers, body }: BrokerRequest,
): Promise<void> {
  if (!cli.options.dryRun) return;
  if (!cli.output.isForPeople) await cli.output.value({ deployment: place, subject, headers, body });
  else {
    const lines = Object.entries(headers ?? {}).flatMap(([name, values]) =>
      values.map((value) => `${name}: ${value}`),
    );
    const text = [`PUB ${subject} (broker of ${place})`, ...lines].map(visible).join('\n');
    const json = body === undefined ? '' : `\n${visibleJson(JSON.stringify(body, null, 2))}\n`;
    await cli.output.raw(`${text}\n${json}`);
  }
  throw new DryRunEnd();
}
