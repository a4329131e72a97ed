import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { byShare, checksOf, critical, detail, ok, warning, type Check } from '../../snapshots/check.ts';
import { endOf } from '../../snapshots/excerpts.ts';
import { bytes, counted } from '../../snapshots/figures.ts';
import { readLogLine } from './log-line.ts';
import { storedChecks } from './stored-checks.ts';
import type { NatsUnderTest } from './under-test.ts';

export function natsChecks(server: NatsUnderTest): readonly Check[] {
  return [...serverChecks(server), ...storedChecks(server)];
}

function serverChecks({ program, logFile, pages }: NatsUnderTest): readonly Check[] {
  return checksOf('Broker', {
    broker_health: {
      title: 'Health by its own word',
      meaning: 'The server says itself whether it serves: streams that could not be restored are named here.',
      run: async () => {
        const { status, error } = await pages.healthz();
        if (status === 'ok') return ok('The server says that it is well.');
        const action =
          'See what it names; a stream that is damaged can be deleted or restored from a backup.';
        return critical(`The server says that it is ${status}: ${error ?? 'no reason is given'}.`, action);
      },
    },
    broker_starts: {
      title: 'Starts in the last hour',
      meaning: 'Each start has cut all clients before. Many show that the server does not stay.',
      run: async () => {
        const since = Date.now() - 3_600_000;
        const lines = (await endOf(logFile, 2 ** 20)).split('\n').map(readLogLine);
        const starts = lines.filter(
          (line) => line?.message.startsWith('Starting nats-server') && line.at.getTime() > since,
        );
        const finding = `${counted(starts.length, 'start')} in the last hour.`;
        const action = 'The lines before each start in its log say why it ended.';
        if (starts.length >= 10) return critical(`The server starts again and again: ${finding}`, action);
        return starts.length >= 4 ? warning(finding, action) : ok(finding);
      },
    },
    broker_log: {
      title: 'Errors in its log',
      meaning: 'What the server itself holds for wrong.',
      run: async () => {
        const since = Date.now() - 3_600_000;
        const lines = (await endOf(logFile, 2 ** 20)).split('\n').flatMap((line) => readLogLine(line) ?? []);
        const recent = lines.filter(({ at }) => at.getTime() > since);
        const errors = recent.filter(({ level }) => level === 'error');
        const details = errors
          .slice(-5)
          .map(({ at, message }) => detail(at.toISOString(), message.slice(0, 190)));
        const finding = `${counted(errors.length, 'error')} in the last hour.`;
        return errors.length > 0
          ? warning(finding, 'Read them; errors of clients that log in wrongly are here as well.', details)
          : ok(finding);
      },
    },
    broker_version: {
      title: 'Version',
      meaning:
        'A server that runs is of the program that it was started from, also when that was replaced since.',
      run: async () => {
        const { stdout } = await promisify(execFile)(program, ['-v'], { timeout: 5_000 });
        const installed = /v?(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1] ?? 'unknown';
        const { version } = await pages.varz();
        const details = [detail('runs', version), detail('installed', installed)];
        return version === installed
          ? ok(`nats-server ${version}.`, details)
          : warning(
              `nats-server ${version} runs, and ${installed} is installed.`,
              'Restart the broker when it suits: from then on the installed one runs.',
              details,
            );
      },
    },
    broker_connections: {
      title: 'Connections',
      meaning: 'At the limit of the tier, or of the configuration, the broker refuses further clients.',
      action: 'See whether clients leave connections open, or take a larger tier.',
      limits: { much: 0.8, most: 0.98 },
      run: async () => {
        const { connections, max_connections, total_connections } = await pages.varz();
        const details = [detail('since its start', total_connections)];
        const finding = `${connections} of ${max_connections} connections.`;
        const share = max_connections > 0 ? connections / max_connections : 0;
        return byShare(share, finding, details);
      },
    },
    slow_consumers: {
      title: 'Slow consumers',
      meaning:
        'A client that reads more slowly than messages come is cut off, and loses what is not in a stream.',
      run: async () => {
        const { slow_consumers } = await pages.varz();
        const finding = `${counted(slow_consumers, 'client')} cut off for that since its start.`;
        const action = 'See which clients read slowly: more of them in a group, or smaller batches, help.';
        return slow_consumers > 0 ? warning(finding, action) : ok(finding);
      },
    },
    pending_clients: {
      title: 'Bytes that wait for clients',
      meaning: 'What a client has not taken yet lies in the memory of the broker.',
      run: async () => {
        const connz = await pages.connz();
        const clients = connz.connections ?? [];
        const total = clients.reduce((sum, { pending_bytes }) => sum + pending_bytes, 0);
        const details = clients
          .filter(({ pending_bytes }) => pending_bytes > 0)
          .slice(0, 8)
          .map(({ name, ip, pending_bytes }) => detail((name ?? ip).slice(0, 70), bytes(pending_bytes)));
        const finding = `${bytes(total)} wait for clients.`;
        return total > 32 * 2 ** 20
          ? warning(finding, 'See which of these clients read slowly.', details)
          : ok(finding, details);
      },
    },
  });
}
