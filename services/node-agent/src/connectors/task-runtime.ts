import type { NodeRuntime } from '../tasks/node-runtime.ts';
import type { ConnectorsHost } from './connectors-host.ts';

/** The connectors runtime, as tasks see it. A node without instances has none to wait for. */
export function taskRuntime(host: ConnectorsHost): NodeRuntime {
  return {
    get process() {
      return host.process;
    },
    report: () => {
      const { status, reason } = host.report() ?? { status: 'starting' as const, reason: null };
      return { status: status === 'running' && !host.isCurrent ? 'starting' : status, reason };
    },
    restart: () => host.restart(),
  };
}
