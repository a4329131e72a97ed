import { checksOf, critical, detail, ok, warning } from '../check.ts';
import { counted } from '../figures.ts';

export const connectorChecks = checksOf('Connectors', {
  connectors: {
    title: 'Connectors runtime',
    meaning: 'Sinks and sources of the deployment run in a process of their own.',
    run({ connectors }) {
      if (connectors === null) return ok('Connectors are not wanted.');
      const { status, reason, plugins } = connectors;
      const details = [detail('status', status), detail('plugins', plugins.length)];
      if (status === 'failed')
        return critical(
          `The connectors runtime does not work: ${reason ?? 'no reason is known'}.`.slice(0, 590),
          'See its log; it is started again with growing pauses.',
          details,
        );
      return ok(reason === null ? `It is ${status}.` : `It is ${status}: ${reason}.`.slice(0, 590), details);
    },
  },
  connector_instances: {
    title: 'Instances of connectors',
    meaning:
      'Each instance moves messages by its own configuration; one that stands still lets them pile up.',
    run({ connectors, wanted }) {
      const wantedCount = wanted.connectors?.instances.length ?? 0;
      const known = connectors?.instances ?? [];
      const keys = new Map(wanted.connectors?.instances.map(({ id, key }) => [id, key]));
      const details = known
        .slice(0, 15)
        .map(({ id, status, metrics }) =>
          detail(
            keys.get(id) ?? String(id),
            `${status}, ${metrics.messages_processed} processed, ${metrics.errors} errors`,
          ),
        );
      const wrong = known.filter(({ status }) => status === 'Error');
      if (wantedCount === 0) return ok('There is none.');
      if (wrong.length > 0)
        return critical(
          wrong
            .map(
              ({ id, reason }) => `${keys.get(id) ?? id} does not work: ${reason ?? 'no reason is known'}.`,
            )
            .join(' ')
            .slice(0, 590),
          'See to the reason: often the configuration, or the other side.',
          details,
        );
      if (known.length < wantedCount)
        return warning(
          `${known.length} of ${wantedCount} instances run.`,
          'See how the runtime is.',
          details,
        );
      return ok(`${counted(known.length, 'instance')} without an error.`, details);
    },
  },
});
