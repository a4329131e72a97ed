import { done, ok, type Handlers } from '@sluice/http';
import type { components, operations } from '../../generated/api.ts';
import { masked } from './sink-settings.ts';
import type { OpenedSink, ReadSink, SinksService } from './sinks.service.ts';

export function sinksOperations(sinks: SinksService) {
  return {
    async getAuditSink({ params }) {
      return ok(sinkView(await sinks.get(params)));
    },

    putAuditSink: ({ caller, params, body, ifMatch }) =>
      done(sinks.put(caller, params, body, (sink) => ifMatch(() => sink && settingsView(sink)))),

    deleteAuditSink: ({ caller, params }) => done(sinks.delete(caller, params)),

    async testAuditSink({ caller, params, signal }) {
      return ok(await sinks.test(caller, params, signal));
    },
  } satisfies Partial<Handlers<operations>>;
}

const settingsView = (sink: ReadSink) => ({
  kind: sink.kind,
  enabled: sink.enabled,
  interval_seconds: sink.interval_seconds,
  ...masked(sink.settings),
  created_at: sink.created_at.toISOString(),
  updated_at: sink.updated_at.toISOString(),
});

function sinkView(sink: OpenedSink): components['schemas']['AuditSink'] {
  return {
    ...settingsView(sink),
    status: {
      state: stateOf(sink),
      position: sink.position,
      behind: sink.behind,
      oldest_waiting_at: timeOf(sink.oldestWaitingAt),
      delivered: sink.delivered,
      missed: sink.missed,
      failures: sink.failures,
      failing_since: timeOf(sink.failing_since),
      next_attempt_at: sink.failures > 0 ? timeOf(sink.due_at) : null,
      last_delivery_at: timeOf(sink.last_delivery_at),
      last_error: sink.last_error,
      last_error_at: timeOf(sink.last_error_at),
    },
  };
}

function stateOf({ enabled, allowed, failures }: OpenedSink) {
  if (!enabled) return 'disabled';
  if (!allowed) return 'suspended';
  return failures > 0 ? 'failing' : 'active';
}

const timeOf = (time: Date | null) => time && time.toISOString();
